//! `Group`: a subplan run once, each group of rows being a scope of it.

use std::sync::Arc;

use millrace_model::{Batch, Result};
use millrace_plan::{columns::ColumnSet, op};

use super::apply::{ApplyResult, Regrouped};
use crate::compile::{Compile, Compiled, Compiler, Goal, Place, Placed, Purpose, keep, live_in};
use crate::pipeline::{Completing, Keep, Pipeline, Scopes, Upstream, Whole};
use crate::rows::{Collector, Groups, batch_bytes, by_ordinal, first_rows};
use crate::run::{Charge, Run};

pub(crate) struct Group {
    keys: Vec<usize>,
    sub: Pipeline,
    /// Columns of a row of the sub's end.
    width: usize,
    /// The columns that the sub starts from, and the keys that live on.
    enter: Keep,
    keep: Keep,
    result: ApplyResult,
    /// Whether the sub has random operators: groups are then numbered scope by scope.
    random: bool,
    groups: Groups,
}

impl Group {
    pub(crate) fn new(
        keys: Vec<usize>,
        (sub, width): (Pipeline, usize),
        (enter, keep): (Keep, Keep),
        result: ApplyResult,
        random: bool,
    ) -> Group {
        let groups = Groups::new(keys.len());
        Group { keys, sub, width, enter, keep, result, random, groups }
    }
}

impl Whole for Group {
    fn forget(&mut self) {
        self.groups.clear();
    }

    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let (mut entered, mut firsts) = (Vec::new(), Collector::default());
        let mut of_row = Vec::new();
        let mut whole = match self.random {
            true => input.read_scopes(charge, run)?,
            false => None,
        };
        while let Some(batch) = whole.take().map_or_else(|| input.next(run), |all| Ok(Some(all)))? {
            let (before, known_bytes) = (self.groups.len() as u32, self.groups.bytes());
            self.groups.assign(&batch, &self.keys, &mut of_row);
            let first = batch.take(&first_rows(&of_row, before));
            let mut held = self.groups.bytes().saturating_sub(known_bytes) + batch_bytes(&first);
            firsts.push(first);
            if !self.random {
                held += batch_bytes(&batch);
            }
            charge.grow(held, run)?;
            let ordinals = Some(Arc::new(of_row.clone()));
            entered.push(Batch { ordinals, ..self.enter.same(batch) });
        }
        let count = self.groups.len();
        if count == 0 {
            return Ok(Batch::default());
        }
        let firsts = Batch { weights: None, ..firsts.finish(0) };
        self.sub.begin(entered, Scopes::First(count as u32), run);
        let rows = Regrouped::new(self.sub.read_all(self.width, charge, run)?, count);
        let scope_of: Vec<u32> = (0..count as u32).collect();
        Ok(by_ordinal(self.result.join(&self.keep, &firsts, &scope_of, &rows, run)?))
    }

    fn inner(&self) -> Vec<&Pipeline> {
        vec![&self.sub]
    }
}

impl Compile for op::Group {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let keys = &self.keys;
        let made = self.sub.made_columns().into_iter();
        let live: ColumnSet =
            made.filter(|column| place.live.contains(column) && !keys.contains(column)).collect();
        let (enter, layout) = keep(place.layout, &live_in(&self.sub.ops, &live));
        let goal = Goal::new(&live, &place.inside[0], Purpose::Collected);
        let Compiled { pipeline, layout } = compiler.pipeline(&self.sub.ops, layout, &goal)?;
        let live_keys = place.live & &keys.iter().copied().collect();
        let (kept, mut after) = keep(place.layout, &live_keys);
        let slots: Vec<usize> =
            (0..layout.len()).filter(|&slot| live.contains(&layout[slot])).collect();
        after.extend(slots.iter().map(|&slot| layout[slot]));
        let result = ApplyResult::Flat { optional: false, slots };
        let keys = compiler.slots(place.layout, keys)?;
        let body = (pipeline, layout.len());
        let group = Group::new(keys, body, (enter, kept), result, self.sub.has_effect());
        Ok((Box::new(Completing::new(group)), after))
    }
}
