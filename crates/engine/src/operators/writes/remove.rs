//! `Remove`: removes properties, named ones or all.

use std::sync::Arc;

use millrace_model::{Batch, KeyId, Result};
use millrace_plan::op::{self, WriteRules};

use super::property_writes::{Owners, PropertyColumns};
use super::set::removals;
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::Resolved;
use crate::pipeline::{Completing, Keep, WholeWrite};
use crate::rows::nulls;
use crate::run::Run;

pub(crate) struct Remove {
    element: usize,
    /// Which; `None`: all.
    keys: Option<Vec<Resolved<KeyId>>>,
    rules: WriteRules,
    keep: Keep,
}

impl WholeWrite for Remove {
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        let mut owners = Owners::of(&batch.columns[self.element], "Remove")?;
        if self.rules.passes_deleted {
            owners = owners.without_deleted(run)?.0;
        }
        let removed = match &self.keys {
            Some(keys) => {
                let nulls = Arc::new(nulls(batch.len));
                let known = keys.iter().filter_map(|key| key.key(run.context));
                known.map(|key| (key, nulls.clone())).collect()
            }
            None => removals(&owners, &PropertyColumns::new(), batch.len, run)?,
        };
        owners.set(&removed, |_| 1, run.context)?;
        Ok(self.keep.same(batch))
    }
}

impl Compile for op::Remove {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let element = compiler.slot(place.layout, self.element)?;
        let keys = self.keys.as_ref().map(|keys| keys.iter().map(Resolved::new).collect());
        Ok((Box::new(Completing::new(Remove { element, keys, rules: self.rules, keep })), after))
    }
}
