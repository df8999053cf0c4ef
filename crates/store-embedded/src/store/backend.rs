//! The backend over a data folder: graphs by name, threads behind it.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{Catalog, Error, ErrorKind, LogPosition, MemoryBudget, Result};
use millrace_store::{Backend, DurabilityMode, Guarantees, Isolation, Store, WriteBatch};

use super::schema_change::SchemaChange;
use super::threads::Threads;
use super::{EmbeddedStore, metrics};
use crate::base::commit_limits::VERTICES_MAX;
use crate::base::limits::{EDGE_ORDINALS_MAX, EDGE_SLOTS_MAX};
use crate::base::options::{Durability, Options};
use crate::checkpoint::OpenFolder;
use crate::commit::{Effect, LogOwner, Pump, Purpose};
use crate::folder::Watcher;
use crate::io::Machine;
use crate::maintenance::backup::{Sink, Summary};
use crate::maintenance::check::{Report, Watch};
use crate::maintenance::{backup, check};
use crate::recovery;

/// The durable backend: all graphs of one data folder.
///
/// Dropping it closes the folder in order: commits by then are on disk. Stores and
/// snapshots may outlive it; commits on them are refused from then on, reads go on.
pub struct EmbeddedBackend {
    open: Arc<OpenFolder>,
    /// None where the steps are done by hand.
    threads: Option<Threads>,
}

impl Drop for EmbeddedBackend {
    fn drop(&mut self) {
        self.threads = None;
        self.open.close();
    }
}

impl EmbeddedBackend {
    /// Opens a data folder, making it if it is missing.
    ///
    /// `Unavailable` if it is already open, `Corrupt` with the place if something that was durable
    /// is missing or damaged, `Unsupported` if a newer version wrote it.
    pub fn open(folder: &Path, options: Options) -> Result<Arc<EmbeddedBackend>> {
        EmbeddedBackend::open_threaded(folder, options, None)
    }

    /// The same; events of the folder from now on are given to `watcher`.
    pub fn open_watched(
        folder: &Path,
        options: Options,
        watcher: Arc<dyn Watcher>,
    ) -> Result<Arc<EmbeddedBackend>> {
        EmbeddedBackend::open_threaded(folder, options, Some(watcher))
    }

    /// Opens a data folder that is there to read only: nothing of it is written, so it may be on a
    /// read-only mount, and several processes may read it, while none writes. What the log holds stays
    /// in memory, and is taken from a budget: `LimitReached` where that is too small. Every write is
    /// refused as `ReadOnly`.
    pub fn open_to_read(
        folder: &Path,
        options: Options,
        memory: &MemoryBudget,
        watcher: Option<Arc<dyn Watcher>>,
    ) -> Result<Arc<EmbeddedBackend>> {
        let open =
            recovery::open_to_read(Machine::real(), folder, options, (true, memory), watcher)?;
        EmbeddedBackend::start(open)
    }

    /// The same on any machine and without threads, for simulation.
    pub fn open_to_read_stepped(
        machine: Machine,
        folder: &Path,
        options: Options,
        memory: &MemoryBudget,
    ) -> Result<Arc<EmbeddedBackend>> {
        let open = recovery::open_to_read(machine, folder, options, (false, memory), None)?;
        set_pump(&open);
        Ok(Arc::new(EmbeddedBackend { open, threads: None }))
    }

    /// Whether it was opened to be read only.
    pub fn is_read_only(&self) -> bool {
        self.open.is_read_only()
    }

    /// From now on write sets, loads and builds of indexes take shares of a budget. Only the first
    /// call counts.
    pub fn share_memory(&self, memory: &MemoryBudget) {
        let _first = self.open.memory.set(memory.clone());
    }

    fn open_threaded(
        folder: &Path,
        options: Options,
        watcher: Option<Arc<dyn Watcher>>,
    ) -> Result<Arc<EmbeddedBackend>> {
        EmbeddedBackend::start(recovery::open(Machine::real(), folder, options, true, watcher)?)
    }

    fn start(open: Arc<OpenFolder>) -> Result<Arc<EmbeddedBackend>> {
        set_pump(&open);
        let threads = Some(Threads::start(&open)?);
        Ok(Arc::new(EmbeddedBackend { open, threads }))
    }

    /// Opens a folder of any machine without threads: the caller that waits does the steps, and so
    /// does [`EmbeddedBackend::step`]. For simulation.
    pub fn open_stepped(
        machine: Machine,
        folder: &Path,
        options: Options,
    ) -> Result<Arc<EmbeddedBackend>> {
        let open = recovery::open(machine, folder, options, false, None)?;
        set_pump(&open);
        Ok(Arc::new(EmbeddedBackend { open, threads: None }))
    }

    /// Notes in the log that this process orders the commits from here on, where several do after
    /// one another, and gives the position. A transaction that began before it gets a write conflict
    /// and may run again: the knowledge of the process before it is lost.
    pub fn begin_as_owner(&self, owner: LogOwner) -> Result<LogPosition> {
        self.open.begin_as_owner(owner).map(LogPosition)
    }

    /// The meaning of an acknowledgement in this folder.
    pub fn durability(&self) -> Durability {
        self.open.durability
    }

    /// Why writes are refused at the moment, if they are: the disk is nearly full, or gone, no file
    /// of the log can be made, an earlier write failed. Cheap enough for frequent calls.
    pub fn read_only_reason(&self) -> Option<String> {
        self.open.write_refusal().map(|refusal| refusal.detail)
    }

    /// Checks everything that is visible now, as
    /// [`check_folder`](crate::maintenance::check::check_folder) does, but for the files. Writers
    /// and readers go on.
    pub fn check(&self, deep: bool, watch: Watch<'_>) -> Result<Report> {
        check::check_open(&self.open, deep, watch)
    }

