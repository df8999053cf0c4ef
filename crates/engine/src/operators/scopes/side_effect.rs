//! `SideEffect`: adds a value of every row to a named collection, all rows before one goes on.

use millrace_model::{Batch, Result};
use millrace_plan::{Name, SideFold, op};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::Exprs;
use crate::limits::COLLECTED_SLICE_ROWS;
use crate::pipeline::{Completing, Keep, Upstream, Whole};
use crate::rows::slices;
use crate::run::{Charge, Collection, Run};

pub(crate) struct SideEffect {
    name: Name,
    value: Exprs,
    /// How the added values are listed, if an operator looks them up.
    listed: Option<SideFold>,
    keep: Keep,
}

impl Whole for SideEffect {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        // All of it first: a set test further up must see none of the added values.
        let Some(batch) = input.read_scopes(charge, run)? else { return Ok(Batch::default()) };
        let mut collections = run.side_effects().borrow_mut();
        let space = run.context.graph().id_space();
        let collection =
            collections.entry(self.name.clone()).or_insert_with(|| Collection::new(space));
        for rows in slices(batch.len, COLLECTED_SLICE_ROWS) {
            let some = if rows.len() == batch.len { batch.clone() } else { batch.take(&rows) };
            let values = self.value.evaluate_one(&some, run)?.into_column(some.len);
            let before = collection.bytes();
            if let Some(fold) = self.listed {
                collection.list(&some, &values, fold);
            }
            collection.add(&values);
            run.charge(collection.bytes() - before)?;
        }
        Ok(self.keep.same(batch))
    }
}

impl Compile for op::SideEffect {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let value = compiler.exprs(place.layout, [&self.value])?;
        let listed = compiler.looked_up.contains(&self.name).then_some(self.fold);
        let collecting = SideEffect { name: self.name.clone(), value, listed, keep };
        Ok((Box::new(Completing::new(collecting)), after))
    }
}
