//! A query in any language and its answer as lines of JSON, as `POST /query/{graph}` sends them.
//!
//! ```text
//!   Query ──db──> Started ──> Rows (cells that wait, each with its weight) ──> Chunk, Chunk, … summary
//! ```
//!
//! No socket is known here: a shell that opened a data folder asks by the same functions. An answer is a value that
//! is asked for one chunk after the other and holds no thread in between. What it holds is bounded: of a query that
//! reads, the rows of one batch of the engine, and one chunk; of a query that wrote, its result, within the bytes
//! that an answer may have.

use std::collections::VecDeque;
use std::time::Instant;

use millrace_db::plan::WriteCounts;
use millrace_db::session::{ExplicitTransaction, ResultStream, Started};
use millrace_db::{Database, Phase, ResultHead, Results};
use millrace_model::{DetachedElements, Error, ErrorKind, MemoryShare, Profile, Result, Value};
use millrace_wire::admin::ndjson::{
    RowForm, RowsLine, Summary, cell, cells_of_json, columns_line, error_line, profile_tree,
};
use millrace_wire::neo4j_http::typed_cell;

use crate::limits::{CHUNK_BYTES, CHUNK_ROWS};

pub use millrace_db::query::{DEFAULT_GRAPH, Query};

/// The name of the only column of a language with single values as rows.
const COLUMN: &str = "value";

/// The name of the only column of a plan as text.
const PLAN_COLUMN: &str = "plan";

/// What a cell takes besides its bytes, about.
const CELL_BYTES: u64 = 48;

/// A part of an answer: whole lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The lines.
    pub lines: String,
    /// How the query ended, if nothing follows.
    pub outcome: Option<std::result::Result<(), ErrorKind>>,
}

/// How much of an answer is wanted, and how its values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerForm {
    /// Rows that are sent at most; `None`: all.
    pub rows_max: Option<u64>,
    /// Whether each value has its type, as in Neo4j's JSON with types.
    pub has_types: bool,
}

/// The answer to a query, on its way.
pub struct Answer {
    query: Query,
    rows: Rows,
    stream: Option<Box<ResultStream>>,
    began: Instant,
    has_begun: bool,
}

impl Answer {
    /// Runs a query until it has something to answer. What fails until then has no answer but its error. It blocks
    /// until what the query wrote is visible; another thread ends it early through the cancel flag of its limits.
    pub fn begin(database: &Database, query: Query, form: AnswerForm) -> Result<Answer> {
        Answer::started(database, query, form, |answer| answer.start(database))
    }

    /// Runs a query in an open transaction; its rows are held whole, within the bytes that an answer may have. After an
    /// error everything is rolled back.
    pub fn within(
        database: &Database,
        transaction: &mut ExplicitTransaction,
        query: Query,
        form: AnswerForm,
    ) -> Result<Answer> {
        Answer::started(database, query, form, |answer| {
            answer.rows.is_held = true;
            database.query_in(transaction, &answer.query, &mut answer.rows)
        })
    }

    fn started(
        database: &Database,
        query: Query,
        form: AnswerForm,
        start: impl FnOnce(&mut Answer) -> Result<()>,
    ) -> Result<Answer> {
        let began = Instant::now();
        let rows = Rows::new(&query, form, database.memory().share());
        let mut answer = Answer { query, rows, stream: None, began, has_begun: false };
        let begun = start(&mut answer);
        if let Err(error) = &begun {
            answer.query.limits.trace.end(Err(error.kind));
        }
        begun.map(|()| answer)
    }

    fn start(&mut self, database: &Database) -> Result<()> {
        match database.query(&self.query, &mut self.rows)? {
            Started::Streaming(stream) => {
                self.stream = Some(stream);
                self.pull(database)
            }
            Started::Done(None) => Ok(()),
            Started::Done(Some(ticket)) => {
                self.query.limits.trace.time(Phase::Sync, || ticket.wait().map(drop))
            }
        }
    }

    /// Pulls until there are rows, or no more.
    fn pull(&mut self, database: &Database) -> Result<()> {
        while self.rows.waiting.is_empty() && !self.rows.is_truncated {
            let Some(stream) = &mut self.stream else { return Ok(()) };
            if !stream.next(database, &mut self.rows)? {
                self.stream = None;
            }
        }
        Ok(())
    }

