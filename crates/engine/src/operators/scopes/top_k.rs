//! `TopK`: the first rows of each scope, by weight, in order, holding not much more than those.
//!
//! Rows are collected until there are enough to be worth sorting; then those that cannot win are
//! forgotten. Later rows lose ties against earlier ones, so forgetting keeps the order stable. If none are wanted,
//! it asks for none, but for an effect further up. Where the rows come in its order, it asks for no more than it wants.

use std::sync::Arc;

use millrace_model::{Batch, Result, Value};
use millrace_plan::op;

use super::range::take_weight;
use super::row_count::CompiledRowCount;
use super::sort::SortKeys;
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::bug;
use crate::limits;
use crate::pipeline::{Completing, FirstRows, Keep, Part, RowOrder, Shared, Upstream, Whole};
use crate::rows::{Collector, batch_bytes};
use crate::run::{Charge, Run};

pub(crate) struct TopK {
    count: CompiledRowCount,
    keys: SortKeys,
    keep: Keep,
    after_effect: bool,
    row_order: Option<Arc<RowOrder>>,
    shared: Option<Shared>,
}

impl TopK {
    pub(crate) fn new(
        count: CompiledRowCount,
        keys: SortKeys,
        keep: Keep,
        after_effect: bool,
    ) -> TopK {
        TopK { count, keys, keep, after_effect, row_order: None, shared: None }
    }

    /// The same behind a source that may give the rows in the order of the first key.
    pub(crate) fn behind(self, row_order: Option<Arc<RowOrder>>) -> TopK {
        TopK { row_order, ..self }
    }

    fn best(&self, count: u64, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        // Of rows of one scope that each count once, no more than are wanted.
        let is_plain = batch.weights.is_none() && batch.ordinals.is_none();
        let count_max = usize::try_from(count).ok().filter(|_| is_plain);
        let rows = self.keys.first(count_max.unwrap_or(usize::MAX), batch, run)?;
        let mut taken = (0, 0u128);
        let mut best = Vec::new();
        let mut weights = Vec::new();
        for row in rows {
            let (ordinal, weight) = (batch.ordinal(row as usize), batch.weight(row as usize));
            if taken.0 != ordinal {
                taken = (ordinal, 0);
            }
            let part = take_weight(taken.1, weight, 0, Some(count));
            taken.1 += u128::from(weight);
            if 0 < part {
                best.push(row);
                weights.push(part);
            }
        }
        let split = batch.weights.is_some().then(|| Arc::new(weights));
        Ok(Batch { weights: split, ..batch.take(&best) })
    }
}

impl Whole for TopK {
    fn share(&mut self, shared: Shared) {
        self.shared = Some(shared);
    }

    fn part(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Option<Part>> {
        let count = self.count.get(input, run)?;
        let best = self.read(count, input, charge, run)?;
        charge.set(best.as_ref().map_or(0, batch_bytes), run)?;
        Ok(Some(Part::Rows(best.unwrap_or_default())))
    }

    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let count = self.count.get(input, run)?;
        if count == 0 && !self.after_effect {
            return Ok(Batch::default());
        }
        let mut rows = Collector::default();
        FirstRows::ask(self.row_order.as_ref(), count);
        // Each piece keeps as many as are wanted: of very many, the parts would be all rows.
        let shared = self.shared.as_ref().filter(|_| count <= limits::PARALLEL_TOP_K_MAX);
        let is_shared = match shared {
            Some(shared) => shared.run(input, run, &mut |part| {
                let Part::Rows(best) = part else { return Err(bug("rows have parts")) };
                charge.grow(batch_bytes(&best), run)?;
                if 0 < best.len {
                    rows.push(best);
                }
                let most = count.saturating_add(limits::TOP_K_SLACK_ROWS as u64);
                if most < rows.len() as u64 {
                    let best = self.best(count, &rows.finish(0), run)?;
                    charge.set(batch_bytes(&best), run)?;
                    rows.push(best);
                }
                Ok(())
            })?,
            None => false,
        };
        let best = match is_shared {
            true if rows.len() == 0 => None,
            true => Some(self.best(count, &rows.finish(0), run)?),
            false => self.read(count, input, charge, run)?,
        };
        Ok(best.map_or_else(Batch::default, |best| self.keep.same(best)))
    }
}

impl TopK {
    /// The first rows of all; `None` of none.
    fn read(
        &self,
        count: u64,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Option<Batch>> {
        let mut collector = Collector::default();
        let mut best_rows = 0;
        // The key of the last of those that are the first so far: rows that are not before it are none.
        let mut last: Option<Value> = None;
        let mut first = FirstRows::ask(self.row_order.as_ref(), count);
        while let Some(batch) = input.next(run)? {
            if first.take(&batch) {
                (collector, best_rows, last) = (Collector::default(), 0, None);
                charge.release(run);
            }
            let batch = match &last {
                Some(last) => self.keys.before(last, batch, run)?,
                None => batch,
            };
            charge.grow(batch_bytes(&batch), run)?;
            collector.push(batch);
            if first.are_enough() {
                break;
            }
            // Few rows are enough for a first key, by which most of the others are left out.
            let slack =
                if best_rows == 0 { limits::TOP_K_FIRST_ROWS } else { limits::TOP_K_SLACK_ROWS };
            if 2 * best_rows.max(count.min(u32::MAX.into()) as usize) + slack < collector.len() {
                let best = self.best(count, &collector.finish(0), run)?;
                best_rows = best.len;
                charge.set(2 * batch_bytes(&best), run)?;
                last = self.keys.last_of(count, &best, run)?;
                collector.push(best);
            }
        }
        if collector.len() == 0 {
            return Ok(None);
        }
        self.best(count, &collector.finish(0), run).map(Some)
    }
}

impl Compile for op::TopK {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let keys = SortKeys::compile(&self.keys, compiler, place)?;
        let count = CompiledRowCount::compile(&self.count, compiler)?;
        let top = TopK::new(count, keys, keep, place.after_effect);
        let top = top.behind(place.row_order.clone());
        Ok((Box::new(Completing::new(top)), after))
    }
}
