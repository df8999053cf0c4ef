//! Where a load ends: the store's bulk load, or one transaction of any size. Both take parts and
//! make all of them visible at once, or none.
//!
//! A bulk load only creates; a transaction can also change existing elements.

use millrace_model::{Error, ErrorKind, LogPosition, Result, VertexId};
use millrace_store::{BulkLoad, Changes, Isolation, Snapshot, SpilledChanges, Store, WriteBatch};
use std::sync::Arc;

/// Takes parts of one load.
pub(crate) enum Sink<'a> {
    /// Straight to segments.
    Bulk(Box<dyn BulkLoad>),
    /// Through the write path.
    Transaction(Box<Transaction<'a>>),
}

/// A write set that grows outside memory.
pub(crate) struct Transaction<'a> {
    store: &'a dyn Store,
    /// The snapshot that the load read; `None` if it read nothing, and then the newest is used.
    snapshot: Option<Arc<dyn Snapshot>>,
    spilled: Vec<Arc<dyn SpilledChanges>>,
    /// The newest part; it waits in memory until another comes.
    last: Changes,
    claims: Vec<u64>,
}

impl<'a> Sink<'a> {
    /// A sink that only creates.
    pub(crate) fn bulk(store: &'a dyn Store) -> Result<Self> {
        store.begin_bulk_load().map(Sink::Bulk)
    }

    /// A sink that also changes elements of `snapshot`.
    pub(crate) fn transaction(store: &'a dyn Store, snapshot: Option<Arc<dyn Snapshot>>) -> Self {
        let (spilled, last, claims) = (Vec::new(), Changes::default(), Vec::new());
        Sink::Transaction(Box::new(Transaction { store, snapshot, spilled, last, claims }))
    }

    /// Takes a part; edges need no ids.
    pub(crate) fn push(&mut self, part: Changes) -> Result<()> {
        match self {
            Sink::Bulk(load) => load.push(part),
            Sink::Transaction(transaction) => transaction.push(part),
        }
    }

    /// Of two transactions that claim a number and did not see each other, one conflicts.
    pub(crate) fn claim(&mut self, number: u64) {
        match self {
            Sink::Bulk(_) => debug_assert!(false, "a bulk load claims nothing"),
            Sink::Transaction(transaction) => transaction.claims.push(number),
        }
    }

    /// Makes everything durable and visible.
    pub(crate) fn finish(self) -> Result<LogPosition> {
        match self {
            Sink::Bulk(load) => load.finish(),
            Sink::Transaction(transaction) => transaction.finish(),
        }
    }
}

impl Transaction<'_> {
    fn push(&mut self, mut part: Changes) -> Result<()> {
        for block in &mut part.edges {
            if block.ids.is_empty() {
                block.ids = self.store.lease_edges(block.edge_type, &block.sources)?;
            }
        }
        let older = std::mem::replace(&mut self.last, part);
        if !older.is_empty() {
            self.spilled.push(self.store.spill(older)?);
        }
        Ok(())
    }

    fn finish(self) -> Result<LogPosition> {
        let snapshot = self.snapshot.map_or_else(|| self.store.snapshot(), Ok)?;
        // The load reads only values that a unique index claims again at the commit, so the batch reports no reads.
        let batch = WriteBatch {
            isolation: Isolation::Serializable,
            snapshot: snapshot.position(),
            catalog_version: snapshot.catalog().version,
            claims: self.claims,
            spilled: self.spilled,
            changes: self.last,
            ..WriteBatch::default()
        };
        self.store.commit(batch)?.wait()
    }
}

/// Leases ids one by one for vertices numbered from 0.
pub(crate) fn lease(store: &dyn Store, count: usize) -> Result<Vec<VertexId>> {
    let ranges = store.lease_vertices(count as u64)?;
    let ids: Vec<VertexId> = ranges.into_iter().flatten().take(count).map(VertexId).collect();
    if ids.len() < count {
        let detail = format!("the store leased {} of {count} vertex ids", ids.len());
        return Err(Error::new(ErrorKind::Bug, detail));
    }
    Ok(ids)
}