    /// Copies the folder as of now while writers go on: a prefix of the commits, with everything
    /// acknowledged before this call. Waits for the checkpoint under way.
    pub fn backup(&self, sink: &mut dyn Sink, watch: backup::Watch<'_>) -> Result<Summary> {
        backup::backup_open(&self.open, sink, watch)
    }

    /// Does one step; says whether there was something to do.
    pub fn step(&self, step: Step) -> Result<bool> {
        use crate::commit::Stepped;
        let pipeline = &self.open.pipeline;
        let stepped = match step {
            Step::Log => pipeline.log_step()?,
            Step::Idle => pipeline.idle_step()?,
            Step::NextFile => pipeline.next_file_step()?,
            Step::Apply => pipeline.apply_step()?,
            Step::Checkpoint => {
                self.open.checkpoint()?;
                Stepped::Worked
            }
            Step::Close => {
                self.open.give_back()?;
                Stepped::Worked
            }
            Step::Forget if self.open.is_read_only() => {
                self.open.forget();
                Stepped::Worked
            }
            Step::Forget => {
                self.open.forget();
                self.open.look_at_space();
                self.open.retry_room();
                self.open.take_back_left();
                Stepped::Worked
            }
        };
        Ok(stepped == Stepped::Worked)
    }

    /// Begins a schema change, to be done step by step beside others; `Store::commit` does it in
    /// one call. For simulation.
    pub fn begin_schema_change(
        &self,
        graph: &str,
        batch: WriteBatch,
    ) -> Result<SchemaChangeCommit> {
        let graph = self.open.graphs.named(graph).ok_or_else(|| no_graph(graph))?;
        let change = SchemaChange::begin(&self.open, &graph, batch)?;
        Ok(SchemaChangeCommit { change })
    }

    fn check_name(name: &str) -> Result<()> {
        if name.is_empty() {
            return Err(Error::new(ErrorKind::BadInput, "a graph needs a name"));
        }
        Ok(())
    }
}

/// A commit on its way that defines something. Dropped before it has committed, it leaves nothing.
pub struct SchemaChangeCommit {
    change: SchemaChange,
}

impl SchemaChangeCommit {
    /// Does the next step; the commit's position, when it has one. After an error it is over.
    pub fn step(&mut self) -> Result<Option<LogPosition>> {
        Ok(self.change.step()?.map(LogPosition))
    }
}

/// A step of one of the store's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Write and sync the waiting records.
    Log,
    /// Write the empty batch that vouches for the last.
    Idle,
    /// Prepare the next file of the log.
    NextFile,
    /// Apply the waiting records.
    Apply,
    /// Write segments and a manifest, free files.
    Checkpoint,
    /// Free versions that no reader needs.
    Forget,
    /// Give back leased ids and unused room of the log, as the last thing of an orderly close.
    Close,
}

impl Backend for EmbeddedBackend {
    fn graphs(&self) -> Vec<String> {
        self.open.graphs.names()
    }

    fn graph(&self, name: &str) -> Result<Arc<dyn Store>> {
        let graph = self.open.graphs.named(name).ok_or_else(|| no_graph(name))?;
        Ok(EmbeddedStore::of(&self.open, &graph))
    }

    fn create_graph(&self, name: &str) -> Result<Arc<dyn Store>> {
        Self::check_name(name)?;
        self.open.admit()?;
        let _alone = self.open.changing_graphs.lock();
        if self.open.graphs.named(name).is_some() {
            let detail = format!("there is a graph named {name} already");
            return Err(Error::new(ErrorKind::AlreadyExists, detail));
        }
        let graph =
            self.open.graphs.make(self.open.graphs.new_id(), name, (Catalog::default(), 0), 0);
        self.open.log_and_wait(&graph, Effect::GraphCreated(name.to_string()), Purpose::Change)?;
        Ok(EmbeddedStore::of(&self.open, &graph))
    }

    fn drop_graph(&self, name: &str) -> Result<()> {
        let _alone = self.open.changing_graphs.lock();
        let graph = self.open.graphs.named(name).ok_or_else(|| no_graph(name))?;
        // Commits that are being prepared end before, later ones are refused.
        let _no_writers =
            self.open.acquire(|| graph.dropping.write(), || graph.dropping.try_write());
        self.open.log_and_wait(&graph, Effect::GraphDropped, Purpose::Upkeep)?;
        Ok(())
    }

    fn checkpoint(&self) -> Result<()> {
        self.open.checkpoint()
    }

    fn guarantees(&self) -> Guarantees {
        Guarantees {
            isolation: &[Isolation::Snapshot, Isolation::Serializable],
            durability: match self.open.durability {
                Durability::Sync => DurabilityMode::Sync,
                Durability::Async => DurabilityMode::Async,
            },
            durability_modes: &[DurabilityMode::Sync, DurabilityMode::Async],
            graphs_change_elsewhere: false,
            vertices_max: Some(VERTICES_MAX),
            partition_edges_max: Some(EDGE_SLOTS_MAX * EDGE_ORDINALS_MAX as u64),
        }
    }

    fn metrics(&self) -> Vec<(&'static str, &'static str, f64)> {
        metrics::metrics(&self.open)
    }
}

fn no_graph(name: &str) -> Error {
    Error::new(ErrorKind::NotFound, format!("there is no graph named {name}"))
}

fn set_pump(open: &Arc<OpenFolder>) {
    let pump: Arc<dyn Pump> = Arc::clone(open) as Arc<dyn Pump>;
    open.pipeline.progress.set_pump(Arc::downgrade(&pump));
}
