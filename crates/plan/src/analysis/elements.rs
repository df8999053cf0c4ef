//! Which columns hold nothing but vertices, or nothing but edges, or null.
//!
//! Only what is certain from the plan: a column of a `Rows` parameter is of no known kind. Two
//! identical elements compare as equal and two others never do, which values do not promise
//! (`1` and `1.0`); that is what a total order of rows stands on.

use std::collections::BTreeMap;

use crate::op::{ElementKind, Op, ScanSource};
use crate::plan::{ColumnId, LetBinding, Plan};
use crate::writes::{OwnerName, Template};

/// The kind of each column known to hold elements.
pub type ElementColumns = BTreeMap<ColumnId, ElementKind>;

/// The columns of a plan that hold only elements or null.
pub fn element_columns(plan: &Plan) -> ElementColumns {
    let mut kinds: BTreeMap<ColumnId, Option<ElementKind>> = BTreeMap::new();
    let pipelines = plan.lets.iter().map(|binding| &binding.pipeline).chain([&plan.root]);
    for pipeline in pipelines {
        pipeline.visit_ops(&mut |op| {
            for (column, kind) in made_kinds(op, &plan.lets, &kinds) {
                // The branches of a union make the same column: they must agree.
                let known = kinds.entry(column).or_insert(kind);
                if *known != kind {
                    *known = None;
                }
            }
        });
    }
    kinds.into_iter().filter_map(|(column, kind)| Some((column, kind?))).collect()
}

fn made_kinds(
    op: &Op,
    lets: &[LetBinding],
    kinds: &BTreeMap<ColumnId, Option<ElementKind>>,
) -> Vec<(ColumnId, Option<ElementKind>)> {
    let (vertex, edge) = (Some(ElementKind::Vertex), Some(ElementKind::Edge));
    match op {
        Op::Scan { source: ScanSource::Vertices(_), to } => vec![(*to, vertex)],
        Op::Scan { source: ScanSource::Edges(_), to } => vec![(*to, edge)],
        Op::Seek { owner, to, .. } => match owner {
            OwnerName::Label(_) | OwnerName::AllVertices => vec![(*to, vertex)],
            OwnerName::EdgeType(_) => vec![(*to, edge)],
        },
        Op::Ids { element, to, .. } => vec![(*to, Some(*element))],
        Op::Ref { name, to } => {
            let column = lets.get(name.0 as usize).map(|binding| binding.column);
            vec![(*to, column.and_then(|column| kinds.get(&column).copied().flatten()))]
        }
        Op::Expand { edge: edge_to, to, .. } => {
            let edges = edge_to.iter().map(|column| (*column, edge));
            edges.chain(to.iter().map(|column| (*column, vertex))).collect()
        }
        Op::Ends { to, .. } => vec![(*to, vertex)],
        Op::Create { template, to, .. } => vec![(*to, template_kind(template))],
        Op::Merge { template, to, created, .. } => {
            let created = created.iter().map(|column| (*column, None));
            created.chain([(*to, template_kind(template))]).collect()
        }
        Op::Project { .. } | Op::Rows { .. } | Op::Fields { .. } | Op::Unwind { .. } => {
            op.made_columns().into_iter().map(|column| (column, None)).collect()
        }
        // These keep what there is under its name, or make numbers, lists and bags, which are
        // never looked up here; their subplans are visited for themselves.
        Op::Aggregate { .. }
        | Op::Barrier { .. }
        | Op::Union { .. }
        | Op::Apply { .. }
        | Op::Filter { .. }
        | Op::Dedup { .. }
        | Op::Sort { .. }
        | Op::TopK { .. }
        | Op::Range { .. }
        | Op::SideEffect { .. }
        | Op::Set { .. }
        | Op::Remove { .. }
        | Op::Delete { .. }
        | Op::Define { .. } => Vec::new(),
    }
}

fn template_kind(template: &Template) -> Option<ElementKind> {
    match template {
        Template::Vertex { .. } => Some(ElementKind::Vertex),
        Template::Edge { .. } => Some(ElementKind::Edge),
    }
}
