//! The gathered graph to the store. Vertices are renumbered by label set, so that each set's
//! vertices get neighbouring ids and each part is plain columns.
//!
//! A name that the graph already has is the same vertex: then everything goes through one
//! transaction, which may change it. Otherwise it is a bulk load, which only creates.

mod edges;
mod order;
mod single_values;
mod vertices;

use super::graph::QuadGraph;
use crate::error::LoadError;
use crate::graph::{Sink, ensure_unique, intern, intern_one, labels_of};
use crate::progress::LoadPath;
use millrace_model::{KeyId, Owner};
use millrace_store::{Changes, Labels, NameKind, Snapshot, Store};
use order::{Order, find_names, find_uids, order_vertices};
use single_values::decide_values;
use std::sync::Arc;

/// The sink with the graph in it, and its size. Nothing is visible before the sink is finished.
pub(crate) struct Emitted<'a> {
    /// Vertices created.
    pub(crate) vertices: u64,
    /// Edges created.
    pub(crate) edges: u64,
    /// Values that replaced others of the graph.
    pub(crate) replaced: u64,
    /// The sink, not finished.
    pub(crate) sink: Sink<'a>,
    /// The snapshot that existing elements were read at.
    pub(crate) snapshot: Arc<dyn Snapshot>,
}

/// Called after each part with the rows (vertices and edges) in it; an error stops the load.
pub(crate) type OnPart<'a> = &'a mut dyn FnMut(u64, u64) -> Result<(), LoadError>;

/// Hands the whole graph over.
pub(crate) fn emit<'a>(
    mut graph: QuadGraph,
    store: &'a dyn Store,
    path: LoadPath,
    on_part: OnPart<'_>,
) -> Result<Emitted<'a>, LoadError> {
    // Without a schema every load has the key of names, and its index; uids need none.
    let has_names = !graph.has_schema() || graph.has_names();
    let xid = match has_names {
        true => Some(KeyId(intern_one(store, NameKind::Key, graph.name_key())?)),
        false => None,
    };
    let had_index = match xid {
        Some(xid) => ensure_unique(store, Owner::AllVertices, xid)?,
        None => false,
    };
    let snapshot = store.snapshot()?;
    let mut existing = vec![None; graph.vertex_count()];
    if let Some(xid) = xid.filter(|_| had_index) {
        find_names(&graph, &*snapshot, xid, &mut existing)?;
    }
    if graph.has_schema() {
        find_uids(&graph, &*snapshot, &mut existing)?;
    }
    let (set_of, sets) = graph.label_sets();
    let labels = store_labels(&graph, store, &sets)?;
    let order = order_vertices(store, &graph, &set_of, &existing)?;
    decide_values(&mut graph, &order);
    let keys = intern(store, NameKind::Key, graph.keys.iter())?;
    let sink = match path {
        LoadPath::Bulk if !order.has_existing() => Sink::bulk(store)?,
        LoadPath::Bulk | LoadPath::Transaction => {
            Sink::transaction(store, Some(Arc::clone(&snapshot)))
        }
    };
    let mut emission = Emission { graph, order, xid, keys, snapshot, sink, replaced: 0, on_part };
    emission.push_new(&set_of, &labels)?;
    emission.push_existing(&set_of, &sets, &labels)?;
    let edges = emission.push_edges(store)?;
    let vertices = u64::from(emission.order.new);
    let Emission { sink, snapshot, replaced, .. } = emission;
    Ok(Emitted { vertices, edges, replaced, sink, snapshot })
}

fn store_labels(
    graph: &QuadGraph,
    store: &dyn Store,
    sets: &[Vec<u32>],
) -> Result<Vec<Labels>, LoadError> {
    let numbers = intern(store, NameKind::Label, graph.labels.iter())?;
    let to_store = |set: &Vec<u32>| set.iter().map(|label| numbers[*label as usize]).collect();
    Ok(sets.iter().map(|set| labels_of(to_store(set))).collect())
}

/// The state of handing one graph over.
struct Emission<'s, 'p> {
    graph: QuadGraph,
    order: Order,
    xid: Option<KeyId>,
    /// The store's number of each key of the graph.
    keys: Vec<u32>,
    snapshot: Arc<dyn Snapshot>,
    sink: Sink<'s>,
    replaced: u64,
    on_part: OnPart<'p>,
}

impl Emission<'_, '_> {
    fn push(&mut self, part: Changes, vertices: usize, edges: usize) -> Result<(), LoadError> {
        self.sink.push(part)?;
        (self.on_part)(vertices as u64, edges as u64)
    }
}
