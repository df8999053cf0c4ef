//! Blocks: the root level of each, and its levels below.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr, LetRead, op};

use super::levels::Context;
use super::levels::LevelParts;
use super::levels::{Level, Rows};
use super::paths::PATHS;
use super::translator::Translator;
use super::uses::{Uses, in_order};
use crate::answer::{BlockKind, BlockLayout, LevelLayout};
use crate::form::AnswerForm;
use crate::tree::{AggregateOf, Block, Directives, Name, Root, Selection};

/// The name of blocks without an answer.
const NO_ANSWER: &str = "var";

impl<'a> Translator<'a> {
    /// All blocks; one named `var` has no place in the answer.
    pub(crate) fn blocks(&mut self, blocks: &'a [Block]) -> Result<Vec<BlockLayout>> {
        self.check_block_names(blocks)?;
        let uses: Vec<Uses<'_>> =
            blocks.iter().map(|block| Uses::of_block(block, &self.fragments)).collect();
        let mut layouts: Vec<Option<BlockLayout>> = vec![None; blocks.len()];
        for number in in_order(self.text, &uses, &self.outside)? {
            layouts[number] = self.block(&blocks[number])?;
        }
        Ok(layouts.into_iter().flatten().collect())
    }

    /// Each block of the answer has a name of its own.
    fn check_block_names(&self, blocks: &[Block]) -> Result<()> {
        let mut seen = BTreeSet::new();
        for block in blocks {
            let Name { offset, text } = &block.name;
            let is_member = text != NO_ANSWER && !matches!(block.root, Root::Shortest(_));
            if is_member && !seen.insert(text) {
                return Err(self.wrong(*offset, format!("Duplicate aliases not allowed: {text}")));
            }
        }
        Ok(())
    }

    fn block(&mut self, block: &'a Block) -> Result<Option<BlockLayout>> {
        let directives = &block.directives;
        self.is_silent = block.name.text == NO_ANSWER;
        let name: Arc<str> = Arc::from(block.name.text.as_str());
        let kind = match &block.root {
            Root::Absent => self.values(block)?,
            Root::Shortest(path) => {
                let kind = self.shortest(block, path)?;
                return Ok(Some(BlockLayout { name: Arc::from(PATHS), kind }));
            }
            Root::Function(_) | Root::Id { .. } => match &directives.recursion {
                Some(recursion) => self.recursion(block, recursion)?,
                None => BlockKind::Nodes(self.nodes(block)?),
            },
        };
        // What stands behind the blocks, as the uids of a mutation, is answered.
        let is_silent = std::mem::take(&mut self.is_silent);
        Ok((!is_silent).then_some(BlockLayout { name, kind }))
    }

    fn nodes(&mut self, block: &'a Block) -> Result<LevelLayout> {
        let directives = &block.directives;
        self.check_form(directives)?;
        self.builder.begin_pipeline();
        let rows = self.root_rows(block);
        let pipeline = self.builder.end_pipeline();
        let node = rows?;
        let number = self.levels.add(None);
        let rows = Rows::Own(pipeline);
        let mut level = Level { number, rows, node, parent: None, edge: None };
        if let Some(group_by) = &directives.group_by {
            return self.groups(level, (group_by, &block.children));
        }
        let is_cascaded = directives.cascade.is_some();
        if let Some(variable) = block.variable.as_ref().filter(|_| !is_cascaded) {
            level = self.bound(&variable.text, level);
            self.define_uids(variable, &level)?;
        }
        let context = Context {
            is_flat: directives.normalize.is_some(),
            ignores_reflex: directives.ignore_reflex.is_some(),
        };
        let parts = LevelParts {
            name: &block.name.text,
            children: &block.children,
            cascade: directives.cascade.as_deref(),
            page: &block.page,
            context,
            variable: block.variable.as_ref().filter(|_| is_cascaded),
        };
        self.level(level, &parts)
    }

    /// Refuses what N-Quads cannot say.
    pub(super) fn check_form(&self, directives: &Directives) -> Result<()> {
        if self.form != AnswerForm::Rdf {
            return Ok(());
        }
        let refused = [
            (directives.group_by.as_ref().map(|own| own.offset), "groupby"),
            (directives.normalize, "normalize directive"),
            (directives.ignore_reflex, "ignorereflex directive"),
            (directives.facets.first().map(|own| own.offset), "facets"),
        ];
        for (at, what) in refused {
            if let Some(at) = at {
                let detail = format!("{what} is not supported in rdf output format");
                return Err(self.wrong(at, detail));
            }
        }
        Ok(())
    }

    pub(super) fn root_rows(&mut self, block: &Block) -> Result<ColumnId> {
        let (node, comes) = self.root(block)?;
        self.after(node, &block.page)?;
        self.filter(node, block.directives.filter.as_deref())?;
        self.order(node, (&block.order, Vec::new()), comes)?;
        if block.directives.cascade.is_none() {
            self.page(&block.page)?;
        }
        Ok(node)
    }

    /// `me() { max(val(x)) }`: values that belong to no node.
    fn values(&mut self, block: &'a Block) -> Result<BlockKind> {
        let mut values = Vec::new();
        let mut columns = Vec::new();
        let mut exprs = Vec::new();
        for child in self.spread(&block.children)? {
            let (expr, name) = match &child.selection {
                Selection::Aggregate(aggregate, AggregateOf::Variable(of)) => {
                    let bound = self.aggregated_whole(*aggregate, of)?;
                    if let Some(variable) = &child.variable {
                        self.define_scalar(&variable.text, bound);
                    }
                    let value = Expr::Let { name: bound, read: LetRead::First };
                    (value, format!("{}(val({}))", aggregate.word(), of.text))
                }
                Selection::Math(math) => {
                    let value = self.math(None, None, math)?;
                    let variable = child.variable.as_ref();
                    if let Some(variable) = variable {
                        self.builder.begin_pipeline();
                        let column = self.builder.project(&variable.text, value.clone());
                        let pipeline = self.builder.end_pipeline();
                        let bound =
                            self.builder.bind_pipeline(&variable.text, pipeline, vec![column]);
                        self.define_scalar(&variable.text, bound);
                    }
                    (value, format!("val({})", variable.map_or("", |own| own.text.as_str())))
                }
                Selection::Variable(of) => {
                    let (value, _) = self.value_at(None, None, &of.text, of.offset)?;
                    (value, format!("val({})", of.text))
                }
                _ => {
                    let detail = "only aggregates, math and values of variables stand in a block without a root";
                    return Err(self.wrong(child.offset, detail));
                }
            };
            let alias = child.alias.as_ref().map(|alias| Arc::from(alias.text.as_str()));
            values.push((alias.unwrap_or_else(|| name.into()), columns.len()));
            columns.push(self.builder.column("value"));
            exprs.push(expr);
        }
        self.builder.begin_pipeline();
        let projected = columns.iter().copied().zip(exprs).collect();
        self.builder.push(op::Project { columns: projected });
        let pipeline = self.builder.end_pipeline();
        Ok(BlockKind::Values { bag: self.bag(pipeline, columns), values })
    }
}
