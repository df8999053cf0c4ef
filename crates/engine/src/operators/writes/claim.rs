//! `Claim`: a number for the key of each row, which the transaction claims.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use millrace_model::{Batch, Column, Result};
use millrace_plan::{Name, op};
use millrace_store::key_hash::hash_row;
use rustc_hash::{FxHashSet, FxHasher};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::Exprs;
use crate::pipeline::{Completing, Keep, WholeWrite};
use crate::run::Run;

/// The number of vertices with labels and values of keys, by the hash of the values.
pub(super) fn vertices_number(labels: &[Name], keys: &[Name], values: u64) -> u64 {
    let mut hasher = FxHasher::default();
    (labels, keys, values).hash(&mut hasher);
    hasher.finish()
}

pub(crate) struct Claim {
    labels: Vec<Name>,
    keys: Vec<Name>,
    values: Exprs,
    keep: Keep,
}

impl WholeWrite for Claim {
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        let transaction = run.context.transaction()?;
        let values = self.values.evaluate(&batch, run)?;
        let values: Vec<Arc<Column>> =
            values.into_iter().map(|value| value.into_column(batch.len)).collect();
        let values: Vec<&Column> = values.iter().map(|column| &**column).collect();
        let hashes = (0..batch.len).filter_map(|row| hash_row(&values, row));
        let distinct: FxHashSet<u64> = hashes.collect();
        for hash in distinct {
            transaction.claim(vertices_number(&self.labels, &self.keys, hash));
        }
        Ok(self.keep.same(batch))
    }
}

impl Compile for op::Claim {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let values = compiler.exprs(place.layout, &self.values)?;
        let (labels, keys) = (self.labels.clone(), self.keys.clone());
        Ok((Box::new(Completing::new(Claim { labels, keys, values, keep })), after))
    }
}
