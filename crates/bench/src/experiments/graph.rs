//! The graphs that rows write to: made by a bulk load, cached, and copied for each run.
//!
//! A separate process makes each graph, so that the load leaves nothing in the memory of the process
//! that measures.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use millrace_db::store::{
    Changes, EdgeBlock, NameKind, ScanCursor, Store, Ticket, VertexBlock, WriteBatch,
};
use millrace_db::{Database, Graph, Settings};
use millrace_model::{Column, ColumnValues, EdgeTypeId, Error, ErrorKind, KeyId, Result, VertexId};
use serde::{Deserialize, Serialize};

use super::measurement::{Conditions, settings};
use crate::data::{self, Scratch, io_error};
use crate::jobs::{Job, have_done};
use crate::limit::Rmat;
use millrace_model::random::SplitMix64;

/// Vertices of the full graph.
const VERTICES: f64 = 1e6;

/// Out edges of each vertex of the full graph, and in edges on average.
pub(super) const DEGREE: u64 = 100;

/// Edges of an R-MAT graph for each vertex.
const RMAT_DEGREE: u64 = 10;

/// Edges handed to the bulk load at once.
const LOAD_PART_EDGES: u64 = 200_000;

/// The name of the graph in its folder.
const GRAPH_NAME: &str = "bench";

/// Where the random ends of the base start; runs have other seeds.
const BASE_SEED: u64 = 1;

/// The distribution of the edges before a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Shape {
    /// Each vertex has [`DEGREE`] edges to random others.
    Random,
    /// Each vertex has one edge, to the first.
    Hub,
    /// [`RMAT_DEGREE`] times as many edges as vertices, some of which have very many.
    Rmat,
}

/// A graph to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GraphPlan {
    pub(super) vertices: u64,
    pub(super) shape: Shape,
    /// Whether each edge has a double as its weight.
    pub(super) weighted: bool,
}

/// The job of a process that makes a graph and keeps it; it answers with the graph's folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PrepareGraph {
    plan: GraphPlan,
    data: PathBuf,
}

impl Job for PrepareGraph {
    const NAME: &'static str = "Prepare";
}

impl PrepareGraph {
    /// Makes it.
    pub(crate) fn run(&self) -> Result<PathBuf> {
        self.plan.make(&self.data)
    }
}

/// An open graph, with the ids that rows need.
pub(super) struct OpenGraph {
    pub(super) database: Database,
    pub(super) store: Arc<dyn Store>,
    pub(super) edge_type: EdgeTypeId,
    pub(super) weight: Option<KeyId>,
    pub(super) vertices: Range<u64>,
    pub(super) graph: Arc<Graph>,
}

impl GraphPlan {
    /// The plan at the size asked for.
    pub(super) fn sized(conditions: &Conditions, shape: Shape, weighted: bool) -> GraphPlan {
        GraphPlan { vertices: (VERTICES * conditions.scale) as u64, shape, weighted }
    }

    /// How many edges the base has.
    pub(super) fn edge_count(&self) -> u64 {
        match self.shape {
            Shape::Random => self.vertices * DEGREE,
            Shape::Hub => self.vertices,
            Shape::Rmat => self.vertices * RMAT_DEGREE,
        }
    }

    /// The generator of an R-MAT graph of this size; its vertices are counted from 0.
    pub(super) fn rmat(&self) -> Rmat {
        Rmat { vertices: self.vertices as u32, edges: self.edge_count() as u32, seed: BASE_SEED }
    }

    fn folder_name(&self) -> String {
        let shape = match self.shape {
            Shape::Random => "random",
            Shape::Hub => "hub",
            Shape::Rmat => "rmat",
        };
        let weighted = if self.weighted { "-weighted" } else { "" };
        format!("database-{shape}-{}{weighted}", self.vertices)
    }

    /// The folder of the graph, which is made if it is not there.
    pub(super) fn cached(&self, conditions: &Conditions) -> Result<PathBuf> {
        let job = PrepareGraph { plan: *self, data: conditions.data.clone() };
        have_done(&conditions.program, &job)
    }

