//! A `Merge` of a plan in its place.

use millrace_model::Result;
use millrace_plan::columns::ColumnSet;
use millrace_plan::{Name, Template, op};

use super::maps::MapMatch;
use super::{EdgeMatch, Merge, MergeOptions, MergeTemplate, MergeWanted, VertexMatch};
use crate::compile::{Compile, Compiler, Place, Placed, merge_turns};
use crate::operators::writes::create::EdgeEnds;
use crate::operators::writes::label_names::{LabelNames, known};
use crate::operators::writes::property_writes::PropertyExprs;
use crate::pipeline::Completing;

impl Compile for op::Merge {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let layout = place.layout;
        let options = options(self, compiler, place)?;
        let (keep, after, [to, created]) = place.keep_and([Some(self.to), self.created]);
        let properties = self.template.properties();
        let keys: Vec<Name> = properties.keyed.iter().map(|(name, _)| name.clone()).collect();
        let values = compiler.exprs(layout, properties.keyed.iter().map(|(_, expr)| expr))?;
        let map = properties.map.as_ref();
        let map = map.map(|map| compiler.exprs(layout, [map])).transpose()?;
        let map = map.map(|map| MapMatch::new(&keys, map));
        let properties = PropertyExprs::compile(properties, compiler, layout)?;
        let labels = LabelNames::compile(&self.template, compiler, layout)?;
        let template = match &self.template {
            Template::Vertex { labels, .. } => {
                MergeTemplate::Vertex(VertexMatch::new(&known(labels), &keys))
            }
            Template::Edge { edge_type, source, target, must_have_ends, .. } => {
                let ends = EdgeEnds {
                    source: compiler.slot(layout, *source)?,
                    target: compiler.slot(layout, *target)?,
                    must_have_ends: must_have_ends.clone(),
                };
                let edge_type = edge_type.known().cloned().unwrap_or_default();
                MergeTemplate::Edge(EdgeMatch::new(&edge_type, ends, &keys))
            }
        };
        let wanted = MergeWanted { to, created };
        let merge = Merge { template, labels, map, values, properties, options, wanted, keep };
        Ok((Box::new(Completing::new(merge)), after))
    }
}

/// Options may read the element that is found or made.
fn options(merge: &op::Merge, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<MergeOptions> {
    let mut with_element = place.layout.to_vec();
    with_element.push(merge.to);
    let mut read = ColumnSet::new();
    merge.on_create.exprs().for_each(|expr| expr.read_columns(&mut read));
    let options = [&merge.on_create, &merge.on_match];
    Ok(MergeOptions {
        on_create: PropertyExprs::compile(&merge.on_create, compiler, &with_element)?,
        on_match: PropertyExprs::compile(&merge.on_match, compiler, &with_element)?,
        reads_created: read.contains(&merge.to),
        turns: merge_turns(&merge.template, options, merge.to),
    })
}
