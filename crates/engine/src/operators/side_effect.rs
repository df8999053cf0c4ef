//! `SideEffect`: adds a value of every row to a named collection, all rows before one goes on.

use millrace_model::{Batch, Result};
use millrace_plan::Name;

use super::keep::Keep;
use super::whole::Whole;
use crate::expressions::Exprs;
use crate::pipeline::Upstream;
use crate::rows::{Collector, batch_bytes};
use crate::run::{Charge, Run};
use crate::side_effects::Collection;

pub(crate) struct SideEffect {
    name: Name,
    value: Exprs,
    keep: Keep,
}

impl SideEffect {
    pub(crate) fn new(name: Name, value: Exprs, keep: Keep) -> SideEffect {
        SideEffect { name, value, keep }
    }
}

impl Whole for SideEffect {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let mut collector = Collector::default();
        let mut values = Vec::new();
        while let Some(batch) = input.next(run)? {
            values.push(self.value.evaluate_one(&batch, run)?.into_column(batch.len));
            charge.grow(batch_bytes(&batch), run)?;
            collector.push(self.keep.same(batch));
        }
        // Only now, so that a set test further up has seen none of them.
        let mut collections = run.side_effects().borrow_mut();
        let space = run.context.graph().id_space();
        let collection =
            collections.entry(self.name.clone()).or_insert_with(|| Collection::new(space));
        let before = collection.bytes();
        values.iter().for_each(|column| collection.add(column));
        run.charge(collection.bytes() - before)?;
        Ok(collector.finish(self.keep.0.len()))
    }
}
