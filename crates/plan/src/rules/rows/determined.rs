//! Columns that others determine, as far as samples say: where each vertex with a label has exactly one edge of a type,
//! the vertex at its other end follows from it.
//!
//! Rows that are distinct on columns are distinct on those that determine them. That is no proof, so only a gain may
//! be judged by it.

use std::collections::BTreeMap;

use millrace_model::Direction;

use crate::base::{ColumnId, ColumnSet, Name};
use crate::op::{self, Op, OwnerName, ScanSource};
use crate::plan::{Hints, Plan};
use crate::rules::{label_of, parts};

/// What columns of a plan determine.
#[derive(Default)]
pub(super) struct Determined {
    /// A column, and one that follows from it.
    steps: Vec<(ColumnId, ColumnId)>,
}

impl Determined {
    pub(super) fn of(plan: &Plan) -> Determined {
        let mut determined = Determined::default();
        if plan.hints.degrees.is_empty() {
            return determined;
        }
        let pipelines = || plan.lets.iter().map(|binding| &binding.pipeline).chain([&plan.root]);
        let mut labels: BTreeMap<ColumnId, Vec<Name>> = BTreeMap::new();
        for pipeline in pipelines() {
            pipeline.visit_ops(&mut |op| {
                for (column, label) in labels_of(op) {
                    labels.entry(column).or_default().push(label.clone());
                }
            });
        }
        for pipeline in pipelines() {
            pipeline.visit_ops(&mut |op| determined.add(op, &labels, &plan.hints));
        }
        determined
    }

    fn add(&mut self, op: &Op, labels: &BTreeMap<ColumnId, Vec<Name>>, hints: &Hints) {
        let Op::Expand(op::Expand { from, types: Some(types), direction, to: Some(to), .. }) = op
        else {
            return;
        };
        let ([edge_type], Some(back)) = (types.as_slice(), opposite(*direction)) else { return };
        let has_one = |column: &ColumnId, direction| {
            let mut own = labels.get(column).into_iter().flatten();
            own.any(|label| hints.has_one(label, edge_type, direction))
        };
        self.steps.extend(has_one(from, *direction).then_some((*from, *to)));
        self.steps.extend(has_one(to, back).then_some((*to, *from)));
    }

    /// The columns, and all that follow from them.
    pub(super) fn closure(&self, columns: &ColumnSet) -> ColumnSet {
        let mut closure = columns.clone();
        loop {
            let before = closure.len();
            for (known, follows) in &self.steps {
                if closure.contains(known) {
                    closure.insert(*follows);
                }
            }
            if closure.len() == before {
                return closure;
            }
        }
    }
}

fn opposite(direction: Direction) -> Option<Direction> {
    match direction {
        Direction::Out => Some(Direction::In),
        Direction::In => Some(Direction::Out),
        Direction::Both => None,
    }
}

/// The labels that an operator finds or tests vertices by.
fn labels_of(op: &Op) -> Vec<(ColumnId, &Name)> {
    if let Op::Scan(op::Scan { source: ScanSource::Vertices(Some(label)), to })
    | Op::Seek(op::Seek { owner: OwnerName::Label(label), to, .. }) = op
    {
        return vec![(*to, label)];
    }
    let Op::Filter(op::Filter { predicate }) = op else { return Vec::new() };
    parts(predicate).iter().filter_map(label_of).collect()
}
