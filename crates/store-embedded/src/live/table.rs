//! The partitions of a graph by ordinal: found without a lock, made on first use, never removed.
//!
//! Ordinals below 2^16 are those of vertices. The lists of a vertex may lie in several partitions:
//! its own and, where edge ids ran out there, those of 2^16 more.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use millrace_model::{EdgeId, EdgeTypeId, LogPosition, Result};
use parking_lot::Mutex;

use crate::base::limits::{EDGE_ORDINALS_MAX, EDGE_RUNS_MAX, PARTITIONS_MAX};
use crate::live::write::edge_slots::used_up;
use crate::live::{Partition, PinnedSnapshots};
use crate::persistent::home;
use crate::persistent::image::Image;

const PAGE: usize = 256;

type Page = Box<[OnceLock<Arc<Partition>>]>;

/// Partitions of 2^16 ordinals.
type Space = Box<[OnceLock<Page>]>;

/// Where the readers of a graph are now, as all its partitions learn it.
#[derive(Clone, Debug, Default)]
pub(super) struct CurrentPins(Arc<Mutex<Arc<PinnedSnapshots>>>);

impl CurrentPins {
    pub(super) fn get(&self) -> Arc<PinnedSnapshots> {
        self.0.lock().clone()
    }
}

/// State shared by all partitions of a graph.
#[derive(Debug)]
pub(super) struct Common {
    pub(super) pinned: CurrentPins,
    /// Runs of edge slots that are leased of one ordinal.
    pub(super) edge_runs_max: u32,
}

/// All partitions of a graph.
#[derive(Debug)]
pub struct Partitions {
    /// Those of vertices, then those for overflow edges.
    spaces: Box<[OnceLock<Space>]>,
    common: Common,
}

impl Default for Partitions {
    fn default() -> Partitions {
        Partitions::with_edge_runs(EDGE_RUNS_MAX)
    }
}

impl Partitions {
    /// No partitions; so many runs of edge slots are leased of one ordinal before the next.
    pub(crate) fn with_edge_runs(edge_runs_max: u32) -> Partitions {
        let spaces: Box<[OnceLock<Space>]> =
            (0..EDGE_ORDINALS_MAX).map(|_| OnceLock::new()).collect();
        spaces[0].get_or_init(empty_space);
        Partitions { spaces, common: Common { pinned: CurrentPins::default(), edge_runs_max } }
    }

    /// The partition of an ordinal; `None` where there is none, or no ordinal.
    #[inline]
    pub fn get(&self, ordinal: Option<u32>) -> Option<&Arc<Partition>> {
        let ordinal = ordinal? as usize;
        let space = self.spaces.get(ordinal / PARTITIONS_MAX)?.get()?;
        let place = ordinal % PARTITIONS_MAX;
        space[place / PAGE].get()?[place % PAGE].get()
    }

    /// The partitions with lists of an ordinal's vertices: its own, and those of its overflow
    /// partitions.
    pub(super) fn all_of(&self, ordinal: u32) -> impl Iterator<Item = &Arc<Partition>> + '_ {
        let ordinals = (ordinal..).step_by(PARTITIONS_MAX).take(EDGE_ORDINALS_MAX);
        // One that was leased of, but never written to, is not there after a restart.
        ordinals.filter_map(|ordinal| self.get(Some(ordinal)))
    }

    /// Whether some partition has an overflow partition.
    #[inline]
    pub(super) fn has_overflow(&self) -> bool {
        self.spaces[1].get().is_some()
    }

    /// The partition of an ordinal below 2^16 times [`EDGE_ORDINALS_MAX`], made empty if there is
    /// none.
    pub fn get_or_create(&self, ordinal: u32) -> &Arc<Partition> {
        self.place(ordinal).get_or_init(|| {
            let base = Arc::new(Image::empty(ordinal, LogPosition(0)));
            Arc::new(Partition::new(base, &self.common))
        })
    }

    /// Installs the base read from a file, before the partition is first read or written. Returns
    /// whether the partition did not exist yet.
    pub fn open(&self, base: Arc<Image>) -> bool {
        let place = self.place(base.ordinal);
        place.set(Arc::new(Partition::new(base, &self.common))).is_ok()
    }

    /// Leases a fresh id for each of `count` edges of the type with their source in a partition of
    /// vertices.
    pub fn lease_edges(
        &self,
        ordinal: u32,
        edge_type: EdgeTypeId,
        count: usize,
        mut take: impl FnMut(EdgeId),
    ) -> Result<()> {
        let mut left = count;
        for overflow in 0..EDGE_ORDINALS_MAX {
            if left == 0 {
                return Ok(());
            }
            let partition = self.get_or_create(ordinal + (overflow * PARTITIONS_MAX) as u32);
            left -= partition.lease_edges(edge_type, left, &mut take);
        }
        if left == 0 { Ok(()) } else { Err(used_up(ordinal, "no overflow partition is left")) }
    }

    /// Leases up to `runs` consecutive runs of slots of exactly this ordinal for good: fewer, or
    /// none, once they are used up, and the rest is to be leased of the ordinal 2^16 above. Refused
    /// where there is none.
    pub(crate) fn lease_runs(&self, ordinal: u32, runs: u32) -> Result<Range<u32>> {
        if PARTITIONS_MAX * EDGE_ORDINALS_MAX <= ordinal as usize {
            return Err(used_up(home(ordinal), "no overflow partition is left"));
        }
        Ok(self.get_or_create(ordinal).slots.lease_runs(runs))
    }

    /// Sets the pinned snapshots. Commits applied from now on free the versions that no reader
    /// sees.
    pub fn pin(&self, pinned: PinnedSnapshots) {
        *self.common.pinned.0.lock() = Arc::new(pinned);
    }

    /// All partitions of vertices at or above an ordinal, ascending.
    pub fn from(&self, ordinal: u32) -> impl Iterator<Item = &Arc<Partition>> + '_ {
        in_space(self.spaces[0].get(), ordinal as usize)
    }

    /// All partitions, ordinals ascending.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Partition>> + '_ {
        self.spaces.iter().flat_map(|space| in_space(space.get(), 0))
    }

    fn place(&self, ordinal: u32) -> &OnceLock<Arc<Partition>> {
        let number = ordinal as usize / PARTITIONS_MAX;
        if number != 0 {
            // It says that there are overflow partitions, though all leased of it was lost with a
            // process.
            self.spaces[1].get_or_init(empty_space);
        }
        let space = self.spaces[number].get_or_init(empty_space);
        let place = home(ordinal) as usize;
        let page = space[place / PAGE].get_or_init(|| (0..PAGE).map(|_| OnceLock::new()).collect());
        &page[place % PAGE]
    }
}

fn empty_space() -> Space {
    (0..PARTITIONS_MAX / PAGE).map(|_| OnceLock::new()).collect()
}

fn in_space(space: Option<&Space>, from: usize) -> impl Iterator<Item = &Arc<Partition>> + '_ {
    let pages = space.into_iter().flat_map(move |space| space.iter().skip(from / PAGE));
    let partitions = pages.enumerate().flat_map(move |(index, page)| {
        let skipped = if index == 0 { from % PAGE } else { 0 };
        page.get().into_iter().flat_map(move |page| page.iter().skip(skipped))
    });
    partitions.filter_map(OnceLock::get)
}
