//! The rounds of a `Repeat` of a plan.

use millrace_model::Result;
use millrace_plan::analysis::PipelineOrder;
use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, Repeat as Rounded, RoundTest};

use super::{Repeat, Rounds, Test};
use crate::compile::{Compiled, Compiler, Goal, Purpose, keep};
use crate::expressions::slot_of;
use crate::pipeline::Keep;

impl Compiler<'_> {
    /// The rounds, and the columns of their rows.
    pub(crate) fn rounds(
        &self,
        repeat: &Rounded,
        layout: &[ColumnId],
        live: &ColumnSet,
        inside: &[PipelineOrder],
        to_the_end: bool,
    ) -> Result<(Repeat, Vec<ColumnId>)> {
        let start: Vec<ColumnId> = repeat.columns.iter().map(|carried| carried.from).collect();
        let next: Vec<ColumnId> = repeat.columns.iter().map(|carried| carried.next).collect();
        let carried = repeat.carried();
        let mut inner = carried.clone();
        inner.extend(repeat.rounds);
        let ends: ColumnSet = next.iter().copied().collect();
        let goal = Goal { in_round: true, ..Goal::new(&ends, &inside[0], Purpose::Collected) };
        let test = |test: &Option<RoundTest>| -> Result<Option<Test>> {
            let Some(RoundTest { holds, place }) = test else { return Ok(None) };
            Ok(Some(Test { holds: self.exprs(&inner, [holds])?, place: *place }))
        };
        let rounds = Rounds {
            start: Keep(self.slots(layout, &start)?),
            next: Keep::default(),
            counter: repeat.rounds.is_some(),
            until: test(&repeat.until)?,
            emit: test(&repeat.emit)?,
            times: repeat.times,
            to_the_end,
        };
        let Compiled { pipeline, layout } =
            self.pipeline(&repeat.body.ops, inner.clone(), &goal)?;
        let next = next.iter().map(|&column| slot_of(self.plan, &layout, column));
        let rounds = Rounds { next: Keep(next.collect::<Result<_>>()?), ..rounds };
        let (keep, after) = keep(&carried, live);
        Ok((Repeat::new(pipeline, rounds, keep), after))
    }
}
