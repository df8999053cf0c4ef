//! `@groupby`: the nodes of a level by the values of predicates, with folds of each group.

use std::sync::Arc;

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr, Fold, op};

use super::level::{Level, Rows, fold_of};
use crate::answer::{GroupLayout, LevelLayout, RowLayout};
use crate::schema::Kind;
use crate::translate::predicates::Named;
use crate::translate::translator::Translator;
use crate::translate::variables::ValueVariable;
use crate::tree::{AggregateOf, Child, GroupBy, Name, Selection};

/// The procedure that gives the first value of a list.
const FIRST: &str = "dql.first";

impl Translator<'_> {
    /// The groups of a level.
    pub(in crate::translate) fn groups(
        &mut self,
        level: Level,
        (group_by, children): (&GroupBy, &[Child]),
    ) -> Result<LevelLayout> {
        let mut level = level;
        if children.iter().any(|child| child.variable.is_some()) {
            level = self.bound("grouped", level);
            self.define_groups(&level, (group_by, children))?;
        }
        self.builder.begin_pipeline();
        let own = self.open(level);
        let grouped = self.grouped(&own, group_by, children);
        let pipeline = self.builder.end_pipeline();
        let Grouped { layout, columns, .. } = grouped?;
        let parent = own.parent.map(|_| 0);
        let bag = self.bag(pipeline, columns);
        Ok(LevelLayout { bag, parent, rows: RowLayout::Groups(layout), bound: None })
    }

    fn grouped<'t>(
        &mut self,
        level: &Level,
        group_by: &GroupBy,
        children: &'t [Child],
    ) -> Result<Grouped<'t>> {
        let mut layout = GroupLayout::default();
        let mut columns: Vec<ColumnId> = level.parent.into_iter().collect();
        let mut keys = columns.clone();
        let mut node_key = None;
        for key in &group_by.keys {
            let Some(named) = self.named(&key.predicate) else {
                // Nothing is in a group by what the graph does not have.
                let nothing =
                    self.builder.project(&key.predicate.name, Expr::Literal(Default::default()));
                layout.keys.push((
                    Arc::from(key.predicate.name.as_str()),
                    columns.len(),
                    Kind::Default,
                ));
                keys.push(nothing);
                columns.push(nothing);
                continue;
            };
            let name = match &key.alias {
                Some(alias) => Arc::from(alias.text.as_str()),
                // Without its languages, as in Dgraph.
                None if !key.predicate.is_reverse => Arc::from(key.predicate.name.as_str()),
                None => named.name(),
            };
            let (column, kind) = match named.known.is_edge() || key.predicate.is_reverse {
                true => {
                    let to = self.expand(level.node, &key.predicate);
                    node_key = Some(to);
                    (to, Kind::Uid)
                }
                false => {
                    let value = self.group_value(level.node, &named);
                    self.builder.filter(Expr::IsNull(Box::new(Expr::Column(value))).negate());
                    (value, named.known.kind)
                }
            };
            keys.push(column);
            layout.keys.push((name, columns.len(), kind));
            columns.push(column);
        }
        let size = self.builder.column("size");
        let mut folds = vec![(size, Fold::Count)];
        let mut variables = Vec::new();
        let mut shown = Vec::new();
        for child in self.spread_groups(children)? {
            let (column, name) = self.group_fold(level, child, &mut folds, size)?;
            if let Some(variable) = &child.variable {
                variables.push((variable, column));
            }
            let alias = child.alias.as_ref().map(|alias| Arc::from(alias.text.as_str()));
            shown.push((alias.unwrap_or(name), column));
        }
        self.builder.push(op::Aggregate { keys, folds });
        layout.size = columns.len();
        columns.push(size);
        for (name, column) in shown {
            layout.folds.push((name, columns.len()));
            columns.push(column);
        }
        // A node as a key is shown by its uid.
        for (_, place, kind) in &layout.keys {
            if *kind == Kind::Uid {
                let id = Expr::Id(Box::new(Expr::Column(columns[*place])));
                columns[*place] = self.builder.project("uid", id);
            }
        }
        if let Some(key) = node_key {
            columns.push(key);
        }
        Ok(Grouped { layout, columns, variables, key: node_key })
    }

    /// The value by which a node is in a group: of a list the first that is shown, as in Dgraph, and of a password none.
    fn group_value(&mut self, node: ColumnId, named: &Named<'_>) -> ColumnId {
        let value = match named.known.kind {
            Kind::Password => Expr::Literal(Default::default()),
            _ => self.value(node, named),
        };
        let value = self.builder.project(&named.tree.name, value);
        if !named.is_list() {
            return value;
        }
        let first = self.builder.column(&named.tree.name);
        self.builder.push(op::Call {
            procedure: millrace_plan::Name::from(FIRST),
            arguments: vec![Expr::Column(value)],
            yields: vec![(millrace_plan::Name::from("value"), first)],
            writes: false,
        });
        first
    }

    fn spread_groups<'t>(&self, children: &'t [Child]) -> Result<Vec<&'t Child>> {
        let mut all = Vec::new();
        for child in children {
            match &child.selection {
                Selection::CountUid | Selection::Aggregate(..) => all.push(child),
                _ => {
                    let detail = "Only aggregator/count functions allowed inside @groupby";
                    return Err(self.wrong(child.offset, detail));
                }
            }
        }
        Ok(all)
    }

    fn group_fold(
        &mut self,
        level: &Level,
        child: &Child,
        folds: &mut Vec<(ColumnId, Fold)>,
        size: ColumnId,
    ) -> Result<(ColumnId, Arc<str>)> {
        let Selection::Aggregate(aggregate, of) = &child.selection else {
            return Ok((size, Arc::from("count")));
        };
        let (value, name) = match of {
            AggregateOf::Predicate(predicate) => {
                let value = match self.named(predicate) {
                    Some(named) => Expr::Column(self.group_value(level.node, &named)),
                    None => Expr::Literal(Default::default()),
                };
                (value, format!("{}({predicate})", aggregate.word()))
            }
            AggregateOf::Variable(variable) => {
                let (value, _) = self.value_at(
                    Some(level.number),
                    Some(level.node),
                    &variable.text,
                    variable.offset,
                )?;
                (value, format!("{}(val({}))", aggregate.word(), variable.text))
            }
        };
        let own = self.builder.project("folded", value);
        let column = self.builder.column(aggregate.word());
        folds.push((column, fold_of(*aggregate, Expr::Column(own))));
        Ok((column, name.into()))
    }

    /// Variables of groups: values of the nodes by which the groups are made. A node is in one group once, from however
    /// many it was reached.
    fn define_groups(
        &mut self,
        level: &Level,
        (group_by, children): (&GroupBy, &[Child]),
    ) -> Result<()> {
        let kept = self.bound_level(level.number)?;
        self.builder.begin_pipeline();
        let node = self.distinct_nodes(kept);
        let rows = Rows::Bound(kept.rows);
        let whole = Level { number: level.number, rows, node, parent: None, edge: None };
        let grouped = self.grouped(&whole, group_by, children);
        let pipeline = self.builder.end_pipeline();
        let Grouped { columns, variables, key, .. } = grouped?;
        let bound = self.builder.bind_pipeline("groups", pipeline, columns);
        let Some(key) = key.filter(|_| group_by.keys.len() == 1) else {
            let detail = "Vars can be assigned only when grouped by UID attribute";
            return Err(self.wrong(group_by.offset, detail));
        };
        for (variable, column) in variables {
            self.builder.begin_pipeline();
            let [node, value] = ["node", "value"].map(|name| self.builder.column(name));
            self.builder
                .push(op::LetRef { name: bound, columns: vec![(key, node), (column, value)] });
            let keys = vec![self.uid_key(node)];
            self.builder.push(op::Sort { keys });
            let pipeline = self.builder.end_pipeline();
            let name = self.builder.bind_pipeline(&variable.text, pipeline, vec![node, value]);
            self.define_value_rows(
                &variable.text,
                ValueVariable { name, node, value, level: None },
            );
        }
        Ok(())
    }
}

/// The groups of a level: their columns, and what variables are of them.
struct Grouped<'t> {
    layout: GroupLayout,
    columns: Vec<ColumnId>,
    variables: Vec<(&'t Name, ColumnId)>,
    /// The column of the node by which groups are made.
    key: Option<ColumnId>,
}
