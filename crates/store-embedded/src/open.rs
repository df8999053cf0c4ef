//! An open data folder: everything that all graphs, sessions and threads share.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase, Position, Result};
use parking_lot::Mutex;

use crate::checkpoint::Checkpoints;
use crate::commit::limits;
use crate::commit::{Admission, Effect, Pace, Pipeline, Pump, Record, Stepped, Usage};
use crate::folder::Folder;
use crate::graph::{Graph, Graphs};
use crate::io::Machine;
use crate::leases::BlockSize;
use crate::options::{Durability, Options};
use crate::view::GraphView;

/// An open data folder.
pub(crate) struct OpenFolder {
    pub(crate) folder: Arc<Folder>,
    pub(crate) machine: Machine,
    pub(crate) options: Options,
    pub(crate) durability: Durability,
    pub(crate) graphs: Arc<Graphs>,
    pub(crate) pipeline: Pipeline,
    pub(crate) admission: Admission,
    pub(crate) checkpoints: Checkpoints,
    /// Held while graphs are made and dropped, so that a name is given once.
    pub(crate) changing_graphs: Mutex<()>,
    /// Held by a large commit until its overlays are in place.
    pub(crate) large: Mutex<()>,
    /// Whether threads do the steps; if not, whoever waits does.
    pub(crate) threaded: bool,
}

/// A reader registered at what is visible now.
pub(crate) struct Pin<'a> {
    open: &'a OpenFolder,
    position: u64,
}

impl Drop for Pin<'_> {
    fn drop(&mut self) {
        self.open.pipeline.readers.leave(self.position);
    }
}

impl Pin<'_> {
    /// Where it is.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// A graph at the pinned position.
    pub(crate) fn view<'g>(&self, graph: &'g Graph) -> GraphView<'g> {
        let catalog = graph.catalog.at(self.position);
        GraphView { graph, at: Position(self.position), catalog }
    }
}

/// A reader registered at what was visible when it was made, for work in many steps.
pub(crate) struct OwnedPin {
    open: Arc<OpenFolder>,
    position: u64,
}

impl OwnedPin {
    /// Registers a reader at what is visible now.
    pub(crate) fn of_now(open: &Arc<OpenFolder>) -> OwnedPin {
        let position = open.pipeline.readers.enter(&open.pipeline.progress);
        OwnedPin { open: Arc::clone(open), position }
    }

    /// A graph at the pinned position.
    pub(crate) fn view<'g>(&self, graph: &'g Graph) -> GraphView<'g> {
        let catalog = graph.catalog.at(self.position);
        GraphView { graph, at: Position(self.position), catalog }
    }
}

impl Drop for OwnedPin {
    fn drop(&mut self) {
        self.open.pipeline.readers.leave(self.position);
    }
}

impl OpenFolder {
    /// Registers a reader at what is visible now.
    pub(crate) fn pin(&self) -> Pin<'_> {
        let position = self.pipeline.readers.enter(&self.pipeline.progress);
        Pin { open: self, position }
    }

    /// Registers a checkpoint as a reader at its cut.
    pub(crate) fn pin_cut(&self) -> Pin<'_> {
        let position = self.pipeline.readers.enter_at_cut(&self.pipeline.progress);
        Pin { open: self, position }
    }

    /// How ids are leased.
    pub(crate) fn block_size(&self) -> BlockSize {
        BlockSize { ids: self.options.id_block_size, renew_percent: self.options.id_renew_percent }
    }

    /// Orders a record that conflicts with nothing, and waits until it is durable and visible.
    pub(crate) fn log_and_wait(&self, graph: &Arc<Graph>, effect: Effect) -> Result<u64> {
        let position = self.pipeline.sequence_freely(Record::new(graph, effect)?)?;
        self.pipeline.progress.wait_durable(position)?;
        self.pipeline.progress.wait_visible(position, None)?;
        Ok(position)
    }

    /// Lets a writer of about `bytes` in, slowed down or held as the bounds demand.
    pub(crate) fn admit(&self, bytes: u64) -> Result<()> {
        self.pipeline.sequencer.check_taking()?;
        let free = || Ok(self.machine.disk.free_space(self.folder.path())?);
        self.admission.check_space(bytes, self.options.log.file_bytes, free)?;
        loop {
            match self.usage().pace() {
                Pace::Go => return Ok(()),
                Pace::Delay(ms) => {
                    if self.threaded && ms != 0 {
                        std::thread::sleep(std::time::Duration::from_millis(ms));
                    }
                    return Ok(());
                }
                Pace::Hold => self.make_room()?,
            }
        }
    }

    /// What is used of everything that runs out.
    pub(crate) fn usage(&self) -> Usage {
        Usage {
            log_bytes: self.pipeline.log_bytes(),
            log_bytes_max: self.options.log_bytes_max,
            delta_bytes: self.checkpoints.delta_bytes(),
            delta_bytes_max: self.options.delta_bytes_max,
            queued_bytes: self.pipeline.sequencer.queued_bytes(),
            queued_bytes_max: limits::QUEUE_BYTES_MAX,
        }
    }

    /// Waits for the checkpoint that makes room, or does its steps where there are no threads.
    fn make_room(&self) -> Result<()> {
        self.pipeline.sequencer.check_taking()?;
        if let Some(why) = self.checkpoints.last_failure() {
            let detail = format!("there is no room, and the last checkpoint failed: {why}");
            return Err(Error::new(ErrorKind::ReadOnly, detail).in_phase(Phase::Commit));
        }
        if self.threaded {
            self.checkpoints.bell.ring();
            std::thread::sleep(std::time::Duration::from_millis(limits::HOLD_MS));
            return Ok(());
        }
        self.pump()?;
        self.checkpoint()
    }

    /// Refuses writers for good and lets go of the folder; snapshots go on.
    pub(crate) fn close(&self) {
        let closed = Error::new(ErrorKind::Unavailable, "the data folder is closed");
        self.pipeline.sequencer.refuse(Some(closed.in_phase(Phase::Commit)));
        self.pipeline.progress.stop();
        self.folder.close();
    }

    /// Frees what no reader needs.
    pub(crate) fn forget(&self) {
        let oldest = self.pipeline.readers.oldest(&self.pipeline.progress);
        self.graphs.all().iter().for_each(|graph| graph.forget(oldest));
        // Sections that readers held over the bound, and let go of since.
        self.folder.memory().make_room();
    }
}

impl Pump for OpenFolder {
    fn pump(&self) -> Result<bool> {
        let logged = self.pipeline.log_step()?;
        let applied = self.pipeline.apply_step()?;
        Ok(logged == Stepped::Worked || applied == Stepped::Worked)
    }
}
