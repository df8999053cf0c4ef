//! A transaction: a private write set over a snapshot, and itself a [`Snapshot`] of both.
//!
//! Writes are set-at-a-time and append to columns; reads see them through the same runs, one
//! unsorted run more for a modified vertex. A read holds the lock while its sink runs, so a sink
//! may read, but never write, in the same transaction.
//!
//! ```text
//!   Transaction ── RwLock ──> WriteSet ─┬─ open: Part (columns, indexed on first read)
//!        │                              ├─ spilled: SpilledPart … (read back when modified)
//!        │ View = snapshot + set        ├─ created, labels, deleted, index entries: in memory
//!        └─> reads, early checks        └─ catalog
//! ```
//!
//! A statement that fails half-way leaves its earlier writes: undoing a statement alone
//! (savepoints) is not built yet, so the caller rolls the transaction back.
//!
//! What is private to a transaction until it commits enters, the same for every backend: no backend is named but in
//! tests.

mod reads;
mod state;
mod view;
mod writes;

use std::sync::Arc;

use millrace_model::{
    CatalogChange, Column, EdgeId, EdgeTypeId, ExternalId, IndexId, KeyId, Result, VertexId,
};
use parking_lot::{Mutex, RecursiveRwLock, RecursiveRwLockReadGuard};

use crate::backend::{NameKind, Store, StoreCall, Ticket};
use crate::changes::{ConflictTicketId, ConflictUnit, Isolation, Labels, ReadUnit, WriteBatch};
use crate::reads::Elements;
use crate::reads::run::EDGE_SLOT_BITS;
use crate::snapshot::Snapshot;
use state::read_log::ReadLog;
use state::write_set::WriteSet;
use view::View;
use writes::{
    commit, create, delete, labels_write, merge_created, property_rules, schema_change,
    set_properties,
};

pub use state::NewProperties;

/// A private write set over a snapshot; dropped without [`Transaction::commit`], nothing happened.
pub struct Transaction {
    store: Arc<dyn Store>,
    snapshot: Arc<dyn Snapshot>,
    isolation: Isolation,
    ticket: Option<ConflictTicketId>,
    unit: ConflictUnit,
    /// Whether vertices that it makes, and another made meanwhile under the same ids, are changed by it.
    merges_created: bool,
    set: RecursiveRwLock<WriteSet>,
    reads: Mutex<ReadLog>,
}

/// Edges with ids that were leased before: one entry each.
#[derive(Clone, Copy, Debug)]
pub struct LeasedEdges<'a> {
    /// Their ids.
    pub ids: &'a [EdgeId],
    /// Where they begin.
    pub sources: &'a [VertexId],
    /// Where they end.
    pub targets: &'a [VertexId],
}

impl Transaction {
    /// Begins on the newest snapshot.
    pub fn begin(store: Arc<dyn Store>, isolation: Isolation) -> Result<Transaction> {
        store.announce(StoreCall::Snapshot)?;
        let snapshot = store.snapshot()?;
        Ok(Transaction::over(store, snapshot, isolation))
    }

    /// Begins on a snapshot of the store. On a graph that demands it, it is serializable whatever
    /// was asked for.
    pub fn over(
        store: Arc<dyn Store>,
        snapshot: Arc<dyn Snapshot>,
        isolation: Isolation,
    ) -> Transaction {
        let catalog = snapshot.catalog();
        let isolation = if catalog.serializable { Isolation::Serializable } else { isolation };
        let (ticket, unit) = (None, ConflictUnit::default());
        let set = RecursiveRwLock::new(WriteSet::new(catalog, store.memory().share()));
        let (merges_created, reads) = (false, Mutex::default());
        Transaction { store, snapshot, isolation, ticket, unit, merges_created, set, reads }
    }

    /// From now on a value that has another type than its definition's is refused, or converted where it can be. A
    /// language sets it before each of its plans.
    pub fn set_exact_types(&self, has_exact_types: bool) {
        self.set.write().has_exact_types = has_exact_types;
    }

