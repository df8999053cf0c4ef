//! `Rows` and `LetRef`: each row, once for every row of literal values, of a parameter's batch or of a `Let`.

use std::borrow::Cow;
use std::sync::Arc;

use millrace_model::{Batch, Column, Error, ErrorKind, Result};
use millrace_plan::{LetId, ParameterId, RowsSource, op};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::pipeline::{Keep, Operator, Upstream};
use crate::rows::multiplied;
use crate::run::Run;

/// Where the rows come from.
pub(crate) enum RowsFrom {
    Literal(Batch),
    Parameter(ParameterId),
    Let(LetId),
}

pub(crate) struct Rows {
    from: RowsFrom,
    /// Columns the batch must have.
    width: usize,
    keep: Keep,
    /// Which of the batch's columns are read later.
    live: Vec<usize>,
    pending: Option<(Batch, usize)>,
}

impl Rows {
    pub(super) fn new(from: RowsFrom, width: usize, keep: Keep, live: Vec<usize>) -> Rows {
        Rows { from, width, keep, live, pending: None }
    }

    fn source<'a>(&'a self, run: &'a Run<'_>) -> Result<Cow<'a, Batch>> {
        let batch = match &self.from {
            RowsFrom::Literal(batch) => batch,
            RowsFrom::Parameter(parameter) => run.rows(*parameter)?,
            RowsFrom::Let(id) => return Ok(Cow::Owned(run.bound(*id))),
        };
        if batch.columns.len() != self.width {
            let (found, wanted) = (batch.columns.len(), self.width);
            let detail = format!("rows of {found} columns are bound where {wanted} are wanted");
            return Err(Error::new(ErrorKind::BadQuery, detail));
        }
        Ok(Cow::Borrowed(batch))
    }
}

/// Every row of `listed` for one row of the batch.
fn cross(
    keep: &Keep,
    batch: &Batch,
    row: usize,
    listed: &Batch,
    live: &[usize],
    run: &Run<'_>,
) -> Result<Batch> {
    let mut result = keep.repeat(batch, row, listed.len);
    result.columns.extend(live.iter().map(|&slot| Arc::clone(&listed.columns[slot])));
    if result.weights.is_none() {
        result.weights = listed.weights.clone();
        return Ok(result);
    }
    multiplied(result, listed.weights.as_ref().map(|by| &by[..]), run.context.guard())
}

impl Operator for Rows {
    fn begin(&mut self, _run: &Run<'_>) {
        self.pending = None;
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let (batch, row) = match self.pending.take() {
                Some(pending) => pending,
                None => match input.next(run)? {
                    Some(batch) => (batch, 0),
                    None => return Ok(None),
                },
            };
            let source = self.source(run)?;
            if source.len == 0 {
                continue;
            }
            let result = cross(&self.keep, &batch, row, &source, &self.live, run)?;
            if row + 1 < batch.len {
                self.pending = Some((batch, row + 1));
            }
            return Ok(Some(result));
        }
    }
}

impl Compile for op::Rows {
    fn compile(&self, _compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, mut after) = place.keep();
        let live = (0..self.to.len()).filter(|&slot| place.live.contains(&self.to[slot]));
        let live: Vec<usize> = live.collect();
        after.extend(live.iter().map(|&slot| self.to[slot]));
        let from = match &self.source {
            RowsSource::Parameter(parameter) => RowsFrom::Parameter(*parameter),
            RowsSource::Literal(rows) => {
                let column = |slot: usize| {
                    Arc::new(Column::from_values(rows.iter().map(|row| row[slot].clone())))
                };
                let columns = (0..self.to.len()).map(column).collect();
                RowsFrom::Literal(Batch { len: rows.len(), columns, ..Batch::default() })
            }
        };
        Ok((Box::new(Rows::new(from, self.to.len(), keep, live)), after))
    }
}
