//! Which columns hold nothing but vertices, or nothing but edges, or null.
//!
//! Only what is certain from the plan: a column of a `Rows` parameter is of no known kind. Two
//! identical elements compare as equal and two others never do, which values do not promise
//! (`1` and `1.0`); that is what a total order of rows stands on.

use std::collections::BTreeMap;

use crate::columns::ColumnSet;
use crate::expr::Expr;
use crate::op::{ElementKind, Op, ScanSource};
use crate::plan::{ColumnId, LetBinding, Plan};
use crate::repeat::Repeat;
use crate::writes::{OwnerName, Template};

/// The kind of each column known to hold elements.
pub type ElementColumns = BTreeMap<ColumnId, ElementKind>;

/// The columns of a plan that hold only elements or null.
pub fn element_columns(plan: &Plan) -> ElementColumns {
    // A carried column holds elements if it starts with them and each round ends with them: taken
    // for granted until a round is seen to end with something else.
    let mut mixed = ColumnSet::new();
    loop {
        let kinds = kinds_but(plan, &mixed);
        let before = mixed.len();
        visit_all(plan, &mut |op| {
            let carried = op.repeat().into_iter().flat_map(|repeat| &repeat.columns);
            let kind = |column: &ColumnId| kinds.get(column).copied().flatten();
            let changing = carried.filter(|carried| {
                kind(&carried.to).is_some() && kind(&carried.to) != kind(&carried.next)
            });
            mixed.extend(changing.map(|carried| carried.to));
        });
        if mixed.len() == before {
            return kinds.into_iter().filter_map(|(column, kind)| Some((column, kind?))).collect();
        }
    }
}

type Kinds = BTreeMap<ColumnId, Option<ElementKind>>;

fn visit_all(plan: &Plan, visit: &mut impl FnMut(&Op)) {
    let pipelines = plan.lets.iter().map(|binding| &binding.pipeline).chain([&plan.root]);
    pipelines.for_each(|pipeline| pipeline.visit_ops(visit));
}

fn kinds_but(plan: &Plan, mixed: &ColumnSet) -> Kinds {
    let mut kinds = Kinds::new();
    visit_all(plan, &mut |op| {
        for (column, kind) in made_kinds(op, &plan.lets, &kinds) {
            let kind = kind.filter(|_| !mixed.contains(&column));
            // The branches of a union make the same column: they must agree.
            let known = kinds.entry(column).or_insert(kind);
            if *known != kind {
                *known = None;
            }
        }
    });
    kinds
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
        Op::LookupById { element, to, .. } => vec![(*to, Some(*element))],
        Op::LetRef { name, to } => {
            let column = lets.get(name.0 as usize).map(|binding| binding.column);
            vec![(*to, column.and_then(|column| kinds.get(&column).copied().flatten()))]
        }
        Op::Expand { edge: edge_to, to, .. } => {
            let edges = edge_to.iter().map(|column| (*column, edge));
            edges.chain(to.iter().map(|column| (*column, vertex))).collect()
        }
        Op::ExpandInto { edge: edge_to, .. } => {
            edge_to.map(|column| (column, edge)).into_iter().collect()
        }
        Op::PathExpand { edges, to, cost, .. } => {
            let others = edges.iter().chain(cost).map(|column| (*column, None));
            others.chain(ends_kinds([*to, None])).collect()
        }
        Op::Repeat(repeat) => carried_kinds(repeat, kinds),
        Op::TrailEndpoints { from, to, .. } => ends_kinds([*from, *to]),
        Op::Endpoints { to, .. } => vec![(*to, vertex)],
        Op::Intersect(intersect) => vec![(intersect.to, vertex)],
        Op::Create { template, to, .. } => vec![(*to, template_kind(template))],
        Op::Merge { template, to, created, .. } => {
            let created = created.iter().map(|column| (*column, None));
            created.chain([(*to, template_kind(template))]).collect()
        }
        Op::Project { columns } => projected_kinds(columns, kinds),
        Op::Random(_)
        | Op::Lookup(_)
        | Op::Call(_)
        | Op::RecursiveExpand(_)
        | Op::PathStep { .. }
        | Op::Rows { .. }
        | Op::Fields { .. }
        | Op::Unwind { .. }
        | Op::UnwindValues { .. } => {
            op.made_columns().into_iter().map(|column| (column, None)).collect()
        }
        // These keep what there is under its name, or make numbers, lists and bags, which are
        // never looked up here; their subplans are visited for themselves.
        Op::Aggregate { .. }
        | Op::Fold { .. }
        | Op::Barrier { .. }
        | Op::Union { .. }
        | Op::Apply { .. }
        | Op::Filter { .. }
        | Op::Dedup { .. }
        | Op::Sort { .. }
        | Op::TopK { .. }
        | Op::Range { .. }
        | Op::Tail { .. }
        | Op::Join { .. }
        | Op::Group { .. }
        | Op::Fail { .. }
        | Op::SideEffect { .. }
        | Op::Set { .. }
        | Op::Remove { .. }
        | Op::Delete { .. }
        | Op::Define { .. } => Vec::new(),
    }
}

fn carried_kinds(repeat: &Repeat, kinds: &Kinds) -> Vec<(ColumnId, Option<ElementKind>)> {
    let kind = |column| kinds.get(column).copied().flatten();
    let carried = repeat.columns.iter().map(|carried| (carried.to, kind(&carried.from)));
    carried.chain(repeat.rounds.map(|rounds| (rounds, None))).collect()
}

/// A column under another name is of its kind.
fn projected_kinds(
    columns: &[(ColumnId, Expr)],
    kinds: &Kinds,
) -> Vec<(ColumnId, Option<ElementKind>)> {
    let kind = |expr: &Expr| {
        if let Expr::Column(column) = expr { kinds.get(column).copied().flatten() } else { None }
    };
    columns.iter().map(|(to, expr)| (*to, kind(expr))).collect()
}

fn ends_kinds(columns: [Option<ColumnId>; 2]) -> Vec<(ColumnId, Option<ElementKind>)> {
    columns.into_iter().flatten().map(|column| (column, Some(ElementKind::Vertex))).collect()
}

fn template_kind(template: &Template) -> Option<ElementKind> {
    match template {
        Template::Vertex { .. } => Some(ElementKind::Vertex),
        Template::Edge { .. } => Some(ElementKind::Edge),
    }
}