    /// How it is isolated.
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// The same, with another unit of conflict.
    pub fn with_unit(mut self, unit: ConflictUnit) -> Transaction {
        self.unit = unit;
        self
    }

    /// The same. Its commit changes a vertex that it made, where another transaction made one under the same id
    /// meanwhile: keys that this one sets, and that one did not, are no conflict. Only by key, and not where reads are
    /// validated, as those say that there was no such vertex.
    pub fn merging_created(mut self) -> Transaction {
        self.merges_created =
            self.unit == ConflictUnit::Key && self.isolation == Isolation::Snapshot;
        self
    }

    /// The same, committed with a ticket: after too many write conflicts (`Store::take_ticket`).
    pub fn with_ticket(mut self, ticket: ConflictTicketId) -> Transaction {
        self.ticket = Some(ticket);
        self
    }

    /// The numbers of names, made where they are new; not undone by a rollback.
    pub fn intern(&self, names: &[(NameKind, &str)]) -> Result<Vec<u32>> {
        self.store.announce(StoreCall::Intern)?;
        let numbers = self.store.intern(names)?;
        let mut set = self.set.write();
        if !set.knows(names) {
            let newest = self.store.snapshot()?.catalog();
            set.learn_names(&newest);
        }
        Ok(numbers)
    }

    /// Makes `count` vertices with the same labels. A unique or typed property that forbids one
    /// fails the call, and none is made.
    pub fn create_vertices(
        &self,
        labels: &Labels,
        count: usize,
        properties: NewProperties<'_>,
    ) -> Result<Vec<VertexId>> {
        let mut set = self.set.write();
        create::create_vertices(&mut set, self, labels, count, properties)
    }

    /// The same with ids that the caller chose, each for one vertex, of which it becomes the
    /// external id. `AlreadyExists` names one that is a vertex already, unless only other transactions since the
    /// snapshot know it and [`Transaction::merging_created`] is on; one that was deleted in this very transaction is
    /// refused.
    pub fn create_vertices_with_ids(
        &self,
        labels: &Labels,
        ids: &[u64],
        properties: NewProperties<'_>,
    ) -> Result<Vec<VertexId>> {
        let mut set = self.set.write();
        create::create_vertices_with_ids(&mut set, self, labels, ids, properties)
    }

    /// Internal ids for vertices that this transaction makes later: for callers that make them in
    /// another order than that of their ids. Unused ids are lost.
    pub fn lease_vertices(&self, count: usize) -> Result<Vec<VertexId>> {
        create::lease(&self.set.read(), self, count)
    }

    /// Makes a vertex with each internal id that was leased, all with the same labels; under ids
    /// that are texts if there are such.
    pub fn create_vertices_in(
        &self,
        internal_ids: &[VertexId],
        (labels, texts): (&Labels, Option<&[Arc<str>]>),
        properties: NewProperties<'_>,
    ) -> Result<Vec<VertexId>> {
        let mut set = self.set.write();
        create::create_vertices_in(&mut set, self, internal_ids, (labels, texts), properties)
    }

    /// The same as [`Transaction::create_vertices_with_ids`] with ids that are texts.
    pub fn create_vertices_with_texts(
        &self,
        labels: &Labels,
        texts: &[Arc<str>],
        properties: NewProperties<'_>,
    ) -> Result<Vec<VertexId>> {
        self.create_vertices_in(
            &self.lease_vertices(texts.len())?,
            (labels, Some(texts)),
            properties,
        )
    }

    /// Makes an edge from each source to the target beside it; ends must exist.
    pub fn create_edges(
        &self,
        edge_type: EdgeTypeId,
        sources: &[VertexId],
        targets: &[VertexId],
        properties: NewProperties<'_>,
    ) -> Result<Vec<EdgeId>> {
        let mut set = self.set.write();
        create::create_edges(&mut set, self, edge_type, (sources, targets), properties)
    }

