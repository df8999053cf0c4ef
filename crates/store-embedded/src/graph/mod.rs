//! A graph of the folder: its partitions, indexes, names and ids, and the table of all graphs.
//!
//! It applies changes and answers reads at a position. Commits, the log and files belong to the
//! modules above and below.

mod catalog;
mod schema_lock;
mod view;
mod view_nearest;
mod view_postings;
mod view_ranges;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{
    Catalog, CatalogChange, Error, ErrorKind, GraphId, IndexId, LogPosition, Reservation, Result,
    VertexId,
};
use millrace_store::GRAPH_DROPPED;
use millrace_store::run::PARTITION_BITS;
use parking_lot::{Mutex, RwLock};

use crate::base::limits::{EDGE_RUNS_MAX, INDEX_SHARDS};
use crate::ids::{ChosenEdges, Leases};
use crate::index::{
    BuildProgress, DeltaBytes, GraphUsage, IndexBase, IndexShard, RangeIndex, Usage,
};
use crate::live::{Partition, Partitions, PinnedSnapshots};
use crate::persistent::ShardName;

pub(crate) use catalog::{CatalogVersions, NewName, names_of};
pub(crate) use schema_lock::{SchemaLock, Shared};
pub(crate) use view::{GraphView, is_of_edges};

/// One graph.
pub(crate) struct Graph {
    pub(crate) id: GraphId,
    pub(crate) name: String,
    pub(crate) partitions: Partitions,
    pub(crate) indexes: Indexes,
    pub(crate) catalog: CatalogVersions,
    pub(crate) leases: Leases,
    /// Held while a client's chosen ids are assigned, so that an external id stays one.
    pub(crate) choosing: Mutex<()>,
    /// Ids of edges that clients chose lately.
    pub(crate) chosen_edges: ChosenEdges,
    /// Held while names get their numbers, so that a name gets one only; the memory of those given
    /// since the folder was opened.
    pub(crate) interning: Mutex<Option<Reservation>>,
    /// The gate of schema changes.
    pub(crate) schema_lock: SchemaLock,
    /// Held by the drop of the graph, shared by all committers.
    pub(crate) dropping: RwLock<()>,
    /// The number of the next index; those of dropped ones are not given again.
    next_index: AtomicU32,
    dropped: AtomicBool,
    /// The commit since which all must be serializable, 0 if they need not: known before it is
    /// visible.
    serializable_since: AtomicU64,
}

/// The shards of all indexes of a graph.
#[derive(Default)]
pub(crate) struct Indexes {
    shards: RwLock<BTreeMap<IndexId, IndexShards>>,
    ordered: RwLock<BTreeMap<IndexId, Arc<RangeIndex>>>,
    /// Indexes that are being built and have no base yet: their entries are lost with the process,
    /// so no checkpoint looks at them and no log is kept for them.
    unfounded: Mutex<BTreeSet<IndexId>>,
    /// How far those that are being built are.
    builds: Mutex<BTreeMap<IndexId, Arc<BuildProgress>>>,
    /// Indexes that were dropped, and where: readers before still seek in them.
    dropped: Mutex<Vec<(u64, IndexId)>>,
}

/// The shards of one index, by the highest bits of the hash.
pub(crate) type IndexShards = Arc<[IndexShard]>;

impl Graph {
    /// A graph with a catalog as of `position`, that gives no vertex id below `ids_from`, and takes
    /// so many runs of edge ids of one ordinal before the next.
    fn new(
        id: GraphId,
        name: &str,
        (catalog, position): (Catalog, u64),
        ids_from: u64,
        edge_runs_max: u32,
    ) -> Arc<Graph> {
        let since = if catalog.serializable { position.max(1) } else { 0 };
        Arc::new(Graph {
            id,
            name: name.to_string(),
            partitions: Partitions::with_edge_runs(edge_runs_max),
            indexes: Indexes::default(),
            catalog: CatalogVersions::new(catalog, position),
            leases: Leases::behind(ids_from),
            choosing: Mutex::new(()),
            chosen_edges: ChosenEdges::default(),
            interning: Mutex::new(None),
            schema_lock: SchemaLock::default(),
            dropping: RwLock::new(()),
            next_index: AtomicU32::new(0),
            dropped: AtomicBool::new(false),
            serializable_since: AtomicU64::new(since),
        })
    }

