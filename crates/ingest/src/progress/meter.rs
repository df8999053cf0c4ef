//! Counters of a load: its progress, its bad rows, and its summary.

use super::{DatatypeCounts, LoadOptions, LoadPath, UnknownTypes};
use crate::declared::{DeclaredPredicate, Judged};
use crate::error::{BadRow, LoadError};
use crate::limits::REJECTS_RETAINED_MAX;
use crate::source::hold;
use millrace_model::{LogPosition, MemoryBudget, MemoryShare};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The phase of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Reading files (and, for CSV, handing rows on as they come).
    Reading,
    /// Handing the graph to the store.
    Storing,
    /// Making it durable.
    Finishing,
}

/// How far a load is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The current phase.
    pub phase: Phase,
    /// Bytes read of the files as they are stored.
    pub bytes: u64,
    /// Bytes of all files, if known.
    pub bytes_total: Option<u64>,
    /// Good rows read.
    pub rows: u64,
    /// Bad rows seen.
    pub bad_rows: u64,
    /// Vertices found, then stored.
    pub vertices: u64,
    /// Edges found, then stored.
    pub edges: u64,
    /// Since the start.
    pub elapsed: Duration,
}

impl Progress {
    /// Rows a second since the start.
    pub fn rate(&self) -> f64 {
        self.rows as f64 / self.elapsed.as_secs_f64().max(f64::EPSILON)
    }
}

/// Numbers of rows and elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Good rows.
    pub rows: u64,
    /// Bad rows.
    pub bad_rows: u64,
    /// Vertices made.
    pub vertices: u64,
    /// Edges made.
    pub edges: u64,
}

impl Counts {
    /// Both together.
    pub(crate) fn plus(self, more: Counts) -> Counts {
        Counts {
            rows: self.rows + more.rows,
            bad_rows: self.bad_rows + more.bad_rows,
            vertices: self.vertices + more.vertices,
            edges: self.edges + more.edges,
        }
    }
}

/// Progress callback after each block; may stop the load.
pub type OnProgress<'a> = &'a mut dyn FnMut(&Progress) -> ControlFlow<()>;

/// A progress callback that lets the load run on.
pub fn quiet(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The counter of bytes read, shared with the reading thread.
type PackedBytes = Arc<AtomicU64>;

/// The result of a load.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Where in the order of commits.
    pub position: LogPosition,
    /// Good rows read.
    pub rows: u64,
    /// Vertices created.
    pub vertices: u64,
    /// Edges created.
    pub edges: u64,
    /// Bad rows left out.
    pub bad_rows: u64,
    /// The first of them, at most [`REJECTS_RETAINED_MAX`].
    pub rejects: Vec<BadRow>,
    /// The others, as file and line: enough to find them again.
    pub more_rejects: Vec<(Arc<str>, u64)>,
    /// Remarks on the whole load, such as values loaded as text or replaced, and data left out without
    /// a bad row; a line each.
    pub notes: Vec<String>,
    /// Of a load with a schema: the predicates that it did not have, as their first statements use them.
    pub undeclared: Vec<DeclaredPredicate>,
    /// From start to durable.
    pub elapsed: Duration,
}

impl Summary {
    /// Rows a second.
    pub fn rate(&self) -> f64 {
        self.rows as f64 / self.elapsed.as_secs_f64().max(f64::EPSILON)
    }
}

/// Keeps count for one load.
pub(crate) struct Meter<'a> {
    progress: Progress,
    packed_bytes: PackedBytes,
    started: Instant,
    options: LoadOptions,
    rejects: Vec<BadRow>,
    more_rejects: Vec<(Arc<str>, u64)>,
    notes: Vec<String>,
    undeclared: Vec<DeclaredPredicate>,
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "Parquet takes memory of it"))]
    budget: MemoryBudget,
    memory: MemoryShare,
    /// Bytes of the graph in memory, as far as it is, and of bad rows.
    reserved: [u64; 2],
    on_progress: OnProgress<'a>,
}

/// Bytes of a bad row besides its reason.
const BAD_ROW_BYTES: u64 = size_of::<BadRow>() as u64;

impl<'a> Meter<'a> {
    pub(crate) fn new(options: LoadOptions, on_progress: OnProgress<'a>) -> Self {
        let progress = Progress {
            phase: Phase::Reading,
            bytes: 0,
            bytes_total: None,
            rows: 0,
            bad_rows: 0,
            vertices: 0,
            edges: 0,
            elapsed: Duration::ZERO,
        };
        let (packed_bytes, started) = (PackedBytes::default(), Instant::now());
        let (rejects, more_rejects, notes) = (Vec::new(), Vec::new(), Vec::new());
        let budget = MemoryBudget::unbounded();
        let (memory, reserved) = (budget.share(), [0; 2]);
        Self {
            progress,
            packed_bytes,
            started,
            options,
            rejects,
            more_rejects,
            notes,
            undeclared: Vec::new(),
            budget,
            memory,
            reserved,
            on_progress,
        }
    }

    /// The same with a share of a memory budget.
    pub(crate) fn sharing(self, budget: &MemoryBudget) -> Self {
        Self { memory: budget.share(), budget: budget.clone(), ..self }
    }

    /// The memory budget that the load takes its memory of.
    #[cfg(feature = "parquet")]
    pub(crate) fn budget(&self) -> &MemoryBudget {
        &self.budget
    }

