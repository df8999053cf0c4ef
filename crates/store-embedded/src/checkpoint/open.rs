//! An open data folder: everything that all graphs, sessions and threads share.

use std::sync::{Arc, OnceLock};

use millrace_model::query_limits::{self, UNITS_PER_CHECK};
use millrace_model::{
    Catalog, Error, ErrorKind, GraphId, LogPosition, MemoryBudget, Phase, Reservation, Result,
};
use millrace_store::non_blocking;
use parking_lot::{Mutex, MutexGuard, RwLockReadGuard};

use super::Checkpoints;
use crate::base::commit_limits::{self as limits, LOAD_BYTES_MAX, LOAD_MEMORY_SHARE};
use crate::base::limits::LOG_FILES_MIN;
use crate::base::options::{Durability, Options};
use crate::commit::{
    Admission, Effect, LogOwner, Pace, Pin, Pipeline, Pump, Purpose, Record, Stepped, Submission,
    Usage,
};
use crate::folder::Folder;
use crate::graph::{Graph, GraphView, Graphs, Shared};
use crate::ids::BlockSize;
use crate::io::{Bug, Machine, is_injected};
use crate::live::PinnedSnapshots;
use crate::persistent::bulk::BulkBuilder;

/// An open data folder.
pub(crate) struct OpenFolder {
    pub(crate) folder: Arc<Folder>,
    pub(crate) machine: Machine,
    pub(crate) options: Options,
    /// The budget of which write sets, loads and builds of indexes take shares; none: they may take
    /// all there is.
    pub(crate) memory: OnceLock<MemoryBudget>,
    /// What its changes hold of the memory budget, if it is open to be read only.
    pub(crate) read_only: OnceLock<Reservation>,
    pub(crate) durability: Durability,
    pub(crate) graphs: Arc<Graphs>,
    pub(crate) pipeline: Pipeline,
    pub(crate) admission: Admission,
    pub(crate) checkpoints: Checkpoints,
    /// Held while graphs are made and dropped, so that a name is given once.
    pub(crate) changing_graphs: Mutex<()>,
    /// Held by an out-of-line commit until its transaction layers are in place.
    pub(crate) out_of_line: Mutex<()>,
    /// Whether threads do the steps; if not, the caller that waits does them.
    pub(crate) threaded: bool,
}

/// A reader registered at the position visible when it was made, for work in many steps.
pub(crate) struct OwnedPin {
    open: Arc<OpenFolder>,
    position: u64,
}

impl OwnedPin {
    /// Registers a reader at the visible position.
    pub(crate) fn of_now(open: &Arc<OpenFolder>) -> OwnedPin {
        let position = open.pipeline.readers.enter(&open.pipeline.progress);
        OwnedPin { open: Arc::clone(open), position }
    }

    /// A graph at the pinned position.
    pub(crate) fn view<'g>(&self, graph: &'g Graph) -> GraphView<'g> {
        let catalog = graph.catalog.at(self.position);
        GraphView { graph, at: LogPosition(self.position), catalog }
    }
}

impl Drop for OwnedPin {
    fn drop(&mut self) {
        self.open.pipeline.readers.leave(self.position);
    }
}

impl OpenFolder {
    /// Whether nothing of the folder is written.
    pub(crate) fn is_read_only(&self) -> bool {
        self.read_only.get().is_some()
    }

    /// The budget of which what is written takes shares.
    pub(crate) fn memory(&self) -> MemoryBudget {
        self.memory.get().cloned().unwrap_or_default()
    }

    /// A builder of images, with a share of the memory.
    pub(crate) fn bulk_builder(&self) -> BulkBuilder {
        let memory = self.memory();
        let part = usize::try_from(memory.bytes_max() / LOAD_MEMORY_SHARE).unwrap_or(usize::MAX);
        let bytes_max = LOAD_BYTES_MAX.min(part);
        BulkBuilder::new(Arc::clone(&self.folder), bytes_max).sharing(memory.share())
    }