    /// A number that no index has or had.
    pub(crate) fn new_index(&self) -> u32 {
        self.next_index.fetch_add(1, Ordering::Relaxed)
    }

    /// Numbers of indexes below this were given.
    pub(crate) fn next_index(&self) -> u32 {
        self.next_index.load(Ordering::Relaxed)
    }

    /// Takes numbers of indexes below `next` out of use.
    pub(crate) fn raise_next_index(&self, next: u32) {
        self.next_index.fetch_max(next, Ordering::Relaxed);
    }

    /// The commit since which all must be serializable, if they must.
    pub(crate) fn serializable_since(&self) -> Option<u64> {
        Some(self.serializable_since.load(Ordering::Acquire)).filter(|since| *since != 0)
    }

    /// Notes whether the commit at `position` demands serializable transactions. The changes of a
    /// graph come one by one.
    pub(crate) fn note_demand(&self, position: u64, changes: &[CatalogChange]) {
        for change in changes {
            if let CatalogChange::DemandSerializable(demanded) = change {
                let since = if *demanded { position } else { 0 };
                self.serializable_since.store(since, Ordering::Release);
            }
        }
    }

    /// The graph is dropped: open snapshots of it go on, nothing else does.
    pub(crate) fn drop_now(&self) {
        self.dropped.store(true, Ordering::Release);
    }

    /// Removes definitions that were unfinished when the process ended; there is no reader yet.
    pub(crate) fn abandon_builds(&self) {
        self.catalog.abandon_builds();
        self.indexes.keep_only(&self.catalog.newest());
    }

    /// Refuses if the graph was dropped.
    pub(crate) fn check_there(&self) -> Result<()> {
        if self.dropped.load(Ordering::Acquire) {
            let detail = format!("the graph {} was dropped", self.name);
            return Err(Error::new(ErrorKind::NotFound, detail).with_name(GRAPH_DROPPED));
        }
        Ok(())
    }

    /// The partition of a vertex that this store gave the id of.
    pub(crate) fn partition_of(&self, vertex: VertexId) -> Result<&Arc<Partition>> {
        if self.leases.bound() <= vertex.0 {
            let detail = format!("vertex {vertex} was never leased, so no edge can begin there");
            return Err(Error::new(ErrorKind::NotFound, detail));
        }
        let ordinal = u32::try_from(vertex.0 >> PARTITION_BITS).expect("leased ids are below 2^32");
        Ok(self.partitions.get_or_create(ordinal))
    }

    /// What all its indexes take.
    pub(crate) fn index_usage(&self) -> Usage {
        let catalog = self.catalog.newest();
        catalog.maintained_indexes().map(|index| self.indexes.usage(index.id)).sum()
    }

    /// Frees versions that no reader needs.
    pub(crate) fn forget(&self, pinned: &Arc<PinnedSnapshots>) {
        let oldest = pinned.oldest().0;
        self.partitions.iter().for_each(|partition| partition.forget(pinned));
        self.indexes.forget(oldest);
        self.catalog.forget(oldest);
    }
}

impl Graphs {
    /// Bytes of changes that are in memory only, with the versions for older readers.
    pub(crate) fn delta_bytes(&self) -> u64 {
        let of_graph = |graph: &Arc<Graph>| {
            let partitions = graph.partitions.iter();
            let vertices: usize =
                partitions.map(|partition| partition.delta_bytes() + partition.older_bytes()).sum();
            let catalog = graph.catalog.newest();
            let founded = graph.indexes.founded(&catalog);
            vertices + founded.map(|index| graph.indexes.delta_bytes(index.id).all).sum::<usize>()
        };
        self.all().iter().map(|graph| of_graph(graph) as u64).sum()
    }
}

impl Indexes {
    /// The shards of an index by hash, if it is there.
    pub(crate) fn get(&self, index: IndexId) -> Option<IndexShards> {
        self.shards.read().get(&index).cloned()
    }

    /// The shards of an ordered index, if it is there.
    pub(crate) fn ordered(&self, index: IndexId) -> Option<Arc<RangeIndex>> {
        self.ordered.read().get(&index).cloned()
    }

    /// Whether a shard is of an index that is there; partitions are.
    pub(crate) fn holds(&self, shard: ShardName) -> bool {
        match shard {
            ShardName::Partition(_) => true,
            ShardName::Index(index, _) => {
                self.get(index).is_some() || self.ordered(index).is_some()
            }
        }
    }

