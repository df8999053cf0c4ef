//! The level below, by the edges of a predicate.

use std::sync::Arc;

use millrace_model::{Direction, Result};
use millrace_plan::{ApplyKind, ColumnId, Loops, op};

use super::children::{Context, Fields};
use super::level::{BoundLevel, Level, Rows};
use super::pages::Comes;
use crate::answer::{Facets, FieldKind, LevelLayout};
use crate::translate::predicates::Named;
use crate::translate::translator::Translator;
use crate::tree::{self, Name, Traversal};

impl Translator<'_> {
    /// The level below, and its field.
    pub(in crate::translate) fn edges(
        &mut self,
        level: &Level,
        (traversal, variable): (&Traversal, Option<&Name>),
        (named, name): (&Named<'_>, (Arc<str>, bool)),
        context: Context,
        fields: &mut Fields,
    ) -> Result<()> {
        let defines_facets = defines_facets(traversal);
        if traversal.children.is_empty() && variable.is_none() && !defines_facets {
            // Edges without fields say nothing.
            return Ok(());
        }
        let mut below = self.level_below(level, traversal, named)?;
        if variable.is_some() || defines_facets || self.keeps_levels {
            below = self.bound(&traversal.predicate.name, below);
        }
        if defines_facets {
            self.define_facets(&below, &traversal.directives.facets)?;
        }
        if let Some(group_by) = &traversal.directives.group_by {
            let layout = self.groups(below, (group_by, &traversal.children))?;
            let kind = FieldKind::Level {
                level: Box::new(layout),
                is_single: false,
                facets: Facets::None,
            };
            fields.push(name, kind);
            return Ok(());
        }
        let is_cascaded = self.is_cascaded(traversal);
        let defined = variable.filter(|_| !is_cascaded || traversal.children.is_empty());
        if let Some(variable) = defined {
            self.define_uids(variable, &below)?;
        }
        if traversal.children.is_empty() {
            return Ok(());
        }
        let context = Context {
            is_flat: context.is_flat || traversal.directives.normalize.is_some(),
            ..context
        };
        let (layout, facets): (LevelLayout, Facets) = self.level_with_facets(
            (&name.0, below),
            (traversal, variable.filter(|_| is_cascaded)),
            context,
        )?;
        let is_single = !named.known.is_list && !traversal.predicate.is_reverse;
        fields.push(name, FieldKind::Level { level: Box::new(layout), is_single, facets });
        Ok(())
    }

    /// The rows of the level below.
    fn level_below(
        &mut self,
        level: &Level,
        traversal: &Traversal,
        named: &Named<'_>,
    ) -> Result<Level> {
        let kept = self.bound_level(level.number)?;
        self.builder.begin_pipeline();
        let from = self.distinct_nodes(kept);
        if let Some(condition) = self.only_if.take() {
            self.builder.filter(condition);
        }
        let is_list = traversal.directives.facets.is_empty()
            && traversal.order.is_empty()
            && (!has_page(&traversal.page) || self.is_cascaded(traversal))
            && !self.facts.has_other_ids;
        let hopped = match is_list {
            // What is asked of each neighbour needs no subplan.
            true => self.hop(from, traversal, named),
            false => {
                self.builder.begin_pipeline();
                let hopped = self.hop(from, traversal, named);
                let sub = self.builder.end_pipeline();
                self.builder.push(op::Apply { sub, kind: ApplyKind::Flat });
                hopped
            }
        };
        let rows = Rows::Own(self.builder.end_pipeline());
        let (node, edge) = hopped?;
        let number = self.levels.add(Some(level.number));
        Ok(Level { number, rows, node, parent: Some(from), edge })
    }

    /// The nodes of a level, each once, in the open pipeline.
    pub(in crate::translate) fn distinct_nodes(&mut self, level: BoundLevel) -> ColumnId {
        let from = self.builder.column("from");
        self.builder.push(op::LetRef { name: level.rows, columns: vec![(level.node, from)] });
        if level.parent.is_some() {
            self.builder.push(op::Dedup { columns: vec![from] });
        }
        from
    }

    /// From a node to those that a child wants, in their order.
    fn hop(
        &mut self,
        from: ColumnId,
        traversal: &Traversal,
        named: &Named<'_>,
    ) -> Result<(ColumnId, Option<ColumnId>)> {
        let directives = &traversal.directives;
        if directives.facets.is_empty() {
            let to = self.neighbours(from, named.tree);
            self.after(to, &traversal.page)?;
            self.filter(to, directives.filter.as_deref())?;
            let comes = match self.facts.has_other_ids {
                true => Comes::InAnyOrder,
                false => Comes::InOrder,
            };
            self.order(to, (&traversal.order, Vec::new()), comes)?;
            if !self.is_cascaded(traversal) {
                self.page(&traversal.page)?;
            }
            return Ok((to, None));
        }
        let (to, edge) = self.expand_edges(from, named.tree, true);
        if let Some(edge) = edge {
            self.filter_facets(edge, &directives.facets)?;
        }
        self.after(to, &traversal.page)?;
        self.filter(to, directives.filter.as_deref())?;
        let keys = edge.map_or_else(Vec::new, |edge| self.facet_keys(edge, &directives.facets));
        self.order(to, (&traversal.order, keys), Comes::InAnyOrder)?;
        self.builder.push(op::Dedup { columns: vec![to] });
        if !self.is_cascaded(traversal) {
            self.page(&traversal.page)?;
        }
        Ok((to, edge))
    }

    /// Whether nodes of a level go by what they lack, before there are pages.
    fn is_cascaded(&self, traversal: &Traversal) -> bool {
        traversal.directives.cascade.is_some() || self.cascade.is_some()
    }

    /// To each node that edges of a predicate lead to, once, by id.
    fn neighbours(&mut self, from: ColumnId, predicate: &tree::Predicate) -> ColumnId {
        let to = self.builder.column(&predicate.name);
        let direction = direction_of(predicate);
        let types = Some(vec![predicate.name.as_str().into()]);
        self.builder.push(op::Neighbours { from, types, direction, to });
        to
    }

    /// Along the edges of a predicate.
    pub(in crate::translate) fn expand(
        &mut self,
        from: ColumnId,
        predicate: &tree::Predicate,
    ) -> ColumnId {
        self.expand_edges(from, predicate, false).0
    }

    /// The same, with the edge.
    pub(in crate::translate) fn expand_edges(
        &mut self,
        from: ColumnId,
        predicate: &tree::Predicate,
        needs_edge: bool,
    ) -> (ColumnId, Option<ColumnId>) {
        let to = self.builder.column(&predicate.name);
        let edge = needs_edge.then(|| self.builder.column("edge"));
        let direction = direction_of(predicate);
        let types = Some(vec![predicate.name.as_str().into()]);
        let loops = Loops::Twice;
        self.builder.push(op::Expand { from, types, direction, edge, to: Some(to), loops });
        (to, edge)
    }
}

/// Whether only some nodes of each list are wanted, by their places.
fn has_page(page: &tree::Page) -> bool {
    page.first.is_some() || page.offset.is_some()
}

fn direction_of(predicate: &tree::Predicate) -> Direction {
    if predicate.is_reverse { Direction::In } else { Direction::Out }
}

/// Whether a child defines variables of facets.
fn defines_facets(traversal: &Traversal) -> bool {
    traversal.directives.facets.iter().any(|facets| match &facets.kind {
        tree::FacetsKind::Keys(keys) => keys.iter().any(|key| key.variable.is_some()),
        tree::FacetsKind::All | tree::FacetsKind::Filter(_) => false,
    })
}
