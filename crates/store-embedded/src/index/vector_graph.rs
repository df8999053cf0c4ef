//! The graph of neighbours of an index: read from its file by the first search, or made on a thread of its own.
//!
//! ```text
//!   none ── first search ──> read from its file ──┐
//!    └───── no file, or a damaged one ──> made ───┴─> searches ── bases changed ──> follows ──> searches
//!                                           └── to be stored <────────────────────────┘
//! ```
//!
//! What a graph does not cover is compared, so a graph that is late, or none, costs time and finds no less. The checkpoint
//! thread stores what was made (`checkpoint/neighbours`).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread;

use millrace_terms::vectors::VectorSpace;
use parking_lot::{Mutex, RwLock};

use super::neighbours::{Cover, CoveredBase};
use super::range_index::RangeIndex;
use super::range_shard::RangeShard;
use crate::base::error::Result;
use crate::base::limits::NEIGHBOURS_MEMORY_PART;
use crate::folder::{Charge, SectionMemory};
use crate::io::FileName;
use crate::persistent::segment::{SegmentFile, StoredNeighbours, read_neighbours};

/// The task of which events tell.
const READING: &str = "reading the graph of a vector index, which is made anew";

/// The graph of an index, if it has one.
#[derive(Debug, Default)]
pub(super) struct VectorGraph {
    made: RwLock<Option<Arc<Made>>>,
    /// Locked before `made`.
    stored: Mutex<GraphFile>,
    /// Whether a thread makes one.
    is_being_made: AtomicBool,
    /// Bytes of changes that searches compared since the last checkpoint was wanted.
    pub(super) compared: AtomicU64,
    /// Whether the changes are to become part of the bases.
    pub(super) wants_merge: AtomicBool,
    /// Vectors that were linked.
    linked: AtomicU64,
}

/// A graph, and its memory.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) cover: Cover,
    _charge: Option<Charge>,
}

/// The file of a graph.
#[derive(Default)]
struct GraphFile {
    /// One that no search has read yet.
    unread: Option<SegmentFile>,
    name: Option<FileName>,
    /// Whether the graph in memory is to be stored.
    is_due: bool,
}

impl std::fmt::Debug for GraphFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GraphFile").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What there is of graphs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphUsage {
    /// Graphs in memory.
    pub graphs: u64,
    /// Their bytes, beside the vectors.
    pub bytes: u64,
    /// Vectors that were linked since the folder was opened.
    pub linked: u64,
}

impl std::iter::Sum for GraphUsage {
    fn sum<I: Iterator<Item = GraphUsage>>(indexes: I) -> GraphUsage {
        indexes.fold(GraphUsage::default(), |sum, own| GraphUsage {
            graphs: sum.graphs + own.graphs,
            bytes: sum.bytes + own.bytes,
            linked: sum.linked + own.linked,
        })
    }
}

impl RangeIndex {
    /// A graph that is in a file, to be read by the first search.
    pub fn keep_graph_file(&self, file: SegmentFile) {
        let mut stored = self.graph.stored.lock();
        stored.name = Some(file.name);
        stored.unread = Some(file);
    }

    /// The file of the graph.
    pub fn graph_file(&self) -> Option<FileName> {
        self.graph.stored.lock().name
    }

    /// The graph, if it was made since it was stored. It is asked for once: a graph that could not be stored is stored when
    /// it has followed its index.
    pub(crate) fn graph_to_store(&self) -> Option<(StoredNeighbours, Option<Charge>)> {
        let made = {
            let mut stored = self.graph.stored.lock();
            let made = self.graph.made.read();
            std::mem::take(&mut stored.is_due).then(|| made.clone()).flatten()?
        };
        // It is in memory twice more: as it is stored, and as bytes.
        let charge = self.memory().map(|memory| memory.charge(2 * made.cover.byte_size()));
        Some((made.cover.to_stored()?, charge))
    }

    /// The graph is in a file.
    pub fn note_graph_file(&self, name: FileName) {
        self.graph.stored.lock().name = Some(name);
    }

    /// What there is of its graph.
    pub fn graph_usage(&self) -> GraphUsage {
        let made = self.graph.made.read().clone();
        let bytes = made.as_ref().map_or(0, |made| made.cover.byte_size() as u64);
        let linked = self.graph.linked.load(Ordering::Relaxed);
        GraphUsage { graphs: u64::from(made.is_some()), bytes, linked }
    }

