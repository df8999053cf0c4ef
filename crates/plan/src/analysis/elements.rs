//! Which columns hold nothing but vertices, or nothing but edges, or null.
//!
//! Only facts that are certain from the plan: a column of a `Rows` parameter is of no known kind. Two
//! identical elements compare as equal and two others never do, which values do not promise
//! (`1` and `1.0`); a total order of rows relies on that.

use std::collections::BTreeMap;

use crate::base::{ColumnId, ColumnSet, ElementKind};
use crate::op::{ElementColumns, KnownKinds, Op};
use crate::plan::Plan;

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
        for (column, kind) in op.made_kinds(&KnownKinds::new(&kinds)) {
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
