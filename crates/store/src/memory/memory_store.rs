//! A graph: the current version, its ids and its conflicts, behind one lock.
//!
//! A commit is visible when `commit` returns, so a ticket never waits.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use millrace_model::{
    Bits, EdgeId, EdgeTypeId, Error, ErrorKind, ExternalId, LogPosition, Owner, Result, VertexId,
};
use parking_lot::{Condvar, Mutex};

use super::apply::Modified;
use super::conflicts::{Conflicts, Mark, Marks};
use super::graph_version::GraphVersion;
use crate::backend::{
    BulkLoad, CallsOut, GRAPH_DROPPED, NameKind, Store, StoreCall, Ticket, Watermark,
    check_new_name, make_index,
};
use crate::base::limits::CHOSEN_AHEAD;
use crate::changes::{Changes, Isolation, SpilledChanges, WriteBatch};
use crate::conflict_queue::{ConflictQueue, ConflictTicket};
use crate::constraint::{self, check_isolation};
use crate::external_ids::internal_ids_of;
use crate::reads::non_blocking;
use crate::reads::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use crate::snapshot::{Snapshot, check_claim};

#[derive(Clone)]
pub(super) struct MemoryStore {
    name: Arc<str>,
    state: Arc<Mutex<State>>,
    /// Notified of each commit.
    moved: Arc<Condvar>,
    turns: Arc<ConflictQueue>,
    dropped: Arc<AtomicBool>,
}

/// Why a commit is not done.
enum Refused {
    /// Another transaction holds the ticket for one of these keys.
    InTurn(Vec<u64>),
    Error(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Error(error)
    }
}

#[derive(Default)]
struct State {
    current: Arc<GraphVersion>,
    conflicts: Conflicts,
    vertices_leased: u64,
    chosen: BTreeSet<u64>,
    /// Ids that were chosen and are no internal ids, whether their vertex came to be or not.
    external: BTreeSet<u64>,
    /// The same of edges, which are none ever.
    external_edges: BTreeSet<u64>,
    slots_leased: HashMap<u64, u64>,
    next_index: u32,
}

impl MemoryStore {
    /// An empty graph.
    pub(super) fn new(name: &str) -> MemoryStore {
        MemoryStore {
            name: name.into(),
            state: Arc::default(),
            moved: Arc::default(),
            turns: Arc::default(),
            dropped: Arc::default(),
        }
    }

    /// The graph was dropped: snapshots go on, nothing else does.
    pub(super) fn close(&self) {
        // Under the lock: what holds it ends before.
        let _state = self.state.lock();
        self.dropped.store(true, Ordering::Release);
    }

    fn open_state(&self) -> Result<parking_lot::MutexGuard<'_, State>> {
        let state = self.state.lock();
        if self.is_dropped() {
            let detail = format!("the graph {} was dropped", self.name);
            return Err(Error::new(ErrorKind::NotFound, detail).with_name(GRAPH_DROPPED));
        }
        Ok(state)
    }
}

impl CallsOut for MemoryStore {
    fn calls_out(&self, _call: StoreCall) -> bool {
        false
    }
}

impl Store for MemoryStore {
    fn is_dropped(&self) -> bool {
        self.dropped.load(Ordering::Acquire)
    }

    fn snapshot(&self) -> Result<Arc<dyn Snapshot>> {
        Ok(self.open_state()?.current.clone())
    }

    fn intern(&self, names: &[(NameKind, &str)]) -> Result<Vec<u32>> {
        let mut state = self.open_state()?;
        let current = Arc::make_mut(&mut state.current);
        let catalog = Arc::make_mut(&mut current.catalog);
        for (kind, name) in names {
            let known = match kind {
                NameKind::Label => &catalog.labels,
                NameKind::EdgeType => &catalog.edge_types,
                NameKind::Key => &catalog.keys,
            };
            if known.number(name).is_none() {
                check_new_name(*kind, name)?;
            }
        }
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
        let free =
            (first..).filter(|id| !state.chosen.contains(id) && !state.external.contains(id));
        let ids: Vec<u64> = free.take(count as usize).collect();
        state.vertices_leased = ids.last().copied().unwrap_or(state.vertices_leased);
        let runs = ids.chunk_by(|left, right| left + 1 == *right);
        Ok(runs.map(|run| run[0]..run[run.len() - 1] + 1).collect())
    }