    /// The next lines; an error that comes so late is one of them, and the last.
    pub fn next(&mut self, database: &Database) -> Chunk {
        let mut lines = String::new();
        if !std::mem::replace(&mut self.has_begun, true) {
            let (columns, form) = self.rows.columns();
            lines.push_str(&columns_line(&columns, form));
            self.rows.write(&mut lines);
            // What is there is not held up by what is not known yet.
            if self.stream.is_some() || !self.rows.waiting.is_empty() {
                return Chunk { lines, outcome: None };
            }
        }
        let written = self.pull(database).and_then(|()| {
            self.rows.write(&mut lines);
            if !self.rows.waiting.is_empty() || (self.stream.is_some() && !self.rows.is_truncated) {
                return Ok(false);
            }
            lines.push_str(&self.summary()?.line());
            Ok(true)
        });
        let outcome = match written {
            Ok(is_last) => is_last.then_some(Ok(())),
            Err(error) => {
                lines.push_str(&error_line(&error, &self.query.text));
                Some(Err(error.kind))
            }
        };
        if let Some(outcome) = outcome {
            self.stream = None;
            self.query.limits.trace.end(outcome);
        }
        Chunk { lines, outcome }
    }

    /// Whether it was cancelled or its time is up, while rows still come.
    pub(crate) fn is_over(&self) -> bool {
        self.stream.is_some() && self.query.limits.is_over()
    }

    /// Ends such a query before its client has read the rest: its memory is given back, and only its error is left.
    pub(crate) fn give_up(&mut self) -> Option<Chunk> {
        self.stream.as_ref()?;
        let kind = self.query.limits.check().err()?.kind;
        let detail = match kind {
            ErrorKind::DeadlineExceeded => "the deadline passed before the client took the answer",
            _ => "the query was cancelled",
        };
        (self.stream, self.rows.bytes) = (None, 0);
        self.rows.waiting = VecDeque::new();
        // A share that shrinks is never refused.
        let _smaller = self.rows.share.reserve(0);
        self.query.limits.trace.end(Err(kind));
        let lines = error_line(&Error::new(kind, detail), &self.query.text);
        Some(Chunk { lines, outcome: Some(Err(kind)) })
    }

    fn summary(&self) -> Result<Summary> {
        Ok(Summary {
            rows: self.rows.taken,
            elapsed_ms: self.began.elapsed().as_secs_f64() * 1_000.0,
            is_truncated: self.rows.is_truncated,
            counters: self.rows.counters.clone(),
            profile: self.rows.profile.as_ref().map(profile_tree).transpose()?,
        })
    }
}

/// A client that is gone ends its query.
impl Drop for Answer {
    fn drop(&mut self) {
        self.query.limits.trace.end(Err(ErrorKind::Cancelled));
    }
}

/// Rows that have not left. Equal rows are held once, however many there are.
struct Rows {
    head: ResultHead,
    /// The cells of a row, with commas between them, and the rows that it stands for.
    waiting: VecDeque<(String, u64)>,
    /// What they take.
    bytes: u64,
    share: MemoryShare,
    /// Bytes that a result may take that is held whole.
    bytes_max: u64,
    /// Whether rows may leave before the run has ended.
    streams: bool,
    /// Whether all rows are held until the run has ended, although they could leave.
    is_held: bool,
    /// Whether each value has its type.
    has_types: bool,
    /// Rows that were taken.
    taken: u64,
    rows_max: u64,
    /// Whether there were more.
    is_truncated: bool,
    is_list: bool,
    /// Whether the only row is the text of a plan.
    is_plan: bool,
    /// What the last statement wrote.
    counters: Vec<(&'static str, u64)>,
    wants_profile: bool,
    profile: Option<Profile>,
}

impl Rows {
    fn new(query: &Query, form: AnswerForm, share: MemoryShare) -> Rows {
        Rows {
            head: ResultHead::default(),
            waiting: VecDeque::new(),
            bytes: 0,
            share,
            bytes_max: query.limits.answer_bytes_max,
            streams: false,
            is_held: false,
            has_types: form.has_types,
            taken: 0,
            rows_max: form.rows_max.unwrap_or(u64::MAX),
            is_truncated: false,
            is_list: true,
            is_plan: false,
            counters: Vec::new(),
            wants_profile: query.is_profiled,
            profile: None,
        }
    }

