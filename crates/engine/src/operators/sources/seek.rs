//! `Seek`: each row, once for every element with keys equal to the values and the last key in
//! a range.
//!
//! An index over all keys answers; else one over some of them gives candidates whose other keys
//! are compared, hashed where they are many (`candidates`); else one scan serves all rows, of as many batches as may be collected. Values compare
//! by the order's equality (1 = 1.0) in each of the three, and null finds nothing. Each distinct
//! combination of values is asked for once, whatever number of rows wants it.

mod access;
mod candidates;
mod finder;
mod usable;

use std::sync::Arc;

use millrace_model::{Batch, Column, EdgeId, Error, Result, VertexId};
use millrace_plan::{op, op::Facts};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::{Exprs, Operand};
use crate::limits;
use crate::pipeline::{Deferred, Keep, Operator, Upstream, add};
use crate::rows::{Collector, row};
use crate::run::{Charge, Run};
pub(crate) use access::{Access, OR_INDEX};
use candidates::first_of_each;
pub(super) use finder::gather;
pub(crate) use finder::{Finder, SeekOwner};
pub(crate) use usable::{Asked, Bounds, Found, Usable, index_name};

pub(crate) struct Seek {
    finder: Finder,
    values: Exprs,
    keep: Keep,
    to: bool,
    deferred: Deferred,
    input: Input,
    pending: Option<Pending>,
}

/// What is known of the rows that are still to come.
#[derive(Default)]
struct Input {
    ended: bool,
    /// An error behind rows that were collected: they go on first.
    failed: Option<Error>,
    charge: Charge,
}

/// Rows with what was found for them, and the place to go on from.
struct Pending {
    batch: Batch,
    /// The combination of values of each row; `None`: each has its own.
    groups: Option<Vec<u32>>,
    /// Where the elements of each combination begin, and where the last ones end.
    starts: Vec<usize>,
    ids: Vec<u64>,
    row: usize,
    at: usize,
}

impl Seek {
    pub(crate) fn new(finder: Finder, values: Exprs, keep: Keep, to: bool) -> Seek {
        let (deferred, input, pending) = Default::default();
        Seek { finder, values, keep, to, deferred, input, pending }
    }

    /// The next batch; where a look at the graph costs much, with as many rows behind it as may be collected.
    fn pull(&mut self, upstream: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        let input = &mut self.input;
        input.failed.take().map_or(Ok(()), Err)?;
        if input.ended {
            return Ok(None);
        }
        let Some(first) = upstream.next(run)? else { return Ok(None) };
        // One row is a look-up, which must cost little.
        if first.len < 2 || !self.finder.wants_many_rows(run) {
            return Ok(Some(first));
        }
        let rows_max = run.context.guard().batch_rows(limits::COLLECTED_ROWS_MAX);
        input.charge.release(run);
        input.charge.hold(&first, run)?;
        let mut rows = Collector::starting_with(first);
        while rows.len() < rows_max {
            match upstream.next(run) {
                Ok(Some(batch)) => {
                    input.charge.hold(&batch, run)?;
                    rows.push(batch);
                }
                Ok(None) => {
                    input.ended = true;
                    break;
                }
                Err(error) => {
                    input.failed = Some(error);
                    break;
                }
            }
        }
        Ok(Some(rows.finish(0)))
    }

    /// Asks for each distinct combination of values.
    fn find(&mut self, batch: Batch, values: Vec<Operand>, run: &Run<'_>) -> Result<Pending> {
        let len = batch.len;
        let constant = values.iter().all(|value| matches!(value, Operand::Constant(_)));
        let columns = |len: usize| values.into_iter().map(move |value| value.into_column(len));
        let (columns, groups, count) = if constant {
            (columns(1).collect(), Some(vec![0; len]), 1)
        } else {
            let columns: Vec<Arc<Column>> = columns(len).collect();
            let own: Vec<&Column> = columns.iter().map(|column| &**column).collect();
            let (groups, firsts) = first_of_each(&own, len);
            match firsts.len() == len {
                true => (columns, None, len),
                false => {
                    let taken = columns.iter().map(|column| Arc::new(column.take(&firsts)));
                    (taken.collect(), Some(groups), firsts.len())
                }
            }
        };
        let columns: Vec<&Column> = columns.iter().map(|column| &**column).collect();
        let (rows, ids) = self.finder.find(&columns, count, run)?;
        let mut starts = vec![0; count + 1];
        rows.iter().for_each(|&row| starts[row as usize + 1] += 1);
        for place in 0..count {
            starts[place + 1] += starts[place];
        }
        Ok(Pending { batch, groups, starts, ids, row: 0, at: 0 })
    }

    fn emit(&self, pending: &mut Pending, run: &Run<'_>) -> Batch {
        let rows_max = run.context.guard().batch_rows(limits::COLLECTED_ROWS_MAX);
        let (mut rows, mut ids) = (Vec::new(), Vec::new());
        while pending.row < pending.batch.len && rows.len() < rows_max {
            let group =
                pending.groups.as_ref().map_or(pending.row, |all| all[pending.row] as usize);
            let found = &pending.ids[pending.starts[group]..pending.starts[group + 1]];
            let end = found.len().min(pending.at + rows_max - rows.len());
            rows.resize(rows.len() + end - pending.at, row(pending.row));
            ids.extend_from_slice(&found[pending.at..end]);
            pending.at = end;
            if end == found.len() {
                (pending.row, pending.at) = (pending.row + 1, 0);
            }
        }
        let mut result = self.keep.take(&pending.batch, &rows);
        if self.to {
            let column = if self.finder.finds_edges() {
                Column::edges(ids.into_iter().map(EdgeId).collect())
            } else {
                Column::vertices(ids.into_iter().map(VertexId).collect())
            };
            add(&mut result, column);
        }
        result
    }
}

impl Operator for Seek {
    fn begin(&mut self, run: &Run<'_>) {
        self.deferred.begin();
        self.finder.begin(run);
        self.input.charge.release(run);
        self.input.ended = false;
        self.input.failed = None;
        self.pending = None;
    }

    fn used(&self, label: &str) -> Option<String> {
        self.finder.access.borrow().of_seek(label)
    }

    fn forget_used(&self) {
        self.finder.access.take();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if let Some(mut pending) = self.pending.take() {
                let result = self.emit(&mut pending, run);
                self.pending = Some(pending).filter(|pending| pending.row < pending.batch.len);
                if 0 < result.len {
                    return Ok(Some(result));
                }
                continue;
            }
            self.input.charge.release(run);
            self.finder.release(run);
            self.deferred.raise()?;
            let Some(batch) = self.pull(input, run)? else { return Ok(None) };
            let (batch, values) =
                self.deferred.evaluate(batch, |batch| self.values.evaluate(batch, run))?;
            self.pending = Some(self.find(batch, values, run)?);
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