    /// The same with ids that the caller chose, the external ids of the edges. `AlreadyExists`
    /// names one that an edge has already.
    pub fn create_edges_with_ids(
        &self,
        edge_type: EdgeTypeId,
        ends: (&[VertexId], &[VertexId]),
        ids: &[ExternalId],
        properties: NewProperties<'_>,
    ) -> Result<Vec<EdgeId>> {
        let mut set = self.set.write();
        create::create_edges_with_ids(&mut set, self, edge_type, ends, ids, properties)
    }

    /// Fresh ids for edges of a type from each source, to be made by
    /// [`Transaction::create_leased_edges`] later; unused ids leave gaps.
    pub fn lease_edges(&self, edge_type: EdgeTypeId, sources: &[VertexId]) -> Result<Vec<EdgeId>> {
        self.store_of_ids()?.lease_edges(edge_type, sources)
    }

    /// The store, to ask it for ids.
    fn store_of_ids(&self) -> Result<&dyn Store> {
        self.store.announce(StoreCall::LeaseIds)?;
        Ok(&*self.store)
    }

    /// Makes edges with ids that this transaction leased for the same type and sources.
    pub fn create_leased_edges(
        &self,
        edge_type: EdgeTypeId,
        edges: LeasedEdges<'_>,
        properties: NewProperties<'_>,
    ) -> Result<()> {
        let mut set = self.set.write();
        create::create_leased_edges(&mut set, self, edge_type, edges, properties)
    }

    /// Sets a property of each owner; an absent entry removes it. The last of equal owners wins.
    pub fn set_vertex_properties(
        &self,
        key: KeyId,
        owners: &[VertexId],
        values: &Column,
    ) -> Result<()> {
        let mut set = self.set.write();
        set_properties::set_vertex_properties(&mut set, self, key, owners, values)
    }

    /// Sets a property of each edge; an absent entry removes it. The last of equal owners wins.
    pub fn set_edge_properties(
        &self,
        key: KeyId,
        owners: &[EdgeId],
        values: &Column,
    ) -> Result<()> {
        let mut set = self.set.write();
        set_properties::set_edge_properties(&mut set, self, key, owners, values)
    }

    /// Replaces the labels of vertices.
    pub fn set_labels(&self, changes: &[(VertexId, Labels)]) -> Result<()> {
        let mut set = self.set.write();
        labels_write::set_labels(&mut set, self, changes)?;
        set.settle(&*self.store)
    }

    /// Deletes edges; edges that are deleted already, or never were, are passed over.
    pub fn delete_edges(&self, edges: &[EdgeId]) -> Result<()> {
        let mut set = self.set.write();
        delete::delete_edges(&mut set, self, edges)?;
        set.settle(&*self.store)
    }

    /// Deletes vertices, with `detach` their edges too; vertices that are deleted already are
    /// passed over. Without `detach`, edges left hanging are an error of
    /// [`Transaction::finish_statement`].
    pub fn delete_vertices(&self, vertices: &[VertexId], detach: bool) -> Result<()> {
        let mut set = self.set.write();
        delete::delete_vertices(&mut set, self, vertices, detach)?;
        set.settle(&*self.store)
    }

    /// Checks the rules that hold when a statement ends: no edge without ends, no required property
    /// missing. `commit` checks them too.
    pub fn finish_statement(&self) -> Result<()> {
        let mut set = self.set.write();
        delete::check_dangling(&mut set, self)?;
        property_rules::check_required(&mut set, self)
    }

    /// Changes definitions. Existing data must obey new ones. The ids of new indexes, in order,
    /// are good in this transaction; the store gives the lasting ones at commit.
    pub fn change_schema(&self, changes: &[CatalogChange]) -> Result<Vec<IndexId>> {
        schema_change::change_schema(&mut self.set.write(), self, changes)
    }