    fn claim_vertices(&self, ids: &[u64], apart: &Bits) -> Result<Vec<VertexId>> {
        let mut state = self.open_state()?;
        let mut taken = check_claim(&*state.current, ids)?;
        apart.ones().for_each(|row| taken.set(row, true));
        let external = state.place(ids, &taken);
        drop(state);
        let count = external.count() as u64;
        if count != 0 {
            make_index(self, Owner::AllVertices)?;
        }
        internal_ids_of(ids, &external, self.lease_vertices(count)?.into_iter().flatten())
    }

    fn claim_edges(&self, ids: &[ExternalId]) -> Result<()> {
        let numbers = ids.iter().filter_map(|id| match id {
            ExternalId::Number(number) => Some(*number),
            ExternalId::Text(_) => None,
        });
        self.open_state()?.external_edges.extend(numbers);
        make_index(self, Owner::AllEdges).map(drop)
    }

    fn lease_edges(&self, _edge_type: EdgeTypeId, sources: &[VertexId]) -> Result<Vec<EdgeId>> {
        let mut state = self.open_state()?;
        Ok(sources.iter().map(|source| state.lease_edge(*source)).collect())
    }

    fn commit(&self, batch: WriteBatch) -> Result<Ticket> {
        let spilled = batch.spilled.iter().map(|part| part.read()).collect::<Result<Vec<_>>>()?;
        let parts: Vec<_> = spilled.iter().chain([&batch.changes]).collect();
        let writes = !parts.iter().all(|part| part.is_empty()) || !batch.claims.is_empty();
        let position = loop {
            let mut state = self.open_state()?;
            if !writes {
                break state.current.position;
            }
            match state.commit(&batch, &parts, &self.turns) {
                Ok(position) => {
                    self.moved.notify_all();
                    break position;
                }
                Err(Refused::Error(error)) => return Err(error),
                Err(Refused::InTurn(keys)) => {
                    drop(state);
                    non_blocking::would_block()?;
                    self.turns.pass(batch.ticket, true, &keys.iter().copied())?;
                }
            }
        };
        Ok(Ticket { position, watermark: self.watermark() })
    }

    fn take_ticket(&self, keys: &[u64], deadline: Option<Instant>) -> Result<ConflictTicket> {
        drop(self.open_state()?);
        self.turns.take(keys, deadline, || self.state.lock().current.position)
    }

    fn watermark(&self) -> Arc<dyn Watermark> {
        Arc::new(self.clone())
    }

    fn spill(&self, part: Changes) -> Result<Arc<dyn SpilledChanges>> {
        drop(self.open_state()?);
        Ok(Arc::new(KeptChanges { part }))
    }

    fn begin_bulk_load(&self) -> Result<Box<dyn BulkLoad>> {
        drop(self.open_state()?);
        Ok(Box::new(MemoryBulkLoad { store: self.clone(), parts: Vec::new() }))
    }
}

impl State {
    /// Decides which of the chosen ids are external ids: those that were before, those with a slot
    /// that is taken, and those far from all slots. Others are slots, now and later.
    fn place(&mut self, ids: &[u64], taken: &Bits) -> Bits {
        let mut rows: Vec<usize> = (0..ids.len()).collect();
        rows.sort_unstable_by_key(|row| ids[*row]);
        let mut reach = self.chosen.last().map_or(0, |last| *last).max(self.vertices_leased);
        let mut external = Bits::unset(ids.len());
        for row in rows {
            let id = ids[row];
            if taken.get(row)
                || self.external.contains(&id)
                || reach.saturating_add(CHOSEN_AHEAD) < id
            {
                self.external.insert(id);
                external.insert(row);
            } else {
                self.chosen.insert(id);
                reach = reach.max(id);
            }
        }
        external
    }

