//! `ExpandInto`: each row, once for every edge between two of its vertices, in the order of a list.

use millrace_model::{Batch, Column, Result};
use millrace_plan::op;

use super::Compile;
use super::between::Between;
use super::create::both_ends;
use super::keep::{Keep, add};
use super::neighbours::Walk;
use crate::names::EdgeTypes;
use crate::pipeline::{Operator, Upstream};
use crate::prepare::{Compiler, Place, Placed};
use crate::run::Run;

pub(crate) struct ExpandInto {
    from: usize,
    into: usize,
    walk: Walk,
    /// Whether the edge is read later.
    edge: bool,
    keep: Keep,
}

impl ExpandInto {
    fn join(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Option<Batch>> {
        let (bound, sources, targets) = both_ends(batch, self.from, self.into)?;
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(None) };
        let found = Between::find(walk, run.context, (&sources, &targets), self.edge)?;
        let rows: Vec<u32> = found.places.iter().map(|&place| bound[place as usize]).collect();
        if rows.is_empty() {
            return Ok(None);
        }
        let mut result = self.keep.take(batch, &rows);
        if self.edge {
            add(&mut result, Column::edges(found.edges));
        }
        Ok(Some(result))
    }
}

impl Operator for ExpandInto {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        while let Some(batch) = input.next(run)? {
            if let Some(result) = self.join(&batch, run)? {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }
}

impl Compile for op::ExpandInto {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [edge]) = place.keep_and([self.edge]);
        let walk = Walk::new(EdgeTypes::new(self.types.as_deref()), self.direction, self.loops);
        let from = compiler.slot(place.layout, self.from)?;
        let into = compiler.slot(place.layout, self.into)?;
        Ok((Box::new(ExpandInto { from, into, walk, edge, keep }), after))
    }
}
