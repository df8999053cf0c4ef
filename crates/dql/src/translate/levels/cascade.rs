//! Levels of the answer, and `@cascade`: nodes that lack a field are no nodes, from the last level up.
//!
//! ```text
//!   level ──> children ──> nodes with all of them ──> page ──> bag of the answer
//! ```

use std::sync::Arc;

use millrace_model::Result;
use millrace_plan::{ApplyKind, ColumnId, Expr, Fold, SetName, op};

use super::children::{Context, Fields, reads_level};
use super::level::Level;
use crate::answer::{Facets as Shown, Field, FieldKind, LevelLayout, NodeLayout, RowLayout};
use crate::translate::translator::Translator;
use crate::tree::{Cascade, Child, Name, Page, Selection, Traversal};

/// What a level takes of its block or child.
pub(in crate::translate) struct LevelParts<'t> {
    pub(in crate::translate) name: &'t str,
    pub(in crate::translate) children: &'t [Child],
    pub(in crate::translate) cascade: Option<&'t Cascade>,
    pub(in crate::translate) page: &'t Page,
    pub(in crate::translate) context: Context,
    /// A variable that is defined once the nodes are known.
    pub(in crate::translate) variable: Option<&'t Name>,
}

impl Translator<'_> {
    /// A level of the answer, and those below it.
    pub(in crate::translate) fn level(
        &mut self,
        level: Level,
        parts: &LevelParts<'_>,
    ) -> Result<LevelLayout> {
        self.level_showing(level, parts, |_, _, _| Shown::None).map(|(layout, _)| layout)
    }

    /// The same with facets of its edges.
    pub(in crate::translate) fn level_with_facets(
        &mut self,
        (shown, level): (&Arc<str>, Level),
        (traversal, variable): (&Traversal, Option<&Name>),
        context: Context,
    ) -> Result<(LevelLayout, Shown)> {
        let parts = LevelParts {
            name: &traversal.predicate.name,
            children: &traversal.children,
            cascade: traversal.directives.cascade.as_deref(),
            page: &traversal.page,
            context,
            variable,
        };
        let facets = &traversal.directives.facets;
        self.level_showing(level, &parts, |own, edge, fields| {
            own.edge_facets(edge, (shown, facets), fields)
        })
    }

    fn level_showing(
        &mut self,
        mut level: Level,
        parts: &LevelParts<'_>,
        show: impl FnOnce(&mut Self, Option<ColumnId>, &mut Fields) -> Shown,
    ) -> Result<(LevelLayout, Shown)> {
        let children = self.spread(parts.children)?;
        let inherited = self.cascade.clone();
        if let Some(own) = parts.cascade {
            let names = own.predicates.iter().map(|predicate| predicate.name.clone());
            self.cascade = Some(names.collect());
        }
        if self.cascade.is_some()
            || self.keeps_levels
            || children.iter().any(|child| reads_level(child))
        {
            level = self.bound(parts.name, level);
        }
        let built = self.level_bag(level, &children, parts, show);
        self.cascade = inherited;
        built
    }

    fn level_bag(
        &mut self,
        level: Level,
        children: &[&Child],
        parts: &LevelParts<'_>,
        show: impl FnOnce(&mut Self, Option<ColumnId>, &mut Fields) -> Shown,
    ) -> Result<(LevelLayout, Shown)> {
        let parent = level.parent.map(|_| 0);
        let number = level.number;
        self.builder.begin_pipeline();
        let own = self.open(level);
        let built = self.node_showing(&own, children, parts.context, show);
        let pipeline = self.builder.end_pipeline();
        let (layout, columns, facets) = built?;
        let Some(wanted) = self.cascade.clone() else {
            let bag = self.bag(pipeline, columns);
            return Ok((
                LevelLayout { bag, parent, rows: RowLayout::Nodes(layout), bound: None },
                facets,
            ));
        };
        self.builder.begin_pipeline();
        for op in pipeline.ops {
            self.builder.push(op);
        }
        let kept = self.keep_whole(&own, children, (&layout.fields, &wanted));
        let paged = kept.and_then(|()| self.page_of(&own, parts.page, &columns));
        let pipeline = self.builder.end_pipeline();
        let columns = paged?;
        let bound = self.builder.bind_pipeline(parts.name, pipeline, columns.clone());
        let own = self.replace_level(number, bound, (&own, &columns));
        if let Some(variable) = parts.variable {
            self.define_uids(variable, &own)?;
        }
        self.builder.begin_pipeline();
        let made = self.let_ref(bound, &columns);
        let pipeline = self.builder.end_pipeline();
        let bag = self.bag(pipeline, made);
        let rows = RowLayout::Nodes(layout);
        Ok((LevelLayout { bag, parent, rows, bound: Some(bound) }, facets))
    }

    /// Keeps the nodes of the open pipeline that have every field.
    fn keep_whole(
        &mut self,
        level: &Level,
        children: &[&Child],
        (fields, wanted): (&[Field], &[String]),
    ) -> Result<()> {
        let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|own| own == name);
        let mut tests = Vec::new();
        for child in children {
            if let Selection::Expand(expand) = &child.selection {
                tests.extend(self.has_expanded(level, expand, fields, &is_wanted)?);
            }
            let Selection::Predicate(traversal) = &child.selection else { continue };
            if !is_wanted(&traversal.predicate.name) {
                continue;
            }
            let Some(named) = self.named(&traversal.predicate) else {
                tests.push(Expr::literal(false));
                continue;
            };
            if !named.known.is_edge() && !traversal.predicate.is_reverse {
                tests.push(self.has_value(level.node, &named));
            } else if traversal.children.is_empty() {
                tests.push(self.reaches_some(level.node, traversal)?);
            }
        }
        for field in fields {
            let FieldKind::Level { level: below, .. } = &field.kind else { continue };
            let Some(rows) = below.bound else { continue };
            if field_is_wanted(field, children, &is_wanted) {
                let item = Box::new(Expr::Column(level.node));
                tests.push(Expr::InSet { item, set: SetName::Let(rows) });
            }
        }
        if !tests.is_empty() {
            self.builder.filter(Expr::And(tests));
        }
        Ok(())
    }

    /// Whether an edge leads to a node that a child wants.
    fn reaches_some(&mut self, node: ColumnId, traversal: &Traversal) -> Result<Expr> {
        let to = self.builder.column("reaches");
        self.builder.begin_pipeline();
        let reached = self.expand(node, &traversal.predicate);
        let filtered = self.filter(reached, traversal.directives.filter.as_deref());
        let sub = self.builder.end_pipeline();
        filtered?;
        self.builder.push(op::Apply { sub, kind: ApplyKind::Value { fold: Fold::Exists, to } });
        Ok(Expr::Column(to))
    }

    /// The page of a level whose nodes are known: of all of them, or of those below each node. The columns behind it.
    fn page_of(
        &mut self,
        level: &Level,
        page: &Page,
        columns: &[ColumnId],
    ) -> Result<Vec<ColumnId>> {
        let Some(parent) = level.parent else {
            self.page(page)?;
            return Ok(columns.to_vec());
        };
        if page.first.is_none() && page.offset.is_none() {
            return Ok(columns.to_vec());
        }
        self.builder.begin_pipeline();
        let paged = self.page(page);
        // A group gives what its own operators made.
        let copied: Vec<(ColumnId, Expr)> = columns
            .iter()
            .map(|column| (self.builder.column("paged"), Expr::Column(*column)))
            .collect();
        let made = copied.iter().map(|(column, _)| *column).collect();
        self.builder.push(op::Project { columns: copied });
        let sub = self.builder.end_pipeline();
        paged?;
        self.builder.push(op::Group { keys: vec![parent], sub });
        Ok(made)
    }

    /// The nodes of a level as fields, and what of its edges is shown.
    fn node_showing(
        &mut self,
        level: &Level,
        children: &[&Child],
        context: Context,
        show: impl FnOnce(&mut Self, Option<ColumnId>, &mut Fields) -> Shown,
    ) -> Result<(NodeLayout, Vec<ColumnId>, Shown)> {
        let (layout, columns) = self.node(level, children, context)?;
        let mut fields = Fields::new(columns, layout);
        let shown = show(self, level.edge, &mut fields);
        Ok((fields.layout, fields.columns, shown))
    }
}

/// Whether the predicate of a field is one that a cascade names.
fn field_is_wanted(field: &Field, children: &[&Child], is_wanted: &dyn Fn(&str) -> bool) -> bool {
    children.iter().any(|child| match &child.selection {
        Selection::Predicate(traversal) => {
            let alias = child.alias.as_ref().map(|alias| alias.text.as_str());
            let is_it = alias.map_or_else(
                || format!("{}", traversal.predicate) == *field.name,
                |alias| alias == &*field.name,
            );
            is_it && is_wanted(&traversal.predicate.name)
        }
        _ => false,
    })
}