    /// A copy of the graph that a run may change.
    pub(super) fn copied(&self, conditions: &Conditions, row: &str) -> Result<Scratch> {
        Scratch::copy(&conditions.data, row, &self.cached(conditions)?)
    }

    /// Makes the graph in this process, if it is not there or of another format.
    fn make(&self, data: &Path) -> Result<PathBuf> {
        let cached = data.join(self.folder_name());
        if cached.is_dir() {
            match OpenGraph::open(&cached, settings()) {
                Err(error) if error.kind == ErrorKind::Unsupported => {
                    fs::remove_dir_all(&cached).map_err(|error| io_error(&cached, &error))?;
                }
                opened => opened?.close(),
            }
        }
        data::once(data, &self.folder_name(), |folder| self.load(folder))
    }

    fn load(&self, folder: &Path) -> Result<()> {
        let database = Database::open(folder, settings())?;
        let graph = database.create_graph(GRAPH_NAME)?;
        let store = graph.store();
        let numbers = store.intern(&[(NameKind::EdgeType, "LIKES"), (NameKind::Key, "weight")])?;
        let (edge_type, weight) = (EdgeTypeId(numbers[0]), KeyId(numbers[1]));
        let mut leased = store.lease_vertices(self.vertices)?;
        let (Some(vertices), true) = (leased.pop(), leased.is_empty()) else {
            return Err(Error::new(ErrorKind::Bug, "a new graph gives its ids in one range"));
        };
        let mut load = store.begin_bulk_load()?;
        let block =
            VertexBlock { ids: vertices.clone().map(VertexId).collect(), ..VertexBlock::default() };
        load.push(Changes { vertices: vec![block], ..Changes::default() })?;
        let mut random = SplitMix64::new(BASE_SEED);
        for mut block in self.edges(vertices) {
            block.edge_type = edge_type;
            if self.weighted {
                block.properties.push((weight, weights(block.sources.len(), &mut random)));
            }
            load.push(Changes { edges: vec![block], ..Changes::default() })?;
        }
        load.finish()?;
        // The checkpoint of the load must not fall into the time of a row.
        database.checkpoint()?;
        database.close();
        Ok(())
    }
}

impl GraphPlan {
    /// All edges, in parts.
    fn edges(&self, vertices: Range<u64>) -> Box<dyn Iterator<Item = EdgeBlock>> {
        let plan = *self;
        if self.shape == Shape::Rmat {
            let mut edges = self.rmat().edges();
            return Box::new(std::iter::from_fn(move || {
                let part = edges.by_ref().take(LOAD_PART_EDGES as usize);
                let vertex = |number: u32| VertexId(vertices.start + u64::from(number));
                let (sources, targets): (Vec<_>, Vec<_>) =
                    part.map(|(source, target)| (vertex(source), vertex(target))).unzip();
                let some = !sources.is_empty();
                some.then(|| EdgeBlock { sources, targets, ..EdgeBlock::default() })
            }));
        }
        let mut random = SplitMix64::new(BASE_SEED);
        let step = (LOAD_PART_EDGES * self.vertices / self.edge_count()).max(1);
        Box::new(vertices.clone().step_by(step as usize).map(move |first| {
            let owners = first..(first + step).min(vertices.end);
            plan.edges_of(owners, &vertices, &mut random)
        }))
    }

    /// The edges that leave some of the vertices.
    fn edges_of(&self, owners: Range<u64>, all: &Range<u64>, random: &mut SplitMix64) -> EdgeBlock {
        let mut block = EdgeBlock::default();
        for owner in owners {
            for _ in 0..self.edge_count() / self.vertices {
                let target = match self.shape {
                    Shape::Hub => 0,
                    Shape::Random | Shape::Rmat => random.below(self.vertices),
                };
                block.sources.push(VertexId(owner));
                block.targets.push(VertexId(all.start + target));
            }
        }
        block
    }
}

