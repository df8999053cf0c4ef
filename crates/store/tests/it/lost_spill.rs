//! Symptom: a write set with a part that could not be spilled would commit without that part.
//! Shape: a store that fails to spill, and works otherwise. Bound: one part is enough.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use millrace_model::{Bits, EdgeId, EdgeTypeId, Error, ErrorKind, ExternalId, Result, VertexId};
use millrace_store::memory::MemoryBackend;
use millrace_store::{
    Backend, BulkLoad, Changes, ConflictTicket, Isolation, NameKind, Snapshot, SpilledChanges,
    Store, Ticket, Transaction, Watermark, WriteBatch,
};

struct NoSpace {
    store: Arc<dyn Store>,
}

impl Store for NoSpace {
    fn is_dropped(&self) -> bool {
        self.store.is_dropped()
    }

    fn snapshot(&self) -> Result<Arc<dyn Snapshot>> {
        self.store.snapshot()
    }

    fn intern(&self, names: &[(NameKind, &str)]) -> Result<Vec<u32>> {
        self.store.intern(names)
    }

    fn lease_vertices(&self, count: u64) -> Result<Vec<Range<u64>>> {
        self.store.lease_vertices(count)
    }

    fn claim_vertices(&self, ids: &[u64], apart: &Bits) -> Result<Vec<VertexId>> {
        self.store.claim_vertices(ids, apart)
    }

    fn claim_edges(&self, ids: &[ExternalId]) -> Result<()> {
        self.store.claim_edges(ids)
    }

    fn lease_edges(&self, edge_type: EdgeTypeId, sources: &[VertexId]) -> Result<Vec<EdgeId>> {
        self.store.lease_edges(edge_type, sources)
    }

    fn commit(&self, batch: WriteBatch) -> Result<Ticket> {
        self.store.commit(batch)
    }

    fn take_ticket(&self, keys: &[u64], deadline: Option<Instant>) -> Result<ConflictTicket> {
        self.store.take_ticket(keys, deadline)
    }

    fn watermark(&self) -> Arc<dyn Watermark> {
        self.store.watermark()
    }

    fn spill(&self, _part: Changes) -> Result<Arc<dyn SpilledChanges>> {
        Err(Error::new(ErrorKind::Io, "no space left on device"))
    }

    fn begin_bulk_load(&self) -> Result<Box<dyn BulkLoad>> {
        self.store.begin_bulk_load()
    }
}

#[test]
fn a_write_set_that_lost_a_part_cannot_commit() -> Result<()> {
    let store = MemoryBackend::new().create_graph("graph")?;
    let store = Arc::new(NoSpace { store });
    let transaction = Transaction::begin(store.clone(), Isolation::Snapshot)?;
    transaction.create_vertices(&Arc::from([]), 3, &[])?;
    let error = transaction.spill().expect_err("there is no space");
    assert_eq!(error.kind, ErrorKind::Io);
    transaction.create_vertices(&Arc::from([]), 1, &[])?;
    let error = transaction.commit().map(|ticket| ticket.position).expect_err("a part is lost");
    assert_eq!(error.kind, ErrorKind::Io);
    assert_eq!(store.snapshot()?.count_vertices(None)?, 0);
    Ok(())
}
