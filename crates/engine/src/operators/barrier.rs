//! `Barrier`: collects its scope; with merge, rows identical on the columns become one.
//!
//! A merged row stands where the first of its rows stood; only the merged columns go on.

use std::sync::Arc;

use millrace_model::{Batch, Result};

use super::keep::Keep;
use super::whole::Whole;
use crate::pipeline::Upstream;
use crate::rows::{Collector, Groups, batch_bytes, by_ordinal, overflow};
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
        let mut weights: Vec<u64> = Vec::new();
        while let Some(batch) = input.next(run)? {
            known.assign(&batch, columns, &mut groups);
            let mut fresh = Vec::new();
            for (row, &group) in groups.iter().enumerate() {
                if weights.len() == group as usize {
                    weights.push(0);
                    fresh.push(row as u32);
                }
                let sum = &mut weights[group as usize];
                *sum = sum.checked_add(batch.weight(row)).ok_or_else(overflow)?;
            }
            if !fresh.is_empty() {
                let firsts = Batch { weights: None, ..self.keep.take(&batch, &fresh) };
                charge.grow(batch_bytes(&firsts) + fresh.len() as u64 * 48, run)?;
                collector.push(firsts);
            }
        }
        let mut batch = collector.finish(self.keep.0.len());
        if 0 < batch.len {
            batch.weights = Some(Arc::new(weights));
        }
        Ok(by_ordinal(batch))
    }
}
