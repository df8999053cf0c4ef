//! `Barrier`: collects its scope; with merge, rows identical on the columns become one.
//!
//! A merged row stands where the first of its rows stood; only the merged columns go on. A sum that
//! exceeds the largest weight becomes several rows, at the same place.

use millrace_model::{Batch, Result};
use millrace_plan::op;

use crate::compile::{Compile, Compiler, Place, Placed, keep};
use crate::pipeline::{Completing, Keep, Upstream, Whole};
use crate::rows::{Collector, Groups, Tally, batch_bytes, by_ordinal};
use crate::run::{Charge, Run};

pub(crate) struct Barrier {
    /// The columns to merge on; `None` is a plain barrier.
    merge: Option<(Vec<usize>, Groups)>,
    keep: Keep,
}

impl Barrier {
    pub(crate) fn new(merge: Option<Vec<usize>>, keep: Keep) -> Barrier {
        let merge = merge.map(|columns| {
            let groups = Groups::new(columns.len());
            (columns, groups)
        });
        Barrier { merge, keep }
    }
}

impl Whole for Barrier {
    fn forget(&mut self) {
        if let Some((_, groups)) = &mut self.merge {
            groups.clear();
        }
    }

    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let Some((columns, known)) = &mut self.merge else {
            let rows = input.read_scopes(charge, run)?;
            return Ok(rows.map(|rows| self.keep.same(rows)).unwrap_or_default());
        };
        let mut collector = Collector::default();
        let mut groups = Vec::new();
        let mut weights = Tally::default();
        while let Some(batch) = input.next(run)? {
            let known_bytes = known.bytes();
            known.assign(&batch, columns, &mut groups);
            let mut fresh = Vec::new();
            for (row, &group) in groups.iter().enumerate() {
                if weights.len() == group as usize {
                    weights.push(0);
                    fresh.push(row as u32);
                }
                weights.add(group as usize, batch.weight(row));
            }
            if !fresh.is_empty() {
                let firsts = Batch { weights: None, ..self.keep.take(&batch, &fresh) };
                let held = known.bytes().saturating_sub(known_bytes) + fresh.len() as u64 * 16;
                charge.grow(batch_bytes(&firsts) + held, run)?;
                collector.push(firsts);
            }
        }
        let mut batch = collector.finish(self.keep.0.len());
        if 0 < batch.len {
            let row_bytes = batch_bytes(&batch).div_ceil(batch.len as u64) + 8;
            let weighed = weights.into_rows(row_bytes, run.context.guard())?;
            if let Some(places) = &weighed.places {
                batch = batch.take(places);
                charge.hold(&batch, run)?;
            }
            batch.weights = Some(weighed.weights.into());
        }
        Ok(by_ordinal(batch))
    }
}

impl Compile for op::Barrier {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let mut live = place.live.clone();
        if let Some(columns) = &self.merge {
            live.retain(|column| columns.contains(column));
        }
        let (keep, after) = keep(place.layout, &live);
        let merge = self.merge.as_ref();
        let merge = merge.map(|columns| compiler.slots(place.layout, columns)).transpose()?;
        Ok((Box::new(Completing::new(Barrier::new(merge, keep))), after))
    }
}
