//! One graph of the folder as a [`Store`].

use std::ops::Range;
use std::sync::Arc;

use millrace_model::{EdgeId, EdgeTypeId, Position, Result, VertexId};
use millrace_store::run::PARTITION_BITS;
use millrace_store::{
    BulkLoad, Changes, NameKind, Snapshot, SpilledChanges, Store, Ticket, WriteBatch,
};

use crate::bulk_load::EmbeddedBulkLoad;
use crate::catalog::names_of;
use crate::commit::{Effect, NewName, Record, as_watermark, submit};
use crate::graph::Graph;
use crate::io::Bug;
use crate::leases::Lease;
use crate::open::OpenFolder;
use crate::snapshot::EmbeddedSnapshot;
use crate::spill::SpilledPart;

/// One graph.
pub(crate) struct EmbeddedStore {
    open: Arc<OpenFolder>,
    graph: Arc<Graph>,
}

impl EmbeddedStore {
    /// A graph of an open folder.
    pub(crate) fn of(open: &Arc<OpenFolder>, graph: &Arc<Graph>) -> Arc<dyn Store> {
        Arc::new(EmbeddedStore { open: Arc::clone(open), graph: Arc::clone(graph) })
    }

    fn ask_for_vertices(&self, end: u64) -> Result<u64> {
        let record = Record::new(&self.graph, Effect::Lease(end))?;
        let position = self.open.pipeline.sequence_freely(record)?;
        self.graph.leases.asked(position, end);
        Ok(position)
    }

    /// The names that have no number yet, with the numbers they get.
    fn new_names(&self, names: &[(NameKind, &str)]) -> Vec<NewName> {
        let known = self.graph.catalog.newest();
        let has = |kind: NameKind, name: &str| match kind {
            NameKind::Label => known.labels.number(name).is_some(),
            NameKind::EdgeType => known.edge_types.number(name).is_some(),
            NameKind::Key => known.keys.number(name).is_some(),
        };
        if names.iter().all(|(kind, name)| has(*kind, name)) {
            return Vec::new();
        }
        let mut catalog = (*known).clone();
        let mut fresh = Vec::new();
        for (kind, name) in names {
            let table = names_of(&mut catalog, *kind);
            if table.number(name).is_none() {
                let number = table.intern(name);
                fresh.push(NewName { kind: *kind, number, name: Arc::from(*name) });
            }
        }
        fresh
    }

    fn numbers(&self, names: &[(NameKind, &str)]) -> Vec<u32> {
        let catalog = self.graph.catalog.newest();
        let number = |(kind, name): &(NameKind, &str)| match kind {
            NameKind::Label => catalog.labels.number(name),
            NameKind::EdgeType => catalog.edge_types.number(name),
            NameKind::Key => catalog.keys.number(name),
        };
        names.iter().map(|name| number(name).expect("new names were applied")).collect()
    }
}

impl Store for EmbeddedStore {
    fn snapshot(&self) -> Result<Arc<dyn Snapshot>> {
        self.graph.check_there()?;
        Ok(Arc::new(EmbeddedSnapshot::of_now(&self.open, &self.graph)))
    }

    fn intern(&self, names: &[(NameKind, &str)]) -> Result<Vec<u32>> {
        self.graph.check_there()?;
        if !self.new_names(names).is_empty() {
            self.open.admit()?;
            let _alone = self.graph.interning.lock();
            let fresh = self.new_names(names);
            if !fresh.is_empty() {
                self.open.log_and_wait(&self.graph, Effect::Names(fresh))?;
            }
        }
        Ok(self.numbers(names))
    }

    fn lease_vertices(&self, count: u64) -> Result<Vec<Range<u64>>> {
        self.graph.check_there()?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let (leases, progress) = (&self.graph.leases, &self.open.pipeline.progress);
        loop {
            let early = self.open.pipeline.sequencer.table.is_planted(Bug::LeaseEarly);
            let durable = if early { u64::MAX } else { progress.durable() };
            match leases.take(count, self.open.block_size(), durable)? {
                Lease::Granted { ids, renew } => {
                    if let Some(end) = renew {
                        // Ahead of need: should it fail, the one who runs out is told.
                        let _ = self.ask_for_vertices(end);
                    }
                    return Ok(vec![ids]);
                }
                Lease::Wait(position) => progress.wait_durable(position)?,
                Lease::Ask(end) => {
                    self.open.admit()?;
                    self.ask_for_vertices(end)?;
                }
            }
        }
    }

    fn lease_edges(&self, edge_type: EdgeTypeId, sources: &[VertexId]) -> Result<Vec<EdgeId>> {
        self.graph.check_there()?;
        let mut edges = Vec::with_capacity(sources.len());
        let ordinal = |vertex: &VertexId| vertex.0 >> PARTITION_BITS;
        for chunk in sources.chunk_by(|left, right| ordinal(left) == ordinal(right)) {
            let ordinal = self.graph.partition_of(chunk[0])?.ordinal();
            let take = |edge| edges.push(edge);
            self.graph.partitions.lease_edges(ordinal, edge_type, chunk.len(), take)?;
        }
        Ok(edges)
    }

    fn commit(&self, batch: WriteBatch) -> Result<Ticket> {
        self.graph.check_there()?;
        let progress = &self.open.pipeline.progress;
        let writes = !batch.changes.is_empty() || !batch.spilled.is_empty();
        let position = match writes || !batch.claims.is_empty() {
            true => submit(&self.open, &self.graph, batch)?,
            false => progress.visible(),
        };
        Ok(Ticket { position: Position(position), watermark: as_watermark(progress) })
    }

    fn spill(&self, part: Changes) -> Result<Arc<dyn SpilledChanges>> {
        self.graph.check_there()?;
        self.open.admit()?;
        Ok(Arc::new(SpilledPart::write(&self.open, self.graph.id, part)?))
    }

    fn begin_bulk_load(&self) -> Result<Box<dyn BulkLoad>> {
        self.graph.check_there()?;
        self.open.admit()?;
        Ok(Box::new(EmbeddedBulkLoad::begin(&self.open, &self.graph)))
    }
}
