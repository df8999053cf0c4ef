//! What the lock of a partition guards: roots, counts, and the oldest reader it knows of.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{EdgeTypeId, Error, ErrorKind, LabelId, Position, Result};

use super::counts::Count;
use super::delta::Delta;
use super::root::Root;
use crate::image::{self, Image};

/// The content of a partition.
#[derive(Debug)]
pub(crate) struct State {
    /// Newest first; never empty.
    pub(crate) roots: Vec<Root>,
    pub(crate) counts: Counts,
    /// No reader is, or will be, at a position before this.
    pub(crate) oldest: Position,
}

/// Counts over time, the same for all roots.
#[derive(Debug)]
pub(crate) struct Counts {
    pub(crate) vertices: Count,
    pub(crate) labels: BTreeMap<LabelId, Count>,
    pub(crate) edges: BTreeMap<EdgeTypeId, Count>,
}

impl State {
    pub(crate) fn new(base: Arc<Image>) -> State {
        let counts = Counts::of(&base.counts);
        let root = Root { base, overlay: None, delta: Delta::default() };
        State { roots: vec![root], counts, oldest: Position(0) }
    }

    /// The root of a reader.
    #[inline]
    pub(crate) fn root(&self, at: Position) -> Result<&Root> {
        self.roots.iter().find(|root| root.cut() <= at).ok_or_else(|| too_old(at))
    }

    /// How many roots, from the newest on, readers at the oldest position or later take.
    pub(crate) fn roots_taken(&self) -> usize {
        let last = self.roots.iter().position(|root| root.cut() <= self.oldest);
        last.map_or(self.roots.len(), |place| place + 1)
    }

    pub(crate) fn newest(&self) -> &Root {
        self.roots.first().expect("a partition has a root")
    }
}

impl Counts {
    fn of(counts: &image::Counts) -> Counts {
        let labels = counts.labels.iter().map(|(label, count)| (*label, Count::of(*count)));
        let edges = counts.edges.iter().map(|(kind, count)| (*kind, Count::of(*count)));
        Counts {
            vertices: Count::of(counts.vertices),
            labels: labels.collect(),
            edges: edges.collect(),
        }
    }

    /// The counts at a position, as an image holds them.
    pub(crate) fn at(&self, at: Position) -> image::Counts {
        let labels = self.labels.iter().map(|(label, count)| (*label, count.at(at)));
        let edges = self.edges.iter().map(|(kind, count)| (*kind, count.at(at)));
        image::Counts {
            vertices: self.vertices.at(at),
            labels: labels.filter(|(_, count)| *count != 0).collect(),
            edges: edges.filter(|(_, count)| *count != 0).collect(),
        }
    }

    /// Adds what an overlay holds.
    pub(crate) fn add(&mut self, at: Position, more: &image::Counts, oldest: Position) {
        let signed = |count: u64| i64::try_from(count).expect("fewer than 2^63 elements");
        self.vertices.add(at, signed(more.vertices), oldest);
        for (label, count) in &more.labels {
            self.labels.entry(*label).or_default().add(at, signed(*count), oldest);
        }
        for (edge_type, count) in &more.edges {
            self.edges.entry(*edge_type).or_default().add(at, signed(*count), oldest);
        }
    }

    /// Counts a vertex of these labels in or out.
    pub(crate) fn add_vertex(
        &mut self,
        at: Position,
        labels: &[LabelId],
        change: i64,
        oldest: Position,
    ) {
        self.vertices.add(at, change, oldest);
        self.add_labels(at, labels, change, oldest);
    }

    pub(crate) fn add_labels(
        &mut self,
        at: Position,
        labels: &[LabelId],
        change: i64,
        oldest: Position,
    ) {
        for label in labels {
            self.labels.entry(*label).or_default().add(at, change, oldest);
        }
    }

    pub(crate) fn forget(&mut self, oldest: Position) {
        let counts = self.labels.values_mut().chain(self.edges.values_mut());
        counts.chain([&mut self.vertices]).for_each(|count| count.forget(oldest));
    }
}

fn too_old(at: Position) -> Error {
    let detail = format!("the snapshot at commit {at} is too old: a checkpoint has passed it");
    Error::new(ErrorKind::Conflict, detail).with_help("run the query again on a new snapshot")
}
