//! `InTransactions`: a subplan for batches of rows, each in a transaction that commits before the next begins.
//!
//! ```text
//!   rows of the outer transaction ──n at a time──> sub, in a transaction of the batch ──commit──> rows
//! ```
//!
//! Rows are read as batches need them, so no more than one batch of them waits. All batches have run before the
//! first row goes on: operators behind it read the graph as the last batch left it. The engine commits nothing:
//! [`BatchTransactions`] begins a transaction, commits it, and runs a batch again after a write conflict.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::{Batch, Column, Error, ErrorKind, Result, Value};
use millrace_plan::op::OnBatchError;
use millrace_plan::{ColumnId, op};
use millrace_store::non_blocking;

use crate::compile::{Compile, Compiled, Compiler, Goal, Place, Placed, Purpose, keep, live_in};
use crate::context::BatchTransactions;
use crate::operators::scopes::row_count::CompiledRowCount;
use crate::pipeline::{Completing, Keep, Pipeline, Scopes, Upstream, Whole};
use crate::rows::{Collector, nulls};
use crate::run::{Charge, Run, single_rows};

pub(crate) struct InTransactions {
    sub: Pipeline,
    /// The columns that the sub starts with.
    enter: Keep,
    /// For each column behind the operator, but for the status, the slot at the sub's end.
    ends: Vec<usize>,
    /// The same of a row without a committed transaction: its slot before the operator, if it was there.
    before: Vec<Option<usize>>,
    rows: CompiledRowCount,
    on_error: OnBatchError,
    /// Whether the status is read.
    has_status: bool,
}

/// What became of the transaction of a batch.
enum Outcome {
    Committed { number: u64, rows: Batch },
    Failed { number: u64, error: Error },
    NotStarted,
}

impl InTransactions {
    /// Runs a batch in a transaction of its own.
    fn run_batch(
        &mut self,
        batch: &Batch,
        transactions: &dyn BatchTransactions,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let mut found = None;
        transactions.run(&mut |transaction| {
            let context = run.context.of_batch(transaction);
            context.takes_values_as(run.compare);
            context.refresh_catalog();
            let inner = run.in_context(&context);
            let source = self.enter.same(batch.clone());
            self.sub.begin([source], Scopes::First(1), &inner);
            let mut collector = Collector::default();
            while let Some(rows) = self.sub.next(&inner)? {
                let columns = self.ends.iter().map(|&slot| rows.columns[slot].clone()).collect();
                collector.push(Batch { columns, ..rows });
            }
            context.finish_statement()?;
            found = Some((collector.finish(self.ends.len()), context.write_counts()));
            context.into_transaction().ok_or_else(|| {
                Error::new(ErrorKind::Bug, "the transaction of a batch is not there any more")
            })
        })?;
        let (rows, counts) = found.unwrap_or_default();
        run.context.count_writes(counts);
        Ok(rows)
    }

    /// The rows of a batch behind the operator.
    fn result(&self, batch: &Batch, outcome: Outcome) -> Batch {
        let status = self.has_status.then(|| outcome.status());
        let mut rows = match outcome {
            Outcome::Committed { rows, .. } => rows,
            Outcome::Failed { .. } | Outcome::NotStarted => {
                let none = Arc::new(nulls(batch.len));
                let column = |slot: &Option<usize>| match slot {
                    Some(slot) => batch.columns[*slot].clone(),
                    None => Arc::clone(&none),
                };
                Batch { columns: self.before.iter().map(column).collect(), ..batch.clone() }
            }
        };
        if let Some(status) = status {
            let statuses = std::iter::repeat_n(status, rows.len);
            rows.columns.push(Arc::new(Column::from_values(statuses)));
        }
        rows
    }
}

impl Outcome {
    fn status(&self) -> Value {
        let (number, error) = match self {
            Outcome::Committed { number, .. } => (Some(number), None),
            Outcome::Failed { number, error } => (Some(number), Some(error)),
            Outcome::NotStarted => (None, None),
        };
        let text = |text: Option<String>| text.map_or(Value::Null, |text| Value::from(&*text));
        let id = text(number.map(|number| format!("transaction-{number}")));
        let committed = matches!(self, Outcome::Committed { .. });
        let pairs = [
            ("started", Value::Bool(number.is_some())),
            ("committed", Value::Bool(committed)),
            ("transactionId", id),
            ("errorMessage", text(error.map(ToString::to_string))),
        ];
        Value::map(pairs.map(|(key, value)| (Value::from(key), value)).into())
    }
}