/// A random weight for each of so many edges.
fn weights(count: usize, random: &mut SplitMix64) -> Column {
    Column::of(ColumnValues::F64((0..count).map(|_| (random.next_u64() >> 11) as f64).collect()))
}

impl OpenGraph {
    /// Opens the graph of a folder that a plan made.
    pub(super) fn open(folder: &Path, settings: Settings) -> Result<OpenGraph> {
        OpenGraph::open_named(folder, GRAPH_NAME, settings)
    }

    /// Opens a graph of likes, with vertices numbered without gaps.
    pub(super) fn open_named(folder: &Path, name: &str, settings: Settings) -> Result<OpenGraph> {
        let database = Database::open(folder, settings)?;
        let graph = database.graph(name)?;
        let store = Arc::clone(graph.store());
        let snapshot = store.snapshot()?;
        let catalog = snapshot.catalog();
        let edge_type = catalog.edge_types.number("LIKES").map(EdgeTypeId);
        let edge_type = edge_type
            .ok_or_else(|| Error::new(ErrorKind::Bug, "the graph was not made by the bench"))?;
        let weight = catalog.keys.number("weight").map(KeyId);
        let mut first = Vec::new();
        snapshot.scan_vertices(None, &mut ScanCursor::default(), 1, &mut first)?;
        let first = first.first().map_or(1, |vertex| vertex.0);
        let vertices = first..first + snapshot.count_vertices(None)?;
        Ok(OpenGraph { database, store, edge_type, weight, vertices, graph })
    }

    /// Adds one edge from each source to the target beside it, as one transaction.
    pub(super) fn commit(
        &self,
        sources: Vec<VertexId>,
        targets: Vec<VertexId>,
        properties: Vec<(KeyId, Column)>,
    ) -> Result<Ticket> {
        let snapshot = self.store.snapshot()?;
        let ids = self.store.lease_edges(self.edge_type, &sources)?;
        let block = EdgeBlock { edge_type: self.edge_type, ids, sources, targets, properties };
        self.store.commit(WriteBatch {
            snapshot: snapshot.position(),
            catalog_version: snapshot.catalog().version,
            changes: Changes { edges: vec![block], ..Changes::default() },
            ..WriteBatch::default()
        })
    }

    /// Commits so many edges with sampled ends, `batch` in each transaction, and waits for them.
    pub(super) fn insert(
        &self,
        sample: &mut dyn FnMut() -> (VertexId, VertexId),
        count: u64,
        batch: u64,
        weighted: bool,
    ) -> Result<()> {
        let weight = self.weight.filter(|_| weighted);
        let mut random = SplitMix64::new(BASE_SEED);
        let mut last = None;
        let mut left = count;
        while 0 < left {
            let now = left.min(batch);
            let (sources, targets) = (0..now).map(|_| sample()).unzip();
            let properties = weight.map(|key| (key, weights(now as usize, &mut random)));
            last = Some(self.commit(sources, targets, properties.into_iter().collect())?);
            left -= now;
        }
        last.map_or(Ok(()), |ticket| ticket.wait().map(|_| ()))
    }

    /// A number that the database counts.
    pub(super) fn metric(&self, name: &str) -> f64 {
        let metrics = self.database.metrics();
        let found = metrics.iter().find(|metric| metric.name == name);
        found.map_or(0.0, |metric| metric.value)
    }

    /// Closes the folder.
    pub(super) fn close(self) {
        self.database.close();
    }
}

/// Settings under which no checkpoint begins by itself: changes stay in the log and in memory.
pub(super) fn without_checkpoints() -> Settings {
    let mut settings = settings();
    settings.log.checkpoint_bytes = 1 << 40;
    settings.log.bytes_max = 1 << 42;
    settings.data.checkpoint_bytes = 1 << 40;
    settings.data.changes_bytes_max = 1 << 42;
    settings
}
