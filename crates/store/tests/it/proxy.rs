//! A store in front of another: as a server that is not the one where commits are ordered, or one
//! whose disk is full.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use millrace_model::{Bits, EdgeId, EdgeTypeId, Error, ErrorKind, ExternalId, Result, VertexId};
use millrace_store::{
    Backend, BulkLoad, CallsOut, Changes, ConflictTicket, Guarantees, NameKind, Snapshot,
    SpilledChanges, Store, StoreCall, Ticket, Watermark, WriteBatch,
};

pub(crate) struct Proxy {
    pub(crate) store: Arc<dyn Store>,
    /// Calls that are said to leave the process.
    pub(crate) calls_out: Vec<StoreCall>,
    pub(crate) has_space: bool,
    /// How many calls were passed on.
    pub(crate) passed: AtomicUsize,
}

impl Proxy {
    pub(crate) fn new(store: Arc<dyn Store>) -> Proxy {
        Proxy { store, calls_out: Vec::new(), has_space: true, passed: AtomicUsize::new(0) }
    }

    fn pass(&self) -> &dyn Store {
        self.passed.fetch_add(1, Ordering::Relaxed);
        &*self.store
    }
}

/// A server of graphs that lie in another backend.
pub(crate) struct ProxyBackend(pub(crate) Arc<dyn Backend>);

impl Backend for ProxyBackend {
    fn graphs(&self) -> Vec<String> {
        self.0.graphs()
    }

    fn graph(&self, name: &str) -> Result<Arc<dyn Store>> {
        Ok(Arc::new(Proxy::new(self.0.graph(name)?)))
    }

    fn create_graph(&self, name: &str) -> Result<Arc<dyn Store>> {
        Ok(Arc::new(Proxy::new(self.0.create_graph(name)?)))
    }

    fn drop_graph(&self, name: &str) -> Result<()> {
        self.0.drop_graph(name)
    }

    fn checkpoint(&self) -> Result<()> {
        self.0.checkpoint()
    }

    fn guarantees(&self) -> Guarantees {
        Guarantees { graphs_change_elsewhere: true, ..self.0.guarantees() }
    }

    fn metrics(&self) -> Vec<(&'static str, &'static str, f64)> {
        self.0.metrics()
    }
}

impl CallsOut for Proxy {
    fn calls_out(&self, call: StoreCall) -> bool {
        self.calls_out.contains(&call)
    }
}

impl Store for Proxy {
    fn is_dropped(&self) -> bool {
        self.store.is_dropped()
    }

    fn snapshot(&self) -> Result<Arc<dyn Snapshot>> {
        self.pass().snapshot()
    }

    fn intern(&self, names: &[(NameKind, &str)]) -> Result<Vec<u32>> {
        self.pass().intern(names)
    }

    fn lease_vertices(&self, count: u64) -> Result<Vec<Range<u64>>> {
        self.pass().lease_vertices(count)
    }

    fn claim_vertices(&self, ids: &[u64], apart: &Bits) -> Result<Vec<VertexId>> {
        self.pass().claim_vertices(ids, apart)
    }

    fn claim_edges(&self, ids: &[ExternalId]) -> Result<()> {
        self.pass().claim_edges(ids)
    }

    fn lease_edges(&self, edge_type: EdgeTypeId, sources: &[VertexId]) -> Result<Vec<EdgeId>> {
        self.pass().lease_edges(edge_type, sources)
    }

    fn commit(&self, batch: WriteBatch) -> Result<Ticket> {
        self.pass().commit(batch)
    }

    fn take_ticket(&self, keys: &[u64], deadline: Option<Instant>) -> Result<ConflictTicket> {
        // As a server would that holds the ticket of another: by its number.
        let there = self.pass().take_ticket(keys, deadline)?;
        let (id, position) = (there.id(), there.position);
        Ok(ConflictTicket::new(id, position, there))
    }

    fn watermark(&self) -> Arc<dyn Watermark> {
        self.store.watermark()
    }

    fn spill(&self, part: Changes) -> Result<Arc<dyn SpilledChanges>> {
        match self.has_space {
            true => self.pass().spill(part),
            false => Err(Error::new(ErrorKind::Io, "no space left on device")),
        }
    }

    fn begin_bulk_load(&self) -> Result<Box<dyn BulkLoad>> {
        self.pass().begin_bulk_load()
    }
}