    /// The names of the columns, and what rows are.
    fn columns(&self) -> (Vec<&str>, RowForm) {
        match &self.head.columns {
            Some(columns) => (columns.iter().map(|name| &**name).collect(), RowForm::Named),
            None if self.is_plan => (vec![PLAN_COLUMN], RowForm::Plan),
            None if self.is_list => (vec![COLUMN], RowForm::Values),
            None => (vec![COLUMN], RowForm::Single),
        }
    }

    fn push(&mut self, cell: String, weight: u64) -> Result<()> {
        let room = self.rows_max - self.taken;
        self.is_truncated |= room < weight;
        let weight = weight.min(room);
        if weight == 0 {
            return Ok(());
        }
        self.taken += weight;
        self.bytes += cell.len() as u64 + CELL_BYTES;
        self.share.reserve(self.bytes)?;
        if !self.streams {
            let help = "request fewer results, or read them in a query that does not write";
            check_size(self.bytes, self.bytes_max, help)?;
        }
        self.waiting.push_back((cell, weight));
        Ok(())
    }

    /// Writes rows as lines, up to the size of a chunk.
    fn write(&mut self, lines: &mut String) {
        while lines.len() < CHUNK_BYTES && !self.waiting.is_empty() {
            let (mut line, mut count) = (RowsLine::default(), 0);
            while count < CHUNK_ROWS
                && lines.len() + line.byte_size() < CHUNK_BYTES
                && let Some((cell, weight)) = self.waiting.front_mut()
            {
                line.push(cell);
                count += 1;
                *weight -= 1;
                if *weight == 0 {
                    self.bytes -= cell.len() as u64 + CELL_BYTES;
                    self.waiting.pop_front();
                }
            }
            lines.push_str(&line.finish().unwrap_or_default());
        }
    }
}

/// Fails for results that take more bytes than may wait for their commit.
pub(crate) fn check_size(bytes: u64, bytes_max: u64, help: &'static str) -> Result<()> {
    if bytes <= bytes_max {
        return Ok(());
    }
    let detail = format!(
        "the results take more than {bytes_max} bytes and cannot be streamed before the commit"
    );
    Err(Error::new(ErrorKind::LimitReached, detail).with_help(help))
}

impl Results for Rows {
    fn begin(&mut self, streams: bool) {
        self.waiting.clear();
        (self.bytes, self.taken, self.is_truncated, self.streams) =
            (0, 0, false, streams && !self.is_held);
        self.head = ResultHead::default();
        self.is_plan = false;
        self.profile = None;
        self.counters.clear();
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.head = head.clone();
    }

    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()> {
        for (row, weight) in values.chunks(self.head.width().max(1)).zip(weights) {
            if self.is_truncated {
                break;
            }
            let cells = row.iter().map(|value| match self.has_types {
                true => typed_cell(value, elements),
                false => cell(value, elements),
            });
            self.push(cells.collect::<Result<Vec<String>>>()?.join(","), *weight)?;
        }
        Ok(())
    }

    fn take_json(&mut self, answer: &str) -> Result<()> {
        let (cells, is_list) = cells_of_json(answer);
        self.is_list = is_list;
        // It was held whole before, within the same bytes.
        self.bytes_max = u64::MAX;
        cells.into_iter().try_for_each(|cell| self.push(cell, 1))
    }

    fn take_write_counts(&mut self, counts: &WriteCounts) {
        self.counters = counts.each().into_iter().filter(|(_, count)| 0 < *count).collect();
    }

    fn take_explanation(&mut self, text: &str, _tree: Option<&Profile>) -> Result<()> {
        self.is_plan = true;
        self.take_head(&ResultHead { only_reads: true, ..ResultHead::default() });
        self.take(&[Value::from(text)], &[1], &DetachedElements::default())
    }

    fn take_profile(&mut self, profile: &Profile) -> Result<()> {
        // A language with columns has none for it.
        if self.wants_profile || self.head.columns.is_some() {
            self.profile = Some(profile.clone());
            return Ok(());
        }
        self.push(profile_tree(profile)?, 1)
    }
}