    fn lease_edge(&mut self, source: VertexId) -> EdgeId {
        let partition = source.0 >> PARTITION_BITS;
        let slot = self.slots_leased.entry(partition).or_default();
        loop {
            *slot += 1;
            let edge = partition << EDGE_SLOT_BITS | *slot;
            if !self.external_edges.contains(&edge) {
                return EdgeId(edge);
            }
        }
    }

    fn commit(
        &mut self,
        batch: &WriteBatch,
        parts: &[&Changes],
        turns: &ConflictQueue,
    ) -> std::result::Result<LogPosition, Refused> {
        let mut marks = Marks::default();
        batch.claims.iter().for_each(|claim| marks.both(Mark::Claim(*claim)));
        let catalog = self.current.catalog.clone();
        check_isolation(&catalog, batch, parts)?;
        let created = parts.iter().flat_map(|part| &part.vertices).flat_map(|block| &block.ids);
        let (form, created) = ((&*catalog, batch.unit), created.copied().collect());
        parts.iter().for_each(|part| marks.add_changes(part, form, &created));
        if batch.isolation == Isolation::Serializable {
            marks.add_reads(&batch.reads);
        }
        self.conflicts.check(&marks.checked, batch.snapshot)?;
        let (mut next, mut next_index) = (GraphVersion::clone(&self.current), self.next_index);
        let mut modified = Modified::default();
        parts.iter().try_for_each(|part| next.apply(part, &mut next_index, &mut modified))?;
        let mut difference = Marks::default();
        difference.add_difference(&self.current, &next, &modified);
        self.conflicts.check(&difference.checked, batch.snapshot)?;
        next.derive_indexes(&self.current, &modified)?;
        marks.set.append(&mut difference.set);
        let keys = marks.set.iter().map(Mark::key);
        if turns.pass(batch.ticket, false, &keys).is_err() {
            return Err(Refused::InTurn(keys.collect()));
        }
        non_blocking::begin_effect()?;
        next.position = LogPosition(self.current.position.0 + 1);
        let position = next.position;
        self.current = Arc::new(next);
        self.next_index = next_index;
        self.conflicts.record(marks.set, position);
        Ok(position)
    }
}

impl Watermark for MemoryStore {
    fn visible(&self) -> LogPosition {
        self.state.lock().current.position
    }

    fn wait(&self, position: LogPosition, deadline: Option<Instant>) -> Result<()> {
        let mut state = self.state.lock();
        while state.current.position < position {
            let is_late = match deadline {
                None => {
                    self.moved.wait(&mut state);
                    false
                }
                Some(deadline) => self.moved.wait_until(&mut state, deadline).timed_out(),
            };
            if is_late && state.current.position < position {
                let detail = "the deadline passed before the position was visible";
                return Err(Error::new(ErrorKind::DeadlineExceeded, detail));
            }
        }
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
        let catalog = self.store.open_state()?.current.catalog.clone();
        part.edges
            .iter()
            .try_for_each(|block| constraint::check_load(&catalog, block.edge_type))?;
        self.parts.push(part);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<LogPosition> {
        let mut all = Changes::default();
        let mut state = self.store.open_state()?;
        let catalog = state.current.catalog.clone();
        for mut part in self.parts {
            all.catalog.append(&mut part.notes_of_irregular_keys(&catalog));
            for block in part.edges.iter_mut().filter(|block| block.ids.is_empty()) {
                block.ids = block.sources.iter().map(|source| state.lease_edge(*source)).collect();
            }
            all.vertices.append(&mut part.vertices);
            all.edges.append(&mut part.edges);
        }
        drop(state);
        loop {
            let mut state = self.store.open_state()?;
            let snapshot = state.current.position;
            let batch = WriteBatch { snapshot, ..WriteBatch::default() };
            match state.commit(&batch, &[&all], &self.store.turns) {
                Ok(position) => {
                    self.store.moved.notify_all();
                    return Ok(position);
                }
                Err(Refused::Error(error)) => return Err(error),
                Err(Refused::InTurn(keys)) => {
                    drop(state);
                    self.store.turns.pass(None, true, &keys.iter().copied())?;
                }
            }
        }
    }
}