    /// Takes the memory of the graph as it is now.
    pub(crate) fn hold(&mut self, bytes: u64) -> Result<(), LoadError> {
        self.reserved[0] = bytes;
        hold(&self.memory, self.reserved.iter().sum())
    }

    /// For the rows of one batch, which takes all bad ones: the load's own meter judges them.
    pub(crate) fn of_batch(on_progress: OnProgress<'a>) -> Self {
        let options = LoadOptions {
            bad_rows_max: u64::MAX,
            path: LoadPath::Transaction,
            ..LoadOptions::default()
        };
        Self::new(options, on_progress)
    }

    /// The good rows of a batch, and its bad ones.
    pub(crate) fn into_rows(self) -> (u64, Vec<BadRow>) {
        let more = self.more_rejects.into_iter().map(|(file, line)| {
            let detail = "more bad rows in one batch than can be stored with their reasons".into();
            BadRow { file, line, column: 1, detail }
        });
        (self.progress.rows, self.rejects.into_iter().chain(more).collect())
    }

    /// More bad rows than allowed, with those of a batch, end the load.
    pub(crate) fn check_bad(&self, bad: &[BadRow]) -> Result<(), LoadError> {
        let left = self.options.bad_rows_max.saturating_sub(self.progress.bad_rows);
        match bad.get(usize::try_from(left).unwrap_or(usize::MAX)) {
            Some(row) => Err(LoadError::BadRow(row.clone())),
            None => Ok(()),
        }
    }

    /// Continues from the counts and bad rows of an interrupted load.
    pub(crate) fn go_on(&mut self, counts: Counts, bad: Vec<BadRow>) {
        let Counts { rows, bad_rows, vertices, edges } = counts;
        let progress = &mut self.progress;
        (progress.rows, progress.bad_rows) = (rows, bad_rows);
        (progress.vertices, progress.edges) = (vertices, edges);
        self.rejects.extend(bad);
    }

    pub(crate) fn path(&self) -> LoadPath {
        self.options.path
    }

    pub(crate) fn packed_bytes(&self) -> PackedBytes {
        Arc::clone(&self.packed_bytes)
    }

    pub(crate) fn expect_bytes(&mut self, sizes: impl Iterator<Item = Option<u64>>) {
        self.progress.bytes_total = sizes.sum();
    }

    /// Counts a block's rows; more bad ones than allowed end the load.
    pub(crate) fn rows(&mut self, good: u64, bad: Vec<BadRow>) -> Result<(), LoadError> {
        self.progress.rows += good;
        for row in bad {
            self.progress.bad_rows += 1;
            if self.options.bad_rows_max < self.progress.bad_rows {
                return Err(LoadError::BadRow(row));
            }
            self.reserved[1] += BAD_ROW_BYTES;
            match self.rejects.len() < REJECTS_RETAINED_MAX {
                true => {
                    self.reserved[1] += row.detail.len() as u64;
                    self.rejects.push(row);
                }
                false => self.more_rejects.push((row.file, row.line)),
            }
        }
        hold(&self.memory, self.reserved.iter().sum())
    }

    pub(crate) fn unknown_types(&self) -> UnknownTypes {
        self.options.unknown_types
    }

    /// Says how many literals of N-Quads were of which unknown datatype.
    pub(crate) fn note_unknown_types(&mut self, counts: &DatatypeCounts) {
        self.notes.extend(counts.note(self.options.unknown_types));
    }

    /// Says what a schema had to say of the statements.
    pub(crate) fn note_judged(&mut self, judged: &Judged) {
        self.notes.extend(judged.notes());
        self.undeclared.extend(judged.undeclared.values().cloned());
    }

    /// Says something of the load as a whole, for its summary.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Sets the numbers of elements found so far.
    pub(crate) fn found(&mut self, vertices: u64, edges: u64) -> Result<(), LoadError> {
        (self.progress.vertices, self.progress.edges) = (vertices, edges);
        self.report()
    }

    /// Adds to the numbers of elements passed to the store.
    pub(crate) fn stored(&mut self, vertices: u64, edges: u64) -> Result<(), LoadError> {
        self.progress.vertices += vertices;
        self.progress.edges += edges;
        self.report()
    }

    /// Begins a phase; storing counts from nothing again.
    pub(crate) fn enter(&mut self, phase: Phase) -> Result<(), LoadError> {
        self.progress.phase = phase;
        if phase == Phase::Storing {
            (self.progress.vertices, self.progress.edges) = (0, 0);
        }
        self.report()
    }

    /// Shows how far it is; fails if that stops the load.
    pub(crate) fn report(&mut self) -> Result<(), LoadError> {
        self.progress.bytes = self.packed_bytes.load(Ordering::Relaxed);
        self.progress.elapsed = self.started.elapsed();
        match (self.on_progress)(&self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(LoadError::Cancelled),
        }
    }

    pub(crate) fn finish(
        self,
        position: LogPosition,
        vertices: u64,
        edges: u64,
    ) -> Result<Summary, LoadError> {
        Ok(Summary {
            position,
            rows: self.progress.rows,
            vertices,
            edges,
            bad_rows: self.progress.bad_rows,
            rejects: self.rejects,
            more_rejects: self.more_rejects,
            notes: self.notes,
            undeclared: self.undeclared,
            elapsed: self.started.elapsed(),
        })
    }
}
