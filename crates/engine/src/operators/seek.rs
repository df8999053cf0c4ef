//! `Seek`: each row, once for every element with keys equal to the values and the last key in
//! a range.
//!
//! An index over all keys answers; else one over some of them gives candidates whose other keys
//! are compared; else one scan serves all rows of the batch. Values compare by the order's
//! equality (1 = 1.0) in each of the three, and null finds nothing.

mod access;
mod finder;
mod usable;

use millrace_model::{Batch, Column, EdgeId, Result, VertexId};
use millrace_plan::{op, op::Facts};

use super::Compile;
use super::deferred::Deferred;
use super::keep::{Keep, add};
use crate::expressions::Exprs;
use crate::pipeline::{Operator, Upstream};
use crate::prepare::{Compiler, Place, Placed};
use crate::run::Run;
pub(crate) use access::{Access, OR_INDEX};
pub(crate) use finder::{Finder, SeekOwner};
pub(crate) use usable::{Asked, Bounds, Found, Usable};

pub(crate) struct Seek {
    finder: Finder,
    values: Exprs,
    keep: Keep,
    to: bool,
    deferred: Deferred,
}

impl Seek {
    pub(crate) fn new(finder: Finder, values: Exprs, keep: Keep, to: bool) -> Seek {
        Seek { finder, values, keep, to, deferred: Deferred::default() }
    }
}

impl Operator for Seek {
    fn begin(&mut self, _run: &Run<'_>) {
        self.deferred.begin();
    }

    fn used(&self, label: &str) -> Option<String> {
        self.finder.access.of_seek(label)
    }

    fn forget_used(&mut self) {
        self.finder.access = Access::default();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            self.deferred.raise()?;
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let (batch, values) =
                self.deferred.evaluate(batch, |batch| self.values.evaluate(batch, run))?;
            let len = batch.len;
            let values: Vec<_> = values.into_iter().map(|value| value.into_column(len)).collect();
            let values: Vec<&Column> = values.iter().map(|column| &**column).collect();
            let (rows, ids) = self.finder.find(&values, len, run)?;
            if rows.is_empty() {
                continue;
            }
            let mut result = self.keep.take(&batch, &rows);
            if self.to {
                let column = if self.finder.finds_edges() {
                    Column::edges(ids.into_iter().map(EdgeId).collect())
                } else {
                    Column::vertices(ids.into_iter().map(VertexId).collect())
                };
                add(&mut result, column);
            }
            return Ok(Some(result));
        }
    }
}

impl Compile for op::Seek {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let finder = Finder::new(SeekOwner::new(&self.owner), &self.keys);
        let finder = finder.with_range(self.range.as_ref());
        let values = compiler.exprs(place.layout, self.exprs())?;
        Ok((Box::new(Seek::new(finder, values, keep, to)), after))
    }
}