impl Whole for InTransactions {
    fn inner(&self) -> Vec<&Pipeline> {
        vec![&self.sub]
    }

    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        // What was committed cannot be begun anew on another thread.
        non_blocking::would_block()?;
        run.context.transaction()?;
        let transactions = run.context.batch_transactions()?;
        let size = usize::try_from(self.rows.get(input, run)?).unwrap_or(usize::MAX);
        if size == 0 {
            let detail = "a batch of rows in a transaction needs one row or more";
            return Err(Error::new(ErrorKind::BadQuery, detail).with_name("ArgumentError"));
        }
        let mut results = Collector::default();
        let mut has_stopped = false;
        let mut batches = BatchesOf::new(size);
        while let Some(batch) = batches.next(input, run)? {
            run.context.check()?;
            let outcome = match has_stopped {
                true => Outcome::NotStarted,
                false => {
                    let number = next_number();
                    match self.run_batch(&batch, &*transactions, run) {
                        Ok(rows) => Outcome::Committed { number, rows },
                        Err(error) => {
                            if self.on_error == OnBatchError::Fail || ends_plan(&error) {
                                return Err(error);
                            }
                            has_stopped = self.on_error == OnBatchError::Break;
                            Outcome::Failed { number, error }
                        }
                    }
                }
            };
            let rows = self.result(&batch, outcome);
            charge.hold(&rows, run)?;
            results.push(rows);
        }
        run.context.read_from(transactions.snapshot()?);
        Ok(results.finish(0))
    }
}

/// Transactions of batches are numbered in the process.
fn next_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(1);
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

/// Whether an error is one of the whole plan, or of the database, so that no further batch should run.
fn ends_plan(error: &Error) -> bool {
    match error.kind {
        ErrorKind::DeadlineExceeded
        | ErrorKind::Cancelled
        | ErrorKind::Forbidden
        | ErrorKind::ReadOnly
        | ErrorKind::OutcomeUnknown
        | ErrorKind::Unavailable
        | ErrorKind::Corrupt
        | ErrorKind::Io
        | ErrorKind::Bug => true,
        ErrorKind::BadQuery
        | ErrorKind::BadInput
        | ErrorKind::Unsupported
        | ErrorKind::Failed
        | ErrorKind::Constraint
        | ErrorKind::Conflict
        | ErrorKind::NotFound
        | ErrorKind::AlreadyExists
        | ErrorKind::LimitReached => false,
    }
}

/// Single rows in batches of one size, as they are asked for.
struct BatchesOf {
    size: usize,
    /// Rows that were read and are in no batch yet, and how many of the first are in one.
    read: Option<(Batch, usize)>,
}

impl BatchesOf {
    fn new(size: usize) -> BatchesOf {
        BatchesOf { size, read: None }
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        let mut collector = Collector::default();
        while collector.len() < self.size {
            let (rows, from) = match self.read.take() {
                Some(read) => read,
                None => match input.next(run)? {
                    Some(batch) => (single_rows(&batch, run)?, 0),
                    None => break,
                },
            };
            let to = rows.len.min(from + (self.size - collector.len()));
            if (from, to) == (0, rows.len) {
                collector.push(rows);
                continue;
            }
            let taken: Vec<u32> = (from as u32..to as u32).collect();
            collector.push(rows.take(&taken));
            self.read = (to < rows.len).then_some((rows, to));
        }
        Ok((0 < collector.len()).then(|| collector.finish(0)))
    }
}

impl Compile for op::InTransactions {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (_, mut after) = place.keep();
        for column in self.sub.made_columns() {
            if place.live.contains(&column) && !after.contains(&column) {
                after.push(column);
            }
        }
        let goal = Goal::new(place.live, &place.inside[0], Purpose::Collected);
        let (enter, layout) = keep(place.layout, &live_in(&self.sub.ops, place.live));
        let Compiled { pipeline: sub, layout } = compiler.pipeline(&self.sub.ops, layout, &goal)?;
        let ends = compiler.slots(&layout, &after)?;
        let before = |column: &ColumnId| place.layout.iter().position(|known| known == column);
        let before = after.iter().map(before).collect();
        let has_status = self.status.is_some_and(|status| place.live.contains(&status));
        after.extend(self.status.filter(|_| has_status));
        let rows = CompiledRowCount::compile(&self.rows, compiler)?;
        let on_error = self.on_error;
        let operator = InTransactions { sub, enter, ends, before, rows, on_error, has_status };
        Ok((Box::new(Completing::new(operator)), after))
    }
}
