//! `Union`: rows of all branches, branch by branch; opens no scope.
//!
//! A branch runs once, for all rows that entered it, so that its barriers see them all; the input
//! is collected for that. In a scope that no row entered, a branch yields nothing, not even a count
//! of nothing.

use std::sync::Arc;

use millrace_model::{Batch, Column, Result};
use millrace_plan::{ColumnId, Pipeline as Subplan, UnionPick, op};

use crate::compile::{Compile, Compiled, Compiler, Goal, Place, Placed, Purpose, keep, live_in};
use crate::expressions::{Exprs, selected};
use crate::pipeline::{Keep, Operator, Pipeline, Scopes, Upstream};
use crate::rows::nulls;
use crate::run::{Charge, Run};

/// A branch: its pipeline, the columns its rows start with, and where its columns go.
pub(crate) struct Branch {
    pub(crate) pipeline: Pipeline,
    pub(crate) enter: Keep,
    /// For each column of the union, the branch's slot; `None`: null.
    pub(crate) slots: Vec<Option<usize>>,
}

pub(crate) struct Union {
    branches: Vec<Branch>,
    /// One condition for each branch, where the first that holds is entered.
    conditions: Option<Exprs>,
    state: State,
    charge: Charge,
    /// Whether all branches run before the first row goes on, as one has an effect.
    to_the_end: bool,
    /// Whether this is a further round of a `Repeat`: the branches keep their state for all rounds.
    again: bool,
}

enum State {
    Waiting,
    In(usize),
    Collected(std::collections::VecDeque<Batch>),
}

impl Union {
    pub(crate) fn new(branches: Vec<Branch>, conditions: Option<Exprs>, to_the_end: bool) -> Union {
        let (state, charge) = (State::Waiting, Charge::default());
        Union { branches, conditions, state, charge, to_the_end, again: false }
    }

    /// Collects the input and hands each branch its rows.
    fn enter(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<()> {
        let scoped = 1 < input.scopes().bound();
        let mut entered: Vec<Vec<Batch>> = self.branches.iter().map(|_| Vec::new()).collect();
        while let Some(batch) = input.next(run)? {
            self.charge.hold(&batch, run)?;
            match &self.conditions {
                None => {
                    for (branch, entered) in self.branches.iter().zip(&mut entered) {
                        entered.push(branch.enter.same(batch.clone()));
                    }
                }
                Some(conditions) => self.pick(conditions, batch, &mut entered, run)?,
            }
        }
        for (branch, batches) in self.branches.iter_mut().zip(entered) {
            let scopes = entered_scopes(&batches, scoped);
            if self.again {
                branch.pipeline.begin_round(batches, scopes, run);
            } else {
                branch.pipeline.begin(batches, scopes, run);
            }
        }
        Ok(())
    }

    /// Each row into the first branch with a condition that holds; later conditions are not evaluated.
    fn pick(
        &self,
        conditions: &Exprs,
        batch: Batch,
        entered: &mut [Vec<Batch>],
        run: &Run<'_>,
    ) -> Result<()> {
        let mut open = batch;
        for (index, (branch, entered)) in self.branches.iter().zip(entered).enumerate() {
            if open.len == 0 {
                break;
            }
            let rows = selected(&conditions.evaluate_at(index, &open, run)?, open.len)?;
            entered.push(branch.enter.take(&open, &rows));
            let mut taken = rows.iter().peekable();
            let rest: Vec<u32> =
                (0..open.len as u32).filter(|row| taken.next_if_eq(&row).is_none()).collect();
            open = open.take(&rest);
        }
        Ok(())
    }

    fn next_of(&mut self, number: usize, run: &Run<'_>) -> Result<Option<Batch>> {
        let branch = &mut self.branches[number];
        let Some(batch) = branch.pipeline.next(run)? else { return Ok(None) };
        let column = |slot: &Option<usize>| match slot {
            Some(slot) => batch.columns[*slot].clone(),
            None => Arc::new(nulls(batch.len)),
        };
        let columns: Vec<Arc<Column>> = branch.slots.iter().map(column).collect();
        Ok(Some(Batch { columns, ..batch }))
    }
}

pub(super) fn entered_scopes(batches: &[Batch], scoped: bool) -> Scopes {
    if !scoped {
        return Scopes::First(u32::from(batches.iter().any(|batch| 0 < batch.len)));
    }
    let rows = batches.iter().flat_map(|batch| (0..batch.len).map(|row| batch.ordinal(row)));
    let mut ordinals: Vec<u32> = rows.collect();
    ordinals.sort_unstable();
    ordinals.dedup();
    Scopes::Entered(Arc::new(ordinals))
}

impl Operator for Union {
    fn begin(&mut self, run: &Run<'_>) {
        self.state = State::Waiting;
        self.charge.release(run);
        self.again = false;
    }

    fn begin_round(&mut self, run: &Run<'_>) {
        self.begin(run);
        self.again = true;
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        if matches!(self.state, State::Waiting) {
            self.enter(input, run)?;
            self.state = State::In(0);
            if self.to_the_end {
                let mut collected = std::collections::VecDeque::new();
                for number in 0..self.branches.len() {
                    while let Some(batch) = self.next_of(number, run)? {
                        self.charge.hold(&batch, run)?;
                        collected.push_back(batch);
                    }
                }
                self.state = State::Collected(collected);
            }
        }
        loop {
            let number = match &mut self.state {
                State::Collected(batches) => return Ok(batches.pop_front()),
                State::In(number) => *number,
                State::Waiting => unreachable!("entered above"),
            };
            if number == self.branches.len() {
                return Ok(None);
            }
            match self.next_of(number, run)? {
                Some(batch) => return Ok(Some(batch)),
                None => self.state = State::In(number + 1),
            }
        }
    }

    fn inner(&self) -> Vec<&Pipeline> {
        self.branches.iter().map(|branch| &branch.pipeline).collect()
    }
}

impl Compile for op::Union {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let conditions = match &self.pick {
            UnionPick::All => None,
            UnionPick::First(conditions) => Some(compiler.exprs(place.layout, conditions)?),
        };
        let (_, mut after) = place.keep();
        for column in self.branches.iter().flat_map(Subplan::made_columns) {
            if place.live.contains(&column) && !after.contains(&column) {
                after.push(column);
            }
        }
        let purpose = if place.size.is_collected() { Purpose::Collected } else { Purpose::Pulled };
        let mut compiled = Vec::new();
        for (branch, order) in self.branches.iter().zip(place.inside) {
            let goal = Goal { in_round: place.in_round, ..Goal::new(place.live, order, purpose) };
            let (enter, layout) = keep(place.layout, &live_in(&branch.ops, place.live));
            let Compiled { pipeline, layout } = compiler.pipeline(&branch.ops, layout, &goal)?;
            let slot = |column: &ColumnId| layout.iter().position(|known| known == column);
            let slots = after.iter().map(slot).collect();
            compiled.push(Branch { pipeline, enter, slots });
        }
        let to_the_end = self.branches.iter().any(Subplan::has_effect);
        Ok((Box::new(Union::new(compiled, conditions, to_the_end)), after))
    }
}
