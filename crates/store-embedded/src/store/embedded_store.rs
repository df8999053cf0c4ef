//! One graph of the folder as a [`Store`].

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use millrace_model::query_limits::{self, UNITS_PER_CHECK};
use millrace_model::{
    Bits, EdgeId, EdgeTypeId, ExternalId, LogPosition, MemoryBudget, Owner, Result, VertexId,
};
use millrace_store::backend::make_index;
use millrace_store::external_ids::internal_ids_of;
use millrace_store::snapshot::{check_claim, without_external};
use millrace_store::{
    BulkLoad, CallsOut, Changes, ConflictTicket, Elements, NameKind, Snapshot, SpilledChanges,
    Store, StoreCall, Ticket, Watermark, WriteBatch, check_new_name, non_blocking,
};
use parking_lot::MutexGuard;

use super::submit::submit;
use super::{EmbeddedBulkLoad, EmbeddedSnapshot, SpilledPart, edge_ids};
use crate::base::commit_limits::NAMES_RECORD_BYTES;
use crate::checkpoint::OpenFolder;
use crate::commit::{Effect, Purpose, Record, as_watermark};
use crate::graph::{Graph, NewName, names_of};
use crate::ids::Lease;
use crate::io::Bug;

/// Bytes of a name in a catalog, besides its text, about.
const NAME_BYTES: u64 = 96;

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
        let position = self.open.sequence_together(vec![record], Purpose::Change)?;
        self.graph.leases.asked(position, end);
        Ok(position)
    }

    /// Asks until ids are granted, and waits for the records that bring them.
    fn leased(
        &self,
        take: impl Fn(u64) -> Result<Lease>,
    ) -> Result<(Vec<Range<u64>>, Option<u64>)> {
        let progress = &self.open.pipeline.progress;
        let mut waited = false;
        loop {
            let early = self.open.pipeline.sequencer.table.is_injected(Bug::LeaseEarly);
            match take(if early { u64::MAX } else { progress.durable() })? {
                Lease::Granted { ids, renew } => return Ok((ids, renew)),
                Lease::Wait(position) => {
                    non_blocking::would_block()?;
                    if !std::mem::replace(&mut waited, true) {
                        self.graph.leases.note_wait(self.open.block_size());
                    }
                    progress.wait_durable(position)?;
                }
                Lease::Ask(end) => {
                    non_blocking::would_block()?;
                    self.open.admit()?;
                    self.ask_for_vertices(end)?;
                }
            }
        }
    }

    fn lease_slots(&self, count: u64) -> Result<Vec<Range<u64>>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let leases = &self.graph.leases;
        let (ids, renew) =
            self.leased(|durable| leases.take(count, self.open.block_size(), durable))?;
        if let Some(end) = renew {
            // Ahead of need: if it fails, the caller that runs out gets the error.
            let _ = self.ask_for_vertices(end);
        }
        Ok(ids)
    }

    fn one_chooses(&self) -> MutexGuard<'_, ()> {
        let choosing = &self.graph.choosing;
        self.open.acquire(|| choosing.lock(), || choosing.try_lock())
    }

    /// Which of the chosen ids are external ids; the others are internal ids.
    fn choose(&self, ids: &[u64], apart: &Bits) -> Result<Bits> {
        // Between the look at the ids in use and the choice, no noted id may be forgotten.
        let _alone = self.one_chooses();
        let snapshot = self.snapshot()?;
        let mut taken = check_claim(&*snapshot, ids)?;
        apart.ones().for_each(|row| taken.set(row, true));
        let leases = &self.graph.leases;
        if let Some(noted) = leases.too_many_external(ids.len()) {
            let found = snapshot.find_external(&noted)?;
            let places = found.unwrap_or_else(|| noted.iter().copied().map(VertexId).collect());
            let exist = snapshot.exist(Elements::Vertices(&places))?;
            let known: Vec<u64> = exist.ones().map(|row| noted[row]).collect();
            leases.forget_external(&known, ids.len())?;
        }
        drop(snapshot);
        let mut rows: Vec<usize> = (0..ids.len()).collect();
        rows.sort_unstable_by_key(|row| ids[*row]);
        let sorted: Vec<u64> = rows.iter().map(|row| ids[*row]).collect();
        let taken: Bits = rows.iter().map(|row| taken.get(*row)).collect();
        let (size, external) = (self.open.block_size(), Cell::new(Bits::default()));
        self.leased(|durable| {
            let (found, lease) = leases.choose(&sorted, &taken, size, durable);
            external.set(found);
            Ok(lease)
        })?;
        let mut by_row = Bits::unset(ids.len());
        external.into_inner().ones().for_each(|place| by_row.set(rows[place], true));
        Ok(by_row)
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

    /// Logs new names, in as many records as they need. Each is applied before the next is made: where the call
    /// ends between two, the names up to there are made and the numbers of the others are free.
    fn log_names(&self, fresh: Vec<NewName>) -> Result<()> {
        let record_bytes_max = NAMES_RECORD_BYTES.min(self.open.options.log.batch_bytes_max / 4);
        let mut bytes = 0;
        let mut record = Vec::new();
        for own in fresh {
            let own_bytes = own.name.len() + NAME_BYTES as usize;
            if record_bytes_max < bytes + own_bytes && !record.is_empty() {
                let full = Effect::Names(std::mem::take(&mut record));
                self.open.log_and_wait(&self.graph, full, Purpose::Change)?;
                query_limits::step_bytes(bytes)?;
                bytes = 0;
            }
            bytes += own_bytes;
            record.push(own);
        }
        self.open.log_and_wait(&self.graph, Effect::Names(record), Purpose::Change).map(drop)
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

impl CallsOut for EmbeddedStore {
    fn calls_out(&self, _call: StoreCall) -> bool {
        false
    }
}

impl Store for EmbeddedStore {
    fn is_dropped(&self) -> bool {
        self.graph.check_there().is_err()
    }

    fn memory(&self) -> MemoryBudget {
        self.open.memory()
    }

    fn snapshot(&self) -> Result<Arc<dyn Snapshot>> {
        self.graph.check_there()?;
        Ok(Arc::new(EmbeddedSnapshot::of_now(&self.open, &self.graph)))
    }

    fn intern(&self, names: &[(NameKind, &str)]) -> Result<Vec<u32>> {
        self.graph.check_there()?;
        if !self.new_names(names).is_empty() {
            non_blocking::would_block()?;
            self.open.admit()?;
            let mut held = self.graph.interning.lock();
            let fresh = self.new_names(names);
            fresh.iter().try_for_each(|own| check_new_name(own.kind, &own.name))?;
            if !fresh.is_empty() {
                // The sync of a few names takes as long as the work between two looks.
                query_limits::step(UNITS_PER_CHECK)?;
                let bytes = fresh.iter().map(|own| own.name.len() as u64 + NAME_BYTES).sum();
                match &mut *held {
                    Some(held) => held.grow(bytes)?,
                    none => *none = Some(self.open.memory().reserve(bytes)?),
                }
                self.log_names(fresh)?;
            }
        }
        Ok(self.numbers(names))
    }

    fn lease_vertices(&self, count: u64) -> Result<Vec<Range<u64>>> {
        self.graph.check_there()?;
        let internal_ids = self.lease_slots(count)?;
        if self.graph.catalog.newest().external_index().is_none() {
            return Ok(internal_ids);
        }
        // Those of this process that are not visible yet were passed over by the lease.
        let unused = |internal_ids: Vec<Range<u64>>| {
            let internal_ids: Vec<u64> = internal_ids.into_iter().flatten().collect();
            without_external(&*self.snapshot()?, &internal_ids)
        };
        let mut ids = unused(internal_ids)?;
        while (ids.len() as u64) < count {
            ids.extend(unused(self.lease_slots(count - ids.len() as u64)?)?);
        }
        let runs = ids.chunk_by(|left, right| left + 1 == *right);
        Ok(runs.map(|run| run[0]..run[run.len() - 1] + 1).collect())
    }

    fn claim_vertices(&self, ids: &[u64], apart: &Bits) -> Result<Vec<VertexId>> {
        self.graph.check_there()?;
        non_blocking::would_block()?;
        let external = self.choose(ids, apart)?;
        let count = external.count() as u64;
        if count != 0 {
            let _alone = self.one_chooses();
            make_index(self, Owner::AllVertices)?;
        }
        // No client sees the number of such an internal id, so it may be an external id as well.
        internal_ids_of(ids, &external, self.lease_slots(count)?.into_iter().flatten())
    }

    fn claim_edges(&self, ids: &[ExternalId]) -> Result<()> {
        self.graph.check_there()?;
        non_blocking::would_block()?;
        self.graph.chosen_edges.note(ids);
        let _alone = self.one_chooses();
        make_index(self, Owner::AllEdges).map(drop)
    }

    fn lease_edges(&self, edge_type: EdgeTypeId, sources: &[VertexId]) -> Result<Vec<EdgeId>> {
        self.graph.check_there()?;
        edge_ids::lease(&self.open, &self.graph, edge_type, sources)
    }

    fn commit(&self, batch: WriteBatch) -> Result<Ticket> {
        self.graph.check_there()?;
        let progress = &self.open.pipeline.progress;
        let writes = !batch.changes.is_empty() || !batch.spilled.is_empty();
        let position = match writes || !batch.claims.is_empty() {
            true => submit(&self.open, &self.graph, batch)?,
            false => progress.visible(),
        };
        Ok(Ticket { position: LogPosition(position), watermark: as_watermark(progress) })
    }

    fn take_ticket(&self, keys: &[u64], deadline: Option<Instant>) -> Result<ConflictTicket> {
        self.graph.check_there()?;
        non_blocking::would_block()?;
        let sequencer = &self.open.pipeline.sequencer;
        sequencer.table.queue.take(keys, deadline, || LogPosition(sequencer.position()))
    }

    fn watermark(&self) -> Arc<dyn Watermark> {
        as_watermark(&self.open.pipeline.progress)
    }

    fn spill(&self, part: Changes) -> Result<Arc<dyn SpilledChanges>> {
        self.graph.check_there()?;
        non_blocking::would_block()?;
        self.open.admit()?;
        Ok(Arc::new(SpilledPart::write(&self.open, self.graph.id, part)?))
    }

    fn begin_bulk_load(&self) -> Result<Box<dyn BulkLoad>> {
        self.graph.check_there()?;
        self.open.admit()?;
        Ok(Box::new(EmbeddedBulkLoad::begin(&self.open, &self.graph)))
    }
}
