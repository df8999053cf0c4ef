//! The state under the lock of a partition: roots, counts and pinned snapshots.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{EdgeTypeId, LabelId, LogPosition, Result};

use crate::base::error::Error;
use crate::live::checkpoint::moving::Noted;
use crate::live::versions::counts::Count;
use crate::live::versions::delta::Delta;
use crate::live::versions::pinned::PinnedSnapshots;
use crate::live::versions::root::Root;
use crate::persistent::image;
use crate::persistent::image::Image;

/// The content of a partition.
#[derive(Debug)]
pub(crate) struct State {
    /// Newest first; never empty.
    pub(crate) roots: Vec<Root>,
    pub(crate) counts: Counts,
    /// The readers, as of the partition's last update.
    pub(crate) pinned: Arc<PinnedSnapshots>,
    /// The changes made while a checkpoint moves the delta to a new root; `None` without a move.
    pub(crate) noted: Option<Noted>,
    /// Bytes of list entries and their directories that were copied, ever.
    pub(crate) copied_bytes: u64,
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
        let root = Root { base, layer: None, delta: Delta::default() };
        let pinned = Arc::new(PinnedSnapshots::since(LogPosition(0)));
        State { roots: vec![root], counts, pinned, noted: None, copied_bytes: 0 }
    }

    /// The root of a reader.
    #[inline]
    pub(crate) fn root(&self, at: LogPosition) -> Result<&Root> {
        self.roots
            .iter()
            .find(|root| root.checkpoint() <= at)
            .ok_or_else(|| Error::SnapshotTooOld { at }.into())
    }

    /// How many roots, from the newest on, readers take.
    pub(crate) fn roots_taken(&self) -> usize {
        let older = self.roots.windows(2);
        1 + older
            .take_while(|pair| self.pinned.needs(pair[1].checkpoint(), pair[0].checkpoint()))
            .count()
    }

    /// Sets the pinned snapshots, if these are newer.
    pub(crate) fn pin(&mut self, pinned: Arc<PinnedSnapshots>) {
        if self.pinned.next() <= pinned.next() {
            self.pinned = pinned;
        }
    }

    /// Frees some versions that no reader takes; says whether there may be more.
    pub(crate) fn forget_some(&mut self) -> bool {
        let State { roots, pinned, .. } = self;
        let mut more = false;
        for root in roots {
            more |= root.delta.forget(pinned);
        }
        more
    }

    pub(crate) fn newest(&self) -> &Root {
        self.roots.first().expect("a partition has a root")
    }
}

impl Counts {
    /// How many vertices have a label (`None`: all) at a position.
    pub(crate) fn of_label(&self, label: Option<LabelId>, at: LogPosition) -> u64 {
        match label {
            None => self.vertices.at(at),
            Some(label) => self.labels.get(&label).map_or(0, |count| count.at(at)),
        }
    }

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
    pub(crate) fn at(&self, at: LogPosition) -> image::Counts {
        let labels = self.labels.iter().map(|(label, count)| (*label, count.at(at)));
        let edges = self.edges.iter().map(|(kind, count)| (*kind, count.at(at)));
        image::Counts {
            vertices: self.vertices.at(at),
            labels: labels.filter(|(_, count)| *count != 0).collect(),
            edges: edges.filter(|(_, count)| *count != 0).collect(),
        }
    }

    /// Adds the counts of a transaction layer.
    pub(crate) fn add(&mut self, at: LogPosition, more: &image::Counts, pinned: &PinnedSnapshots) {
        let signed = |count: u64| i64::try_from(count).expect("fewer than 2^63 elements");
        self.vertices.add(at, signed(more.vertices), pinned);
        for (label, count) in &more.labels {
            self.labels.entry(*label).or_default().add(at, signed(*count), pinned);
        }
        for (edge_type, count) in &more.edges {
            self.edges.entry(*edge_type).or_default().add(at, signed(*count), pinned);
        }
    }

    /// Counts a vertex of these labels in or out.
    pub(crate) fn add_vertex(
        &mut self,
        at: LogPosition,
        labels: &[LabelId],
        change: i64,
        pinned: &PinnedSnapshots,
    ) {
        self.vertices.add(at, change, pinned);
        self.add_labels(at, labels, change, pinned);
    }

    pub(crate) fn add_labels(
        &mut self,
        at: LogPosition,
        labels: &[LabelId],
        change: i64,
        pinned: &PinnedSnapshots,
    ) {
        for label in labels {
            self.labels.entry(*label).or_default().add(at, change, pinned);
        }
    }

    pub(crate) fn forget(&mut self, pinned: &PinnedSnapshots) {
        let counts = self.labels.values_mut().chain(self.edges.values_mut());
        counts.chain([&mut self.vertices]).for_each(|count| count.forget(pinned));
    }
}
