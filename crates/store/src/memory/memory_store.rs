//! A graph: the current version, its ids and its conflicts, behind one lock.
//!
//! A commit is visible when `commit` returns, so a ticket never waits.

use std::any::Any;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use millrace_model::{EdgeId, EdgeTypeId, Error, ErrorKind, Position, Result, VertexId};
use parking_lot::Mutex;

use super::apply::Touched;
use super::conflicts::{Conflicts, Mark, Marks};
use super::graph_version::GraphVersion;
use crate::backend::{BulkLoad, NameKind, SpilledChanges, Store};
use crate::changes::{Changes, Isolation, WriteBatch};
use crate::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use crate::snapshot::Snapshot;
use crate::ticket::{Ticket, Watermark};

#[derive(Clone, Default)]
pub(super) struct MemoryStore {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    current: Arc<GraphVersion>,
    conflicts: Conflicts,
    vertices_leased: u64,
    slots_leased: HashMap<u64, u64>,
    next_index: u32,
    dropped: bool,
}

impl MemoryStore {
    /// The graph was dropped: snapshots go on, nothing else does.
    pub(super) fn close(&self) {
        self.state.lock().dropped = true;
    }

    fn open_state(&self) -> Result<parking_lot::MutexGuard<'_, State>> {
        let state = self.state.lock();
        if state.dropped {
            return Err(Error::new(ErrorKind::NotFound, "this graph was dropped"));
        }
        Ok(state)
    }
}

impl Store for MemoryStore {
    fn snapshot(&self) -> Result<Arc<dyn Snapshot>> {
        Ok(self.open_state()?.current.clone())
    }

    fn intern(&self, names: &[(NameKind, &str)]) -> Result<Vec<u32>> {
        let mut state = self.open_state()?;
        let current = Arc::make_mut(&mut state.current);
        let catalog = Arc::make_mut(&mut current.catalog);
        let intern = |(kind, name): &(NameKind, &str)| match kind {
            NameKind::Label => catalog.labels.intern(name),
            NameKind::EdgeType => catalog.edge_types.intern(name),
            NameKind::Key => catalog.keys.intern(name),
        };
        Ok(names.iter().map(intern).collect())
    }

    fn lease_vertices(&self, count: u64) -> Result<Vec<Range<u64>>> {
        let mut state = self.open_state()?;
        let first = state.vertices_leased + 1;
        state.vertices_leased += count;
        Ok((count != 0).then_some(first..first + count).into_iter().collect())
    }

    fn lease_edges(&self, _edge_type: EdgeTypeId, sources: &[VertexId]) -> Result<Vec<EdgeId>> {
        let mut state = self.open_state()?;
        Ok(sources.iter().map(|source| state.lease_edge(*source)).collect())
    }

    fn commit(&self, batch: WriteBatch) -> Result<Ticket> {
        let spilled = batch.spilled.iter().map(|part| part.read()).collect::<Result<Vec<_>>>()?;
        let mut state = self.open_state()?;
        let parts: Vec<_> = spilled.iter().chain([&batch.changes]).collect();
        let position = if parts.iter().all(|part| part.is_empty()) && batch.claims.is_empty() {
            state.current.position
        } else {
            state.commit(&batch, &parts)?
        };
        Ok(Ticket { position, watermark: Arc::new(self.clone()) })
    }

    fn spill(&self, part: Changes) -> Result<Arc<dyn SpilledChanges>> {
        Ok(Arc::new(KeptChanges { part }))
    }

    fn begin_bulk_load(&self) -> Result<Box<dyn BulkLoad>> {
        Ok(Box::new(MemoryBulkLoad { store: self.clone(), parts: Vec::new() }))
    }
}

impl State {
    fn lease_edge(&mut self, source: VertexId) -> EdgeId {
        let partition = source.0 >> PARTITION_BITS;
        let slot = self.slots_leased.entry(partition).or_default();
        *slot += 1;
        EdgeId(partition << EDGE_SLOT_BITS | *slot)
    }

    fn commit(&mut self, batch: &WriteBatch, parts: &[&Changes]) -> Result<Position> {
        let mut marks = Marks::default();
        batch.claims.iter().for_each(|claim| marks.both(Mark::Claim(*claim)));
        parts.iter().for_each(|part| marks.add_changes(part));
        if batch.isolation == Isolation::Serializable {
            marks.checked.extend(batch.reads.iter().map(|unit| Mark::Unit(*unit)));
        }
        self.conflicts.check(&marks.checked, batch.snapshot)?;
        let (mut next, mut next_index) = (GraphVersion::clone(&self.current), self.next_index);
        let mut touched = Touched::default();
        parts.iter().try_for_each(|part| next.apply(part, &mut next_index, &mut touched))?;
        let mut difference = Marks::default();
        difference.add_difference(&self.current, &next, &touched);
        self.conflicts.check(&difference.checked, batch.snapshot)?;
        next.settle(&self.current, &touched)?;
        next.position = Position(self.current.position.0 + 1);
        let position = next.position;
        self.current = Arc::new(next);
        self.next_index = next_index;
        marks.set.append(&mut difference.set);
        self.conflicts.record(marks.set, position);
        Ok(position)
    }
}

impl Watermark for MemoryStore {
    fn visible(&self) -> Position {
        self.state.lock().current.position
    }

    fn wait(&self, position: Position, _deadline: Option<Instant>) -> Result<()> {
        assert!(position <= self.visible(), "a ticket is given after its commit is visible");
        Ok(())
    }
}

/// A part that was spilled to nowhere: memory is all there is.
struct KeptChanges {
    part: Changes,
}

impl SpilledChanges for KeptChanges {
    fn read(&self) -> Result<Changes> {
        Ok(self.part.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct MemoryBulkLoad {
    store: MemoryStore,
    parts: Vec<Changes>,
}

impl BulkLoad for MemoryBulkLoad {
    fn push(&mut self, part: Changes) -> Result<()> {
        let created_only = Changes { vertices: Vec::new(), edges: Vec::new(), ..part.clone() };
        if !created_only.is_empty() {
            let detail = "a bulk load takes new vertices and edges, nothing else";
            return Err(Error::new(ErrorKind::Unsupported, detail));
        }
        self.parts.push(part);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Position> {
        let mut all = Changes::default();
        let mut state = self.store.open_state()?;
        for mut part in self.parts {
            for block in part.edges.iter_mut().filter(|block| block.ids.is_empty()) {
                block.ids = block.sources.iter().map(|source| state.lease_edge(*source)).collect();
            }
            all.vertices.append(&mut part.vertices);
            all.edges.append(&mut part.edges);
        }
        let snapshot = state.current.position;
        let batch = WriteBatch { snapshot, ..WriteBatch::default() };
        state.commit(&batch, &[&all])
    }
}