    /// The graph, read from its file if no search has done so.
    pub(super) fn graph_of_vectors(
        &self,
        space: VectorSpace,
        shards: &[Arc<RangeShard>],
        bytes: usize,
    ) -> Option<Arc<Made>> {
        let made = self.graph.made.read().clone();
        if made.is_some() || !self.has_room_for_graph(bytes) {
            return made;
        }
        // While a search reads it, those beside compare.
        let mut stored = self.graph.stored.try_lock()?;
        // A search beside this one may have read it.
        let made = self.graph.made.read().clone();
        let Some(file) = stored.unread.take() else { return made };
        // Its bytes, and what is made of them.
        let _reading = self.memory().map(|memory| memory.charge(2 * file.length as usize));
        let read = || {
            let bases = shards.iter().map(|shard| shard.covered_base());
            let bases = bases.collect::<Result<Vec<CoveredBase>>>()?;
            // With its links a graph is a small part of its vectors, but of very short ones.
            let graph = read_neighbours(&file, bytes as u64 * GRAPH_BYTES_PART)?;
            Ok(Cover::of_stored(&graph, space, &bases))
        };
        let outcome: Result<Option<Cover>> = read();
        if let Some(memory) = self.memory() {
            memory.watch().note_task(READING, &outcome);
        }
        let cover = outcome.ok().flatten()?;
        stored.is_due = cover.linked() != 0;
        self.graph.put(self.memory(), cover)
    }

    /// Makes a graph over the bases as they are, on a thread of its own, unless one is being made or it would not fit.
    pub(super) fn make_graph(self: &Arc<RangeIndex>, space: VectorSpace, bytes: usize) {
        let is_being_read = || self.graph.stored.is_locked();
        if !self.has_room_for_graph(bytes)
            || is_being_read()
            || self.graph.is_being_made.swap(true, Ordering::AcqRel)
        {
            return;
        }
        let index = Arc::downgrade(self);
        let work = move || {
            let done = graph_of(&index, space);
            let Some(index) = index.upgrade() else { return };
            if let Some(cover) = done {
                let mut stored = index.graph.stored.lock();
                index.graph.put(index.memory(), cover);
                stored.is_due = true;
            }
            index.graph.is_being_made.store(false, Ordering::Release);
        };
        // Without the thread, searches go on to compare.
        let named = thread::Builder::new().name("vector-graph".to_owned());
        if named.spawn(work).is_err() {
            self.graph.is_being_made.store(false, Ordering::Release);
        }
    }

    fn memory(&self) -> Option<Arc<SectionMemory>> {
        self.all().iter().find_map(|shard| shard.memory())
    }

    fn has_room_for_graph(&self, bytes: usize) -> bool {
        let room = self.memory().map_or(u64::MAX, |memory| memory.budget_bytes());
        bytes as u64 <= room / NEIGHBOURS_MEMORY_PART
    }
}

/// How many times the bytes of its index a graph may take in its file: one of single numbers with many links has so many.
const GRAPH_BYTES_PART: u64 = 64;

impl VectorGraph {
    fn put(&self, memory: Option<Arc<SectionMemory>>, cover: Cover) -> Option<Arc<Made>> {
        self.linked.fetch_add(cover.linked(), Ordering::Relaxed);
        let charge = memory.map(|memory| memory.charge(cover.byte_size()));
        let made = Some(Arc::new(Made { cover, _charge: charge }));
        self.made.write().clone_from(&made);
        made
    }
}

/// A graph over the bases of an index, as long as the index is there.
fn graph_of(index: &Weak<RangeIndex>, space: VectorSpace) -> Option<Cover> {
    let (bases, before) = {
        let index = index.upgrade()?;
        let shards = index.all();
        let bases = shards.iter().map(|shard| shard.covered_base().ok());
        (bases.collect::<Option<Vec<_>>>()?, index.graph.made.read().clone())
    };
    let is_wanted = || 0 < index.strong_count();
    Cover::over(&bases, space, before.as_ref().map(|made| &made.cover), &is_wanted)
}
