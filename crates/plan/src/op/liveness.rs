//! Which columns are read after each operator: a backward pass (docs/design/algebra.md, section 3).
//!
//! A subplan of an `Apply` ends with the columns that the Apply keeps of its rows. The outer row's own
//! columns are *not* live at that end: they come back from the outer row, not through the subplan.

use millrace_model::query_limits;

use crate::base::ColumnSet;
use crate::op::{Op, Pipeline, Repeat};

/// The columns read later, along one pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineLiveness {
    /// Live before its first operator: in a subplan, the columns it reads of the outer rows.
    pub before: ColumnSet,
    /// Live after each operator.
    pub after: Vec<ColumnSet>,
    /// The same for the subplans of each operator.
    pub inside: Vec<Vec<PipelineLiveness>>,
}

/// Counts work on a plan: operators times columns, asked again by each rule. Ends the planning where the time of its
/// query is up.
pub(crate) fn count_work(units: usize) {
    if let Err(error) = query_limits::step(units as u64) {
        query_limits::stop(error);
    }
}

/// The columns read later in a pipeline, where these are live at its end.
pub(crate) fn pipeline_liveness(pipeline: &Pipeline, live_at_end: ColumnSet) -> PipelineLiveness {
    let mut live = live_at_end;
    let (mut after, mut inside) = (Vec::new(), Vec::new());
    for op in pipeline.ops.iter().rev() {
        count_work(live.len());
        let ends = op.subplans().iter().enumerate();
        let subplans: Vec<_> = ends
            .map(|(number, sub)| pipeline_liveness(sub, op.live_at_end_of_subplan(number, &live)))
            .collect();
        let before = live_before(op, &live, &subplans);
        after.push(std::mem::replace(&mut live, before));
        inside.push(subplans);
    }
    after.reverse();
    inside.reverse();
    PipelineLiveness { before: live, after, inside }
}

/// A round ends with the columns that the next one, the tests or the operators behind read: a fixpoint.
fn body_liveness(repeat: &Repeat, after: &ColumnSet) -> PipelineLiveness {
    let mut live = after | &repeat.read_by_tests();
    loop {
        let body = pipeline_liveness(&repeat.body, repeat.next_of(&live));
        if body.before.is_subset(&live) {
            return body;
        }
        live.extend(&body.before);
    }
}

/// The columns of a repeat's rows that are read: behind it, by its tests or by a round.
pub fn live_in_rounds(repeat: &Repeat, after: &ColumnSet) -> ColumnSet {
    let mut live = after | &repeat.read_by_tests();
    live.extend(body_liveness(repeat, after).before);
    live
}

fn live_before(op: &Op, after: &ColumnSet, subplans: &[PipelineLiveness]) -> ColumnSet {
    let mut live = op.live_through(after);
    live.extend(op.read_of_input());
    if op.subplans_see_rows() {
        live.extend(subplans.iter().flat_map(|sub| &sub.before));
    }
    live
}
