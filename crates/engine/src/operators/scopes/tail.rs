//! `Tail`: the last rows of each scope, by weight; the row on the edge is split.

use std::sync::Arc;

use millrace_model::{Batch, Result};
use millrace_plan::op;

use super::row_count::CompiledRowCount;
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::pipeline::{Completing, Keep, Upstream, Whole};
use crate::run::{Charge, Run};

pub(crate) struct Tail {
    count: CompiledRowCount,
    keep: Keep,
}

impl Tail {
    /// From the end: each scope takes weight until it has enough.
    fn cut(&self, count: u64, batch: &Batch) -> Batch {
        let mut wanted: Vec<u64> = Vec::new();
        let (mut rows, mut weights) = (Vec::new(), Vec::new());
        for row in (0..batch.len).rev() {
            let scope = batch.ordinal(row) as usize;
            if wanted.len() <= scope {
                wanted.resize(scope + 1, count);
            }
            let taken = batch.weight(row).min(wanted[scope]);
            wanted[scope] -= taken;
            if 0 < taken {
                rows.push(row as u32);
                weights.push(taken);
            }
        }
        rows.reverse();
        weights.reverse();
        let weights = batch.weights.is_some().then(|| Arc::new(weights));
        Batch { weights, ..self.keep.take(batch, &rows) }
    }
}

impl Whole for Tail {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let count = self.count.get(input, run)?;
        let Some(batch) = input.read_all(charge, run)? else { return Ok(Batch::default()) };
        Ok(self.cut(count, &batch))
    }
}

impl Compile for op::Tail {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let count = CompiledRowCount::compile(&self.count, compiler)?;
        Ok((Box::new(Completing::new(Tail { count, keep })), after))
    }
}
