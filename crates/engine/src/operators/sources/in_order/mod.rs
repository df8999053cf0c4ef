//! A `Scan` or a `Seek` that gives its elements in the order of a key, for the first operator behind it that sorts by
//! that key or wants its extreme.
//!
//! ```text
//!   asked   which order the operators behind have a use for, found when a plan becomes a pipeline
//!   reader  the index that has it, found in each run; its elements in batches that grow
//! ```
//!
//! The consumer sorts what it gets, so an index only has to promise that no later element is before one given. Where
//! none serves, or it gives too many that filters drop, the source runs as it would without.

mod asked;
mod reader;

use std::cell::RefCell;
use std::sync::Arc;

use millrace_model::{Batch, Column, EdgeId, Result, VertexId};
use millrace_plan::Name;
use millrace_store::ScanCursor;

use super::seek::{Access, OR_INDEX};
use crate::compile::Placed;
use crate::pipeline::{Keep, Operator, Pieces, Pipeline, RowOrder, Stage, Upstream, add};
use crate::run::{Charge, Run};
use reader::{OrderQuestion, Reader, Step};

/// The words before the key in a label.
const IN_ORDER: &str = "in order of ";

/// A source and the operator behind it that an order is for.
pub(crate) struct InOrder {
    /// The consumer, counted from the operator behind the source.
    pub(crate) consumer: usize,
    pub(crate) order: Arc<RowOrder>,
    /// The source, with its columns.
    pub(crate) placed: Placed,
    /// What its label has at its end.
    pub(crate) label: String,
}

/// The operator.
struct Ordered {
    /// The source itself, without an order.
    plain: Pipeline,
    question: OrderQuestion,
    order: Arc<RowOrder>,
    keep: Keep,
    to: bool,
    /// The label of the source without an order.
    label: String,
    is_seek: bool,
    key: Name,
    state: State,
    charge: Charge,
    access: RefCell<Access>,
    /// Whether the source itself was run, in a profiled run.
    ran_plain: bool,
}

enum State {
    /// Nothing was asked for yet.
    Begun,
    /// Elements of an index, for one row.
    Reading { row: Batch, reader: Box<Reader>, found: Vec<u64>, emitted: usize },
    /// The plain source has a batch of input, and this one is next.
    Plain(Option<Batch>),
}

impl Ordered {
    /// Looks for an index that serves, if there is one row of input.
    fn start(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<bool> {
        let Some(first) = input.next(run)? else { return Ok(false) };
        let second = input.next(run)?;
        let is_one = second.is_none() && first.len == 1 && first.weights.is_none();
        // Where threads share a scan, no index serves it.
        if is_one && input.scopes().len() == 1 && run.context.piece().is_none() {
            let wanted = self.order.wanted();
            if let Some(reader) = self.question.open(&first, wanted, run)? {
                let reader = Box::new(reader);
                self.state = State::Reading { row: first, reader, found: Vec::new(), emitted: 0 };
                return Ok(true);
            }
        }
        self.run_plain(first, second, input, run);
        Ok(true)
    }

    fn run_plain(
        &mut self,
        batch: Batch,
        next: Option<Batch>,
        input: &Upstream<'_>,
        run: &Run<'_>,
    ) {
        self.ran_plain = run.profiled;
        self.charge.release(run);
        self.plain.begin([batch], input.scopes().clone(), run);
        self.state = State::Plain(next);
    }

    fn emit(&self, row: &Batch, ids: &[u64]) -> Batch {
        let mut batch = self.keep.repeat(row, 0, ids.len());
        if self.to {
            let ids = ids.iter().copied();
            let column = match self.question.finds_edges() {
                true => Column::edges(ids.map(EdgeId).collect()),
                false => Column::vertices(ids.map(VertexId).collect()),
            };
            add(&mut batch, column);
        }
        batch
    }

    /// The next elements in order: those read, or the plain source's.
    fn read(&mut self, input: &Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let State::Reading { row, reader, found, emitted } = &mut self.state else {
                return Ok(None);
            };
            if *emitted < found.len() {
                let most = run.context.guard().batch_rows(crate::limits::COLLECTED_ROWS_MAX);
                let range = *emitted..found.len().min(*emitted + most);
                *emitted = range.end;
                self.order.keep(range.end == found.len());
                let (row, ids) = (row.clone(), found[range].to_vec());
                return Ok(Some(self.emit(&row, &ids)));
            }
            run.context.check_pull()?;
            match reader.next(&mut self.question, &mut self.charge, run)? {
                Step::Found(ids) => {
                    self.access.get_mut().index(run, || reader.name(run));
                    (*found, *emitted) = (ids, 0);
                }
                Step::End => return Ok(None),
                Step::GiveUp => {
                    self.order.restart();
                    self.access.take();
                    let row = row.clone();
                    self.run_plain(row, None, input, run);
                    return self.next_plain(run);
                }
            }
        }
    }

    fn next_plain(&mut self, run: &Run<'_>) -> Result<Option<Batch>> {
        self.order.keep(false);
        self.plain.next(run)
    }
}

impl Operator for Ordered {
    fn begin(&mut self, run: &Run<'_>) {
        self.state = State::Begun;
        self.ran_plain = false;
        self.charge.release(run);
    }

    fn scan_pieces(
        &mut self,
        input: &mut Upstream<'_>,
        wanted: &Pieces,
        run: &Run<'_>,
    ) -> Result<Vec<ScanCursor>> {
        if matches!(self.state, State::Begun) && !self.start(input, run)? {
            return Ok(Vec::new());
        }
        match self.state {
            State::Plain(None) => self.plain.scan_pieces(wanted, run),
            State::Begun | State::Reading { .. } | State::Plain(_) => Ok(Vec::new()),
        }
    }

    fn used(&self, _label: &str) -> Option<String> {
        let (own, label) = (self.access.borrow(), &self.label);
        let has_keys = label.contains(OR_INDEX);
        let used = match (self.is_seek, has_keys) {
            (true, _) => own.of_seek(label),
            (false, true) => own.of_scan(label),
            (false, false) => own.of_scan(&format!("{label}{OR_INDEX}")),
        };
        if let Some(used) = used {
            return Some(format!("{}, {IN_ORDER}{}", used.trim_end_matches(", "), self.key));
        }
        let plain = self.plain.stages[0].operator.used(label);
        plain.or_else(|| (self.ran_plain && !has_keys).then(|| label.clone()))
    }

    fn forget_used(&self) {
        self.access.take();
        self.plain.stages[0].operator.forget_used();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            match &mut self.state {
                State::Begun => {
                    if !self.start(input, run)? {
                        return Ok(None);
                    }
                }
                State::Reading { .. } => return self.read(input, run),
                State::Plain(_) => {
                    if let Some(batch) = self.next_plain(run)? {
                        return Ok(Some(batch));
                    }
                    let State::Plain(second) = &mut self.state else { return Ok(None) };
                    let next = match second.take() {
                        Some(batch) => Some(batch),
                        None => input.next(run)?,
                    };
                    let Some(batch) = next else { return Ok(None) };
                    self.run_plain(batch, None, input, run);
                }
            }
        }
    }
}

/// A source by itself, as the pipeline of one stage.
fn alone(operator: Box<dyn Operator>) -> Pipeline {
    Pipeline::new(vec![Stage::new(operator, String::new())], false)
}