    /// Registers a reader at the visible position.
    pub(crate) fn pin(&self) -> Pin<'_> {
        Pin::of_now(&self.pipeline)
    }

    /// Registers a checkpoint as a reader at its checkpoint position.
    pub(crate) fn pin_checkpoint(&self) -> Pin<'_> {
        Pin::of_checkpoint(&self.pipeline)
    }

    /// Takes a lock that is held while files are written. Without threads the holder may be
    /// suspended meanwhile, and must be resumed.
    pub(crate) fn acquire<T>(
        &self,
        take: impl FnOnce() -> T,
        try_take: impl Fn() -> Option<T>,
    ) -> T {
        if self.threaded {
            return take();
        }
        loop {
            match try_take() {
                Some(guard) => return guard,
                None => self.machine.clock.give_way(),
            }
        }
    }

    /// The lock of a checkpoint, or of any other writer of shards' segments.
    pub(crate) fn lock_checkpoints(&self) -> MutexGuard<'_, ()> {
        let running = &self.checkpoints.running;
        self.acquire(|| running.lock(), || running.try_lock())
    }

    /// Leave to write in a graph, which is not dropped meanwhile.
    pub(crate) fn lock_shared<'g>(&self, graph: &'g Graph) -> RwLockReadGuard<'g, ()> {
        self.acquire(|| graph.dropping.read(), || graph.dropping.try_read())
    }

    /// Leave to judge and write a load, which no schema change overtakes meanwhile.
    pub(crate) fn lock_schema_shared<'g>(&self, graph: &'g Graph) -> Shared<'g> {
        self.acquire(|| graph.schema_lock.shared(), || graph.schema_lock.try_shared())
    }

    /// How ids are leased.
    pub(crate) fn block_size(&self) -> BlockSize {
        BlockSize { ids: self.options.id_block_size, renew_percent: self.options.id_renew_percent }
    }

    /// Orders a submission, which is refused where the disk has no room for its record.
    pub(crate) fn sequence(&self, submission: Submission, purpose: Purpose) -> Result<u64> {
        self.pipeline.sequence(submission, purpose, &|| self.check_room(purpose))
    }

    /// The same of records that conflict with nothing: the last one's position.
    pub(crate) fn sequence_together(&self, records: Vec<Record>, purpose: Purpose) -> Result<u64> {
        self.pipeline.sequence_together(records, purpose, &|| self.check_room(purpose))
    }

    /// Notes in the log that this process gives the positions from here on, and waits until that is
    /// visible.
    pub(crate) fn begin_as_owner(&self, owner: LogOwner) -> Result<u64> {
        // It belongs to no graph: no graph has this number.
        let none = self.graphs.make(GraphId(0), "", (Catalog::default(), 0), 0);
        let record = Record::new(&none, Effect::OwnerBegan(owner))?;
        let check = || self.check_room(Purpose::Change);
        let position = self.pipeline.sequence_owner(record, &check)?;
        self.pipeline.progress.wait_durable(position)?;
        self.pipeline.progress.wait_visible(position, None)?;
        Ok(position)
    }

    /// Whether a file of the log may be made for a record that fits into none.
    fn check_room(&self, purpose: Purpose) -> Result<()> {
        match purpose {
            Purpose::Change => self.look(),
            // A file that is just large enough, and then there may be room.
            Purpose::Upkeep => Ok(()),
        }
    }

    /// Orders a record that conflicts with nothing, and waits until it is durable and visible.
    pub(crate) fn log_and_wait(
        &self,
        graph: &Arc<Graph>,
        effect: Effect,
        purpose: Purpose,
    ) -> Result<u64> {
        let position = self.sequence_together(vec![Record::new(graph, effect)?], purpose)?;
        self.pipeline.progress.wait_durable(position)?;
        self.pipeline.progress.wait_visible(position, None)?;
        Ok(position)
    }

    /// Notes whether writes are refused now, for the watcher.
    pub(crate) fn note_refusal(&self) {
        let watch = self.folder.watch();
        // A folder that is open to be read only refuses as it was asked to.
        if watch.is_on() && !self.is_read_only() {
            watch.note_refusal(self.write_refusal(), self.machine.clock.monotonic_ns());
        }
    }

    /// Lets a writer in, slowed down or stalled as the bounds demand.
    pub(crate) fn admit(&self) -> Result<()> {
        // Seldom an error, and the first one is worth an event at once.
        self.try_admit().inspect_err(|_| self.note_refusal())
    }

    fn try_admit(&self) -> Result<()> {
        self.pipeline.sequencer.check_taking()?;
        let given = self.pipeline.written_bytes() + self.pipeline.sequencer.room.unwritten();
        let log_file_bytes = self.options.log.file_bytes;
        self.admission.check_space(given, log_file_bytes, || self.free_bytes())?;
        loop {
            match self.usage().pace() {
                Pace::Go => return Ok(()),
                Pace::Delay(ms) => {
                    non_blocking::would_block()?;
                    if self.threaded && ms != 0 {
                        self.admission.note_slowed();
                        std::thread::sleep(std::time::Duration::from_millis(ms));
                    }
                    return Ok(());
                }
                Pace::Stall => {
                    non_blocking::would_block()?;
                    self.admission.note_stalled();
                    self.make_room()?;
                }
            }
        }
    }

    /// Why writes are refused at the moment, if they are. Cheap: nothing is asked of the disk.
    pub(crate) fn write_refusal(&self) -> Option<Error> {
        let ended = self.pipeline.sequencer.check_taking().err();
        let stalled = || (self.usage().pace() == Pace::Stall).then(|| self.failed_checkpoint());
        ended
            .or_else(|| self.admission.refusal())
            .or_else(|| self.pipeline.no_room_because())
            .or_else(|| stalled().flatten())
    }

    fn failed_checkpoint(&self) -> Option<Error> {
        let why = self.checkpoints.last_failure()?;
        let detail = format!("there is no room, and the last checkpoint failed: {why}");
        Some(Error::new(ErrorKind::ReadOnly, detail).in_phase(Phase::Commit))
    }

    /// Tries again to make the file of the log without which writes are refused.
    pub(crate) fn retry_room(&self) {
        self.pipeline.retry_room(&|| self.look());
    }

    /// Looks at the disk even without writes: others may have filled it, or freed it.
    pub(crate) fn look_at_space(&self) {
        // Admission keeps an error for the next writer.
        let _ = self.look();
    }

    fn look(&self) -> Result<()> {
        self.admission.look(self.options.log.file_bytes, || self.free_bytes())
    }

    fn free_bytes(&self) -> Result<u64> {
        Ok(self.machine.disk.free_space(self.folder.path())?)
    }

    /// The use of each bounded resource, with its bound.
    pub(crate) fn usage(&self) -> Usage {
        Usage {
            log_bytes: self.pipeline.log_bytes(),
            log_bytes_max: self.options.log_bytes_max,
            delta_bytes: self.checkpoints.delta_estimate(self.pipeline.written_bytes()),
            delta_bytes_max: self.options.delta_bytes_max,
            queued_bytes: self.pipeline.sequencer.room.unwritten(),
            queued_bytes_max: limits::QUEUE_BYTES_MAX
                .min(self.options.log_bytes_max / LOG_FILES_MIN),
        }
    }

    /// Waits for the checkpoint that makes room, or does its steps where there are no threads.
    fn make_room(&self) -> Result<()> {
        self.pipeline.sequencer.check_taking()?;
        if let Some(refusal) = self.failed_checkpoint() {
            return Err(refusal);
        }
        if self.threaded {
            // A request does not wait beyond its deadline.
            query_limits::step(UNITS_PER_CHECK)?;
            self.checkpoints.wakeup.notify();
            std::thread::sleep(std::time::Duration::from_millis(limits::WRITE_STALL_MS));
            return Ok(());
        }
        self.pump()?;
        self.checkpoint()
    }

    /// Where readers are now.
    pub(crate) fn pinned_snapshots(&self) -> Arc<PinnedSnapshots> {
        let mut pinned = self.pipeline.readers.pinned(&self.pipeline.progress);
        if is_injected(&*self.machine.disk, Bug::ReadersForgotten) {
            pinned = PinnedSnapshots::since(LogPosition(self.pipeline.progress.visible()));
        }
        Arc::new(pinned)
    }

    /// Frees versions that no reader needs.
    pub(crate) fn forget(&self) {
        let pinned = self.pinned_snapshots();
        self.graphs.all().iter().for_each(|graph| graph.forget(&pinned));
        // Sections that readers pinned over the bound, and let go of since.
        self.folder.memory().make_room();
        self.folder.memory().forget_room();
    }
}

impl Pump for OpenFolder {
    fn has_threads(&self) -> bool {
        self.threaded
    }

    fn pump(&self) -> Result<bool> {
        let logged = self.pipeline.log_step()?;
        let applied = self.pipeline.apply_step()?;
        Ok(logged == Stepped::Worked || applied == Stepped::Worked)
    }

    fn help(&self) {
        self.pipeline.help_apply();
    }
}