    /// Makes the shards of an index, empty; those there are stay.
    pub(crate) fn create(&self, index: &IndexDefinition) {
        match index.kind {
            IndexKind::Unique | IndexKind::Exact => {
                self.shards.write().entry(index.id).or_insert_with(empty_shards);
            }
            IndexKind::Range | IndexKind::Made => {
                self.ordered.write().entry(index.id).or_default();
            }
        }
    }

    /// An index is being built from here on, and has no base.
    pub(crate) fn begin(&self, index: IndexId) {
        self.unfounded.lock().insert(index);
        self.builds.lock().insert(index, Arc::default());
    }

    /// How far the build of an index is; `None` if none is under way.
    pub(crate) fn build(&self, index: IndexId) -> Option<Arc<BuildProgress>> {
        self.builds.lock().get(&index).cloned()
    }

    /// The build of an index is over, with the index or without.
    pub(crate) fn end_build(&self, index: IndexId) {
        self.builds.lock().remove(&index);
        self.found(index);
    }

    /// All builds that are under way.
    pub(crate) fn builds(&self) -> Vec<Arc<BuildProgress>> {
        self.builds.lock().values().cloned().collect()
    }

    /// What an index takes: of one that is being built, what was made so far.
    pub(crate) fn usage(&self, index: IndexId) -> Usage {
        let hashed = self.get(index).into_iter();
        let hashed =
            hashed.flat_map(|shards| shards.iter().map(IndexShard::usage).collect::<Vec<_>>());
        let own: Usage = hashed.chain(self.ordered(index).map(|ordered| ordered.usage())).sum();
        let is_unfounded = self.unfounded.lock().contains(&index);
        let made = self.build(index).filter(|_| is_unfounded).map(|build| build.made());
        made.into_iter().chain([own]).sum()
    }

    /// What there is of graphs over vectors.
    pub(crate) fn graph_usage(&self) -> GraphUsage {
        self.ordered.read().values().map(|ordered| ordered.graph_usage()).sum()
    }

    /// An index that is being built has a base that is durable.
    pub(crate) fn found(&self, index: IndexId) {
        self.unfounded.lock().remove(&index);
    }

    /// The indexes of which segments and log are kept: all but those that have no base yet.
    pub(crate) fn founded<'c>(
        &self,
        catalog: &'c Catalog,
    ) -> impl Iterator<Item = &'c IndexDefinition> {
        let unfounded = self.unfounded.lock().clone();
        catalog.maintained_indexes().filter(move |index| !unfounded.contains(&index.id))
    }

    /// Removes the indexes that were unfinished when the process ended.
    pub(crate) fn keep_only(&self, catalog: &Catalog) {
        let lives = |id: &IndexId| catalog.maintained_index(*id).is_some();
        self.shards.write().retain(|id, _| lives(id));
        self.ordered.write().retain(|id, _| lives(id));
    }

    /// The index was dropped by the commit at `position`.
    pub(crate) fn drop_at(&self, position: u64, index: IndexId) {
        self.dropped.lock().push((position, index));
    }

    /// The first change of an index that is in no segment.
    pub(crate) fn dirty_from(&self, index: IndexId) -> Option<u64> {
        let hashed = self.get(index).into_iter();
        let hashed = hashed.flat_map(|shards| {
            shards.iter().filter_map(|shard| shard.dirty_from()).collect::<Vec<_>>()
        });
        let ordered = self.ordered(index).into_iter().flat_map(|ordered| ordered.all());
        hashed.chain(ordered.filter_map(|shard| shard.dirty_from())).map(|at| at.0).min()
    }

    /// Every index by hash with its shards.
    pub(crate) fn all(&self) -> Vec<(IndexId, IndexShards)> {
        self.shards.read().iter().map(|(index, shards)| (*index, Arc::clone(shards))).collect()
    }

    /// Bytes of the deltas of an index.
    pub(crate) fn delta_bytes(&self, index: IndexId) -> DeltaBytes {
        let hashed = self.get(index);
        let hashed = hashed.iter().flat_map(|shards| shards.iter().map(IndexShard::delta_bytes));
        let ordered = self.ordered(index).map_or_else(Vec::new, |ordered| ordered.all());
        let all = hashed.chain(ordered.iter().map(|shard| shard.delta_bytes()));
        all.fold(DeltaBytes::default(), |sum, more| DeltaBytes {
            all: sum.all + more.all,
            fresh: sum.fresh + more.fresh,
        })
    }

    /// Frees the spans of an index that only readers before its shards' checkpoint positions find.
    pub(crate) fn end_readers(&self, index: IndexId) {
        if let Some(shards) = self.get(index) {
            shards.iter().for_each(IndexShard::end_readers);
        }
        if let Some(ordered) = self.ordered(index) {
            ordered.all().iter().for_each(|shard| shard.end_readers());
        }
    }

    fn forget(&self, oldest: u64) {
        self.dropped.lock().retain(|(position, index)| {
            let needed = oldest < *position;
            if !needed {
                self.shards.write().remove(index);
                self.ordered.write().remove(index);
            }
            needed
        });
        for (_, shards) in self.all() {
            shards.iter().for_each(|shard| shard.forget(LogPosition(oldest)));
        }
        let ordered: Vec<_> = self.ordered.read().values().cloned().collect();
        ordered.iter().for_each(|index| index.forget(LogPosition(oldest)));
    }
}

