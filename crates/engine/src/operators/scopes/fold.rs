//! `Fold`: the rows of each scope as a bag; an empty one where a scope has no row.

use std::sync::Arc;

use millrace_model::{Bags, Batch, Column, ColumnValues, Result};
use millrace_plan::op;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::pipeline::{Completing, Keep, Upstream, Whole};
use crate::rows::Collector;
use crate::run::{Charge, Run};

pub(crate) struct Fold {
    columns: Keep,
    /// Whether the bag is read later.
    to: bool,
}

impl Whole for Fold {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let rows = match input.read_scopes(charge, run)? {
            Some(rows) => self.columns.same(rows),
            None => Collector::default().finish(self.columns.0.len()),
        };
        let scopes: Vec<u32> = input.scopes().iter().collect();
        let mut views = Vec::with_capacity(scopes.len());
        let mut start = 0;
        for &scope in &scopes {
            let mut end = start;
            while end < rows.len && rows.ordinal(end) == scope {
                end += 1;
            }
            views.push((start as u32, (end - start) as u32));
            start = end;
        }
        let rows = Arc::new(Batch { ordinals: None, ..rows });
        let bags = Column::of(ColumnValues::Bag(Bags { views, rows }));
        let columns = if self.to { vec![Arc::new(bags)] } else { Vec::new() };
        let ordinals = (1 < input.scopes().bound()).then(|| Arc::new(scopes.clone()));
        Ok(Batch { len: scopes.len(), columns, weights: None, ordinals })
    }
}

impl Compile for op::Fold {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let live = place.live.contains(&self.to);
        let columns = Keep(compiler.slots(place.layout, &self.columns)?);
        let fold = Fold { columns, to: live };
        Ok((Box::new(Completing::new(fold)), live.then_some(self.to).into_iter().collect()))
    }
}
