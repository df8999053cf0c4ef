//! `Call` of a procedure that yields its rows piece by piece: as many wait as one batch has.

use std::sync::Arc;

use millrace_model::{Batch, Column, Result};

use crate::context::{Arguments, Procedure, RowStream};
use crate::expressions::Exprs;
use crate::limits::BATCH_ROWS_MAX;
use crate::pipeline::{Keep, Operator, Upstream, add};
use crate::run::Run;

pub(crate) struct StreamingCall {
    procedure: Arc<dyn Procedure>,
    arguments: Exprs,
    /// Which of the columns it yields are read later.
    yields: Vec<usize>,
    keep: Keep,
    calls: Option<Calls>,
}

/// The calls for the rows of a batch, one after the other.
struct Calls {
    batch: Batch,
    arguments: Vec<Arc<Column>>,
    row: usize,
    /// The rows for this row of the batch, once they have begun.
    stream: Option<Box<dyn RowStream>>,
}

impl StreamingCall {
    pub(super) fn new(
        procedure: Arc<dyn Procedure>,
        arguments: Exprs,
        yields: Vec<usize>,
        keep: Keep,
    ) -> StreamingCall {
        StreamingCall { procedure, arguments, yields, keep, calls: None }
    }

    fn calls(&self, batch: Batch, run: &Run<'_>) -> Result<Calls> {
        let arguments = self.arguments.evaluate(&batch, run)?.into_iter();
        let arguments = arguments.map(|argument| argument.into_column(batch.len)).collect();
        Ok(Calls { batch, arguments, row: 0, stream: None })
    }
}

impl Calls {
    /// The next rows of a call, with the row of the batch that it is for; `None` behind the last.
    fn next(
        &mut self,
        procedure: &dyn Procedure,
        run: &Run<'_>,
    ) -> Result<Option<(usize, Vec<Column>)>> {
        while self.row < self.batch.len {
            let stream = match &mut self.stream {
                Some(stream) => stream,
                None => {
                    let arguments = Arguments { columns: &self.arguments, row: self.row };
                    self.stream.insert(procedure.open(arguments, run.context)?)
                }
            };
            run.context.check()?;
            let rows_max = run.context.guard().batch_rows(BATCH_ROWS_MAX);
            match stream.next(rows_max, run.context)? {
                Some(columns) => return Ok(Some((self.row, columns))),
                None => {
                    self.stream = None;
                    self.row += 1;
                }
            }
        }
        Ok(None)
    }
}

impl Operator for StreamingCall {
    fn begin(&mut self, _run: &Run<'_>) {
        self.calls = None;
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let Some(calls) = &mut self.calls else {
                let Some(batch) = input.next(run)? else { return Ok(None) };
                self.calls = Some(self.calls(batch, run)?);
                continue;
            };
            let Some((row, columns)) = calls.next(&*self.procedure, run)? else {
                self.calls = None;
                continue;
            };
            let len = columns.first().map_or(0, Column::len);
            let mut result = self.keep.repeat(&calls.batch, row, len);
            let mut columns: Vec<Option<Column>> = columns.into_iter().map(Some).collect();
            for &column in &self.yields {
                match columns.get_mut(column).and_then(Option::take) {
                    Some(column) => add(&mut result, column),
                    None => {
                        return Err(crate::expressions::bug("a procedure yielded too few columns"));
                    }
                }
            }
            return Ok(Some(result));
        }
    }
}