    /// Claims keys, as those that a `Merge` matched on and found missing: of two transactions that claim one
    /// number, one conflicts.
    pub fn claim(&self, claims: impl IntoIterator<Item = u64>) -> Result<()> {
        let mut set = self.set.write();
        set.claims.extend(claims);
        set.settle(&*self.store)
    }

    /// How many more vertices, and how many more edges, there are by it: those made less those deleted.
    pub fn net_counts(&self) -> (i64, i64) {
        let set = self.set.read();
        (set.counts.vertices, set.counts.edges.values().sum())
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.set.read().is_empty()
    }

    /// Spills the part in memory now, below the limit too: for a caller short of memory.
    pub fn spill(&self) -> Result<()> {
        self.set.write().spill(&*self.store)
    }

    /// Whether its commit builds indexes from more elements than it looked at itself.
    pub fn builds_indexes(&self) -> bool {
        let set = self.set.read();
        set.catalog.building.iter().any(|build| schema_change::is_provisional(build.index.id))
    }

    /// Hands the write set to the store.
    pub fn commit(self) -> Result<Ticket> {
        if !self.is_empty() {
            self.store.announce(StoreCall::Commit)?;
        }
        self.finish_statement()?;
        let Transaction { store, snapshot, isolation, ticket, unit, merges_created, set, reads } =
            self;
        let mut set = set.into_inner();
        // What it counted stays counted until the store has the batch.
        let _memory = std::mem::replace(&mut set.memory, store.memory().share());
        let batch = commit::write_batch(set, &*store, &*snapshot, isolation, reads)?;
        let batch = WriteBatch { ticket, unit, ..batch };
        if merges_created && merge_created::may_merge(&batch) {
            return merge_created::commit(batch, &*store, snapshot);
        }
        // A store that copies data still read by snapshots should not copy for this one.
        drop(snapshot);
        store.commit(batch)
    }

    /// For reads that ask neither lists nor values, and so need no index.
    fn with_records<T>(&self, read: impl FnOnce(View<'_>) -> Result<T>) -> Result<T> {
        let set = self.set.read();
        read(View { snapshot: &*self.snapshot, set: &set })
    }

    fn with_view<T>(&self, read: impl FnOnce(View<'_>) -> Result<T>) -> Result<T> {
        let set = self.indexed_set();
        read(View { snapshot: &*self.snapshot, set: &set })
    }

    /// The write set with its indexes up to date. Recursive, since a sink may read.
    fn indexed_set(&self) -> RecursiveRwLockReadGuard<'_, WriteSet> {
        loop {
            let set = self.set.read();
            if set.is_indexed() {
                return set;
            }
            drop(set);
            self.set.write().catch_up();
        }
    }

    fn record(&self, units: impl Iterator<Item = ReadUnit>) {
        if self.isolation == Isolation::Serializable {
            self.reads.lock().record(units);
        }
    }

    fn record_elements(&self, elements: Elements<'_>) {
        match elements {
            Elements::Vertices(ids) => self.record(ids.iter().map(|id| ReadUnit::Vertex(*id))),
            Elements::Edges(ids) => self.record_edges(ids),
        }
    }

    /// An edge that is not there is read as its partition: nothing else says that it comes.
    fn record_edges(&self, edges: &[EdgeId]) {
        if self.isolation != Isolation::Serializable {
            return;
        }
        let exist = self.snapshot.exist(Elements::Edges(edges));
        let own = self.with_view(|view| view.own_ends(edges));
        let unit = |(row, edge): (usize, &EdgeId)| match (&exist, &own) {
            (Ok(exist), _) if exist.get(row) => Some(ReadUnit::Edge(*edge)),
            (_, Ok(own)) if own[row].is_some() => None,
            _ => Some(ReadUnit::Edges(edge.0 >> EDGE_SLOT_BITS)),
        };
        self.record(edges.iter().enumerate().filter_map(unit));
    }
}
