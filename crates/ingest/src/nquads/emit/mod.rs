//! The gathered graph to the store. Vertices are renumbered by label set, so that each set's
//! vertices get neighbouring ids and each part is plain columns.
//!
//! A name that the graph already has is the same vertex: then everything goes through one
//! transaction, which may change it. Otherwise it is a bulk load, which only creates.

mod edges;
mod order;
mod vertices;

use super::graph::QuadGraph;
use super::vocabulary::XID;
use crate::error::LoadError;
use crate::graph::{Sink, ensure_unique, intern, intern_one, labels_of};
use millrace_model::{KeyId, Owner, Position};
use millrace_store::{Changes, Labels, NameKind, Snapshot, Store};
use order::{Order, find_existing, order_vertices};
use std::sync::Arc;

/// What reached the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Emitted {
    /// Vertices created.
    pub(crate) vertices: u64,
    /// Edges created.
    pub(crate) edges: u64,
    /// Where in the order of commits.
    pub(crate) position: Position,
}

/// Called after each part with the rows (vertices and edges) in it; an error stops the load.
pub(crate) type OnPart<'a> = &'a mut dyn FnMut(u64, u64) -> Result<(), LoadError>;

/// Makes the graph durable and visible, all or nothing.
pub(crate) fn emit(
    mut graph: QuadGraph,
    store: &dyn Store,
    on_part: OnPart<'_>,
) -> Result<Emitted, LoadError> {
    let xid = KeyId(intern_one(store, NameKind::Key, XID)?);
    let had_index = ensure_unique(store, Owner::AllVertices, xid)?;
    let snapshot = store.snapshot()?;
    let existing = match had_index {
        true => find_existing(&graph, &*snapshot, xid)?,
        false => vec![None; graph.vertex_count()],
    };
    let (set_of, sets) = graph.label_sets();
    let labels = store_labels(&graph, store, &sets)?;
    let order = order_vertices(store, &set_of, &existing)?;
    let keys = intern(store, NameKind::Key, graph.keys.iter())?;
    for values in &mut graph.values {
        values.settle(|vertex| Some(order.ranks[vertex as usize]));
    }
    let sink = match order.has_existing() {
        true => Sink::transaction(store, Arc::clone(&snapshot)),
        false => Sink::bulk(store)?,
    };
    let mut emission = Emission { graph, order, xid, keys, snapshot, sink, on_part };
    emission.push_new(&set_of, &labels)?;
    emission.push_existing(&set_of, &sets, &labels)?;
    let edges = emission.push_edges(store)?;
    let vertices = u64::from(emission.order.new);
    Ok(Emitted { vertices, edges, position: emission.sink.finish()? })
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
    xid: KeyId,
    /// The store's number of each key of the graph.
    keys: Vec<u32>,
    snapshot: Arc<dyn Snapshot>,
    sink: Sink<'s>,
    on_part: OnPart<'p>,
}

impl Emission<'_, '_> {
    fn push(&mut self, part: Changes, vertices: usize, edges: usize) -> Result<(), LoadError> {
        self.sink.push(part)?;
        (self.on_part)(vertices as u64, edges as u64)
    }
}