/// They share one base: a graph may have thousands of indexes without an entry.
fn empty_shards() -> IndexShards {
    let base = Arc::new(IndexBase::default());
    (0..INDEX_SHARDS).map(|_| IndexShard::new(Arc::clone(&base))).collect()
}

/// The graphs of a folder.
pub(crate) struct Graphs {
    graphs: RwLock<GraphTable>,
    /// Runs of edge ids that graphs take of one ordinal.
    edge_runs_max: u32,
}

impl Default for Graphs {
    fn default() -> Graphs {
        Graphs::with_edge_runs(EDGE_RUNS_MAX)
    }
}

#[derive(Default)]
struct GraphTable {
    by_id: BTreeMap<GraphId, Arc<Graph>>,
    by_name: BTreeMap<String, GraphId>,
    /// Graph 0 is the folder itself, and ids are never used twice.
    last_id: u32,
}

impl Graphs {
    /// No graphs; each takes so many runs of edge ids of one ordinal before the next.
    pub(crate) fn with_edge_runs(edge_runs_max: u32) -> Graphs {
        Graphs { graphs: RwLock::default(), edge_runs_max }
    }

    /// A graph that is not in the table yet, with a catalog as of a position, that gives no vertex
    /// id below `ids_from`.
    pub(crate) fn make(
        &self,
        id: GraphId,
        name: &str,
        catalog: (Catalog, u64),
        ids_from: u64,
    ) -> Arc<Graph> {
        Graph::new(id, name, catalog, ids_from, self.edge_runs_max)
    }

    /// The graph of a name.
    pub(crate) fn named(&self, name: &str) -> Option<Arc<Graph>> {
        let table = self.graphs.read();
        table.by_id.get(table.by_name.get(name)?).cloned()
    }

    /// The graph of an id.
    pub(crate) fn get(&self, id: GraphId) -> Option<Arc<Graph>> {
        self.graphs.read().by_id.get(&id).cloned()
    }

    /// The names of all graphs, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.graphs.read().by_name.keys().cloned().collect()
    }

    /// All graphs.
    pub(crate) fn all(&self) -> Vec<Arc<Graph>> {
        self.graphs.read().by_id.values().cloned().collect()
    }

    /// Adds a graph; one of that id stays.
    pub(crate) fn insert(&self, graph: &Arc<Graph>) {
        let mut table = self.graphs.write();
        table.last_id = table.last_id.max(graph.id.0);
        table.by_id.entry(graph.id).or_insert_with(|| Arc::clone(graph));
        table.by_name.entry(graph.name.clone()).or_insert(graph.id);
    }

    /// Takes a graph out.
    pub(crate) fn remove(&self, id: GraphId) {
        let mut table = self.graphs.write();
        if let Some(graph) = table.by_id.remove(&id) {
            if table.by_name.get(&graph.name) == Some(&id) {
                table.by_name.remove(&graph.name);
            }
            graph.drop_now();
        }
    }

    /// An id no graph has or had.
    pub(crate) fn new_id(&self) -> GraphId {
        let mut table = self.graphs.write();
        table.last_id += 1;
        GraphId(table.last_id)
    }

    /// The last id given, for the manifest.
    pub(crate) fn last_id(&self) -> u32 {
        self.graphs.read().last_id
    }

    /// Takes ids up to `last` out of use.
    pub(crate) fn raise_last_id(&self, last: u32) {
        let mut table = self.graphs.write();
        table.last_id = table.last_id.max(last);
    }
}
