//! The findings of a check, and its progress.
//!
//! Only the first findings are kept; [`Report::finding_count`] says how many there were.

use std::fmt;
use std::ops::ControlFlow;

use millrace_model::{Error, ErrorKind, Result};

use crate::base::limits::FINDINGS_KEPT_MAX;

/// Something that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The graph it is in, where it is in one.
    pub graph: Option<String>,
    /// Where: a file, a partition, an index.
    pub place: String,
    /// The fault.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.graph {
            Some(graph) => write!(f, "graph {graph}, {}: {}", self.place, self.what),
            None => write!(f, "{}: {}", self.place, self.what),
        }
    }
}

/// The numbers of elements of a graph that were checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphChecked {
    /// Its name.
    pub name: String,
    /// Partitions.
    pub partitions: u64,
    /// Vertices.
    pub vertices: u64,
    /// Edges.
    pub edges: u64,
    /// Index entries.
    pub entries: u64,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The last commit that was looked at.
    pub position: u64,
    /// Files with verified checksums.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The graphs.
    pub graphs: Vec<GraphChecked>,
    /// The first findings.
    pub findings: Vec<Finding>,
    /// How many there were.
    pub finding_count: u64,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.finding_count == 0
    }

    pub(super) fn with(self, findings: Findings) -> Report {
        Report { findings: findings.kept, finding_count: findings.count, ..self }
    }
}

/// The stages of a check, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Checksums of files; counted in bytes.
    Files,
    /// Images of partitions.
    Partitions,
    /// Records against rules and indexes; counted in elements.
    Records,
    /// Results of reads; counted in vertices.
    Reading,
}

impl Stage {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Stage::Files => "files",
            Stage::Partitions => "partitions",
            Stage::Records => "records",
            Stage::Reading => "reading",
        }
    }
}

/// Told how far a check is (stage, graph or file, done, of how many); may stop it.
pub type Watch<'a> = &'a mut dyn FnMut(Stage, &str, u64, u64) -> ControlFlow<()>;

/// Calls the watch.
pub(super) struct Watcher<'p> {
    watch: Watch<'p>,
}

impl<'p> Watcher<'p> {
    pub(super) fn new(watch: Watch<'p>) -> Self {
        Self { watch }
    }

    pub(super) fn step(&mut self, stage: Stage, what: &str, done: u64, total: u64) -> Result<()> {
        match (self.watch)(stage, what, done, total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                Err(Error::new(ErrorKind::Cancelled, "the check was stopped"))
            }
        }
    }
}

/// Collects findings.
#[derive(Default)]
pub(super) struct Findings {
    kept: Vec<Finding>,
    count: u64,
}

impl Findings {
    pub(super) fn add(&mut self, graph: Option<&str>, place: &str, what: String) {
        self.count += 1;
        if self.kept.len() < FINDINGS_KEPT_MAX {
            let graph = graph.map(str::to_owned);
            self.kept.push(Finding { graph, place: place.to_owned(), what });
        }
    }

    /// Whether a finding that says this was noted before: one damaged place is reported once.
    pub(super) fn tells(&self, detail: &str) -> bool {
        self.kept.iter().any(|finding| finding.what.contains(detail))
    }
}
