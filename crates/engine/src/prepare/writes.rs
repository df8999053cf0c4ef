//! Operators that write, to stages.

use millrace_model::Result;
use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, Expr, Label, Name, Op, Properties, Template, op};

use super::access::{merge_turns, set_reads_what_it_writes};
use super::compiler::{Compiler, Place, Placed, bug};
use crate::names::Resolved;
use crate::operators::{
    Completing, Create, CreateTemplate, Define, Delete, EdgeMatch, LabelNames, MapMatch, Merge,
    MergeOptions, MergeTemplate, MergeWanted, PropertyExprs, Remove, Set, VertexMatch,
};

impl Compiler<'_> {
    pub(super) fn write(&self, op: &Op, place: &Place<'_>) -> Result<Placed> {
        let layout = place.layout;
        if let Op::Create(op::Create { template, id, to }) = op {
            let (keep, after, [to]) = place.keep_and([Some(*to)]);
            let properties = self.properties(layout, template.properties())?;
            let labels = self.label_names(layout, template)?;
            let template = match template {
                Template::Vertex { labels, .. } => CreateTemplate::Vertex { labels: known(labels) },
                Template::Edge { edge_type, source, target, .. } => CreateTemplate::Edge {
                    edge_type: edge_type.known().cloned().unwrap_or_default(),
                    source: self.slot(layout, *source)?,
                    target: self.slot(layout, *target)?,
                },
            };
            let id = id.as_ref().map(|id| self.exprs(layout, [id])).transpose()?;
            let create = Create::new((template, labels), id, properties, keep, to);
            return Ok((Box::new(Completing::new(create)), after));
        }
        if let Op::Merge(op::Merge { template, on_create, on_match, to, created }) = op {
            let mut with_element = layout.to_vec();
            with_element.push(*to);
            let mut read = ColumnSet::new();
            on_create.exprs().for_each(|expr| expr.read_columns(&mut read));
            let options = MergeOptions {
                on_create: self.properties(&with_element, on_create)?,
                on_match: self.properties(&with_element, on_match)?,
                reads_created: read.contains(to),
                turns: merge_turns(template, [on_create, on_match], *to),
            };
            return self.merge(template, options, (*to, *created), place);
        }
        let (keep, after) = place.keep();
        if let Op::Set(op::Set { element, properties, replace }) = op {
            let element = self.slot(layout, *element)?;
            let in_rounds = set_reads_what_it_writes(properties, *replace);
            let properties = self.properties(layout, properties)?;
            let set = Set::new(element, properties, *replace, in_rounds, keep);
            return Ok((Box::new(Completing::new(set)), after));
        }
        if let Op::Remove(op::Remove { element, keys }) = op {
            let element = self.slot(layout, *element)?;
            let keys = keys.as_ref().map(|keys| keys.iter().map(Resolved::new).collect());
            return Ok((Box::new(Completing::new(Remove::new(element, keys, keep))), after));
        }
        if let Op::Delete(op::Delete { element, detach }) = op {
            let delete = Delete::new(self.exprs(layout, [element])?, *detach, keep);
            return Ok((Box::new(Completing::new(delete)), after));
        }
        if let Op::Define(op::Define { definition }) = op {
            let define = Define::new(definition.clone(), keep);
            return Ok((Box::new(Completing::new(define)), after));
        }
        Err(bug("an operator that does not write was compiled as one that does"))
    }

    fn properties(&self, layout: &[ColumnId], properties: &Properties) -> Result<PropertyExprs> {
        let names: Vec<Name> = properties.keyed.iter().map(|(name, _)| name.clone()).collect();
        let exprs = self.exprs(layout, properties.exprs())?;
        Ok(PropertyExprs::new(&names, properties.map.is_some(), exprs))
    }

    /// The labels of what is written, where only rows know them.
    fn label_names(&self, layout: &[ColumnId], template: &Template) -> Result<Option<LabelNames>> {
        let labels = template.labels();
        let exprs: Vec<&Expr> = labels.iter().filter_map(Label::expr).collect();
        if exprs.is_empty() {
            return Ok(None);
        }
        Ok(Some(LabelNames::new(labels, self.exprs(layout, exprs)?)))
    }

    fn merge(
        &self,
        template: &Template,
        options: MergeOptions,
        (to, created): (ColumnId, Option<ColumnId>),
        place: &Place<'_>,
    ) -> Result<Placed> {
        let layout = place.layout;
        let (keep, after, [to, created]) = place.keep_and([Some(to), created]);
        let matched = &template.properties().keyed;
        let keys: Vec<Name> = matched.iter().map(|(name, _)| name.clone()).collect();
        let values: Vec<&Expr> = matched.iter().map(|(_, expr)| expr).collect();
        let values = self.exprs(layout, values)?;
        let properties = self.properties(layout, template.properties())?;
        let map = template.properties().map.as_ref();
        let map = map.map(|map| self.exprs(layout, [map])).transpose()?;
        let map = map.map(|map| MapMatch::new(&keys, map));
        let labels = self.label_names(layout, template)?;
        let template = match template {
            Template::Vertex { labels, .. } => {
                MergeTemplate::Vertex(VertexMatch::new(&known(labels), &keys))
            }
            Template::Edge { edge_type, source, target, .. } => {
                let ends = (self.slot(layout, *source)?, self.slot(layout, *target)?);
                let edge_type = edge_type.known().cloned().unwrap_or_default();
                MergeTemplate::Edge(EdgeMatch::new(&edge_type, ends, &keys))
            }
        };
        let wanted = MergeWanted { to, created };
        let merge =
            Merge::new((template, labels), map, (values, properties), options, wanted, keep);
        Ok((Box::new(Completing::new(merge)), after))
    }
}

fn known(labels: &[Label]) -> Vec<Name> {
    labels.iter().filter_map(|label| label.known().cloned()).collect()
}
