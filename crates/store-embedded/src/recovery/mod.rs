//! Opening a folder: the manifest names the segments, the log has the commits after them.
//!
//! ```text
//!   lock ──> manifest ──> segments, opened lazily ──> frames replayed ──> unnamed files removed
//!        └─ a new folder gets its first manifest         │                └──> a manifest of now
//!                                                        └─ each shard skips commits of its checkpoint
//! ```
//!
//! Replay goes through the very code that applied the records the first time. Install records are
//! replayed in their place, not first, so a shard's old segment must still be there; that is why
//! files outlive the manifest that replaced them by one more. A repair reads with a [`Salvage`].

mod contents;
mod salvage;
mod salvaged;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use millrace_model::{Catalog, Error, ErrorKind, GraphId, IndexId, LogPosition, Result};

use crate::base::codec::Malformed;
use crate::base::commit_limits::REPLAY_FRAMES;
use crate::base::error::Error as StoreError;
use crate::base::options::{Durability, Options};
use crate::checkpoint::{
    CONTENTS_FORMAT, Checkpoints, Contents, Files, GraphContents, OpenFolder, RootFiles,
};
use crate::commit::apply::Applier;
use crate::commit::{Admission, ApplyQueue, Effect, OutOfLineFiles, Physical, Pipeline, new_edges};
use crate::folder::manifest::{LoadedManifest, Manifest};
use crate::folder::{Event, Folder, Watcher};
use crate::graph::{Graph, Graphs};
use crate::index::RangePart;
use crate::io::{FileName, Machine};
use crate::live::PinnedSnapshots;
use crate::log;
use crate::log::Frame;
use crate::persistent::segment::{open_image, open_index_base, open_range_base};
use crate::persistent::{Installed, ShardName};

pub(crate) use contents::{complete_catalog, contents_of_segments};
pub(crate) use salvage::Salvage;
pub(crate) use salvaged::{LeftOut, Salvaged, salvage};

/// Opens a folder on a machine, making it if it is new.
pub(crate) fn open(
    machine: Machine,
    path: &Path,
    options: Options,
    threaded: bool,
    watcher: Option<Arc<dyn Watcher>>,
) -> Result<Arc<OpenFolder>> {
    options.check()?;
    let folder = Arc::new(Folder::open(Arc::clone(&machine.disk), path)?);
    let began = watcher.map(|watcher| begin_watch(&folder, &machine, watcher));
    folder.memory().set_budget(options.segment_bytes_max);
    let contents = load_contents(&folder, options.durability)?;
    let graphs = Arc::new(Graphs::with_edge_runs(options.edge_runs_max));
    let mut replay = Replay::new(&folder, &graphs, &contents);
    contents.graphs.iter().try_for_each(|graph| replay.open_graph(graph))?;
    graphs.raise_last_id(contents.last_graph_id);
    let mut failure = None;
    let visit = &mut |frame: Frame<'_>| {
        replay.visit(frame).map_err(|error| stop_replay(&folder, error, &mut failure))
    };
    let recovered = log::recover(&folder, &machine.random, options.log, contents.demand(), visit);
    let recovered = recovered.map_err(|error| failure.take().unwrap_or_else(|| error.into()))?;
    replay.flush()?;
    let files = replay.files;
    graphs.all().iter().for_each(|graph| graph.abandon_builds());
    let (position, replayed) = (recovered.position_last, recovered.frame_count);
    let durability = contents.durability;
    let pipeline =
        Pipeline::new(recovered.writer, Arc::clone(&graphs), (durability, &options), position);
    let open = Arc::new(OpenFolder {
        folder,
        machine,
        options,
        memory: std::sync::OnceLock::new(),
        durability,
        graphs,
        pipeline,
        admission: Admission::default(),
        checkpoints: Checkpoints::new(files),
        changing_graphs: parking_lot::Mutex::new(()),
        out_of_line: parking_lot::Mutex::new(()),
        threaded,
    });
    if threaded {
        open.folder.pacer().pause_by(Arc::clone(&open.machine.clock));
    }
    let referenced = open.checkpoints.with_files(Files::all);
    open.folder.remove_unreferenced(&referenced)?;
    // Two manifests with all their files: the one that was loaded may be the older of two.
    match open.write_manifest() {
        // On a full disk the one that was loaded holds, and the folder is there to be read.
        Err(full) if full.kind == ErrorKind::ReadOnly => {}
        outcome => outcome?,
    }
    open.measure_deltas();
    open.look_at_space();
    began.into_iter().for_each(|began_ns| note_recovered(&open, (replayed, position), began_ns));
    Ok(open)
}

/// Events go to the watcher from now on; when that is.
fn begin_watch(folder: &Folder, machine: &Machine, watcher: Arc<dyn Watcher>) -> u64 {
    folder.watch().begin(watcher);
    if let Some(holder) = folder.left_by() {
        folder.watch().note(Event::UncleanEnd { holder });
    }
    machine.clock.monotonic_ns()
}

fn note_recovered(open: &OpenFolder, (replayed, position): (u64, u64), began_ns: u64) {
    let took = Duration::from_nanos(open.machine.clock.monotonic_ns() - began_ns);
    let log_bytes = open.pipeline.log_bytes();
    open.folder.watch().note(Event::Recovered { replayed, position, log_bytes, took });
}

/// A folder as it is on disk, replayed in memory and left as it was.
pub(crate) struct ReadFolder {
    pub(crate) graphs: Arc<Graphs>,
    /// The manifest that was read.
    pub(crate) manifest: FileName,
    /// The damage of a newer manifest, if this one was fallen back on.
    pub(crate) newer_damaged: Option<StoreError>,
    /// Files that the manifest or the log names.
    pub(crate) named: HashSet<FileName>,
    pub(crate) log: log::LogRead,
}

/// Replays a folder without writing to it, for inspection of the state that an open would reach.
/// `NotFound` if there is no manifest.
pub(crate) fn read(folder: &Arc<Folder>) -> Result<ReadFolder> {
    let loaded = Manifest::load(folder, CONTENTS_FORMAT)?.ok_or_else(|| {
        let detail = format!("{} holds no data: it has no manifest", folder.path().display());
        Error::new(ErrorKind::NotFound, detail)
    })?;
    let contents = Contents::decode(&loaded.manifest.payload)
        .map_err(|wrong| corrupt(&folder.path_of(loaded.name), wrong))?;
    let graphs = Arc::new(Graphs::default());
    let mut replay = Replay::new(folder, &graphs, &contents);
    contents.graphs.iter().try_for_each(|graph| replay.open_graph(graph))?;
    let mut failure = None;
    let visit = &mut |frame: Frame<'_>| {
        replay.visit(frame).map_err(|error| stop_replay(folder, error, &mut failure))
    };
    let read = log::read(folder, contents.demand(), visit);
    let log = read.map_err(|error| failure.take().unwrap_or_else(|| error.into()))?;
    replay.flush()?;
    graphs.all().iter().for_each(|graph| graph.abandon_builds());
    let named = replay.files.all();
    let LoadedManifest { name, newer_damaged, .. } = loaded;
    Ok(ReadFolder { graphs, manifest: name, newer_damaged, named, log })
}

fn load_contents(folder: &Folder, wanted: Option<Durability>) -> Result<Contents> {
    let Some(loaded) = Manifest::load(folder, CONTENTS_FORMAT)? else {
        let contents = Contents::of_new_folder(wanted.unwrap_or_default());
        contents.store(folder)?;
        return Ok(contents);
    };
    if let Some(damage) = &loaded.newer_damaged {
        let (used, damage) = (loaded.name, damage.to_string());
        folder.watch().note(Event::ManifestFallback { used, damage });
    }
    // A process that was killed may have left a name that only the system's memory has. All that
    // follows builds on it: files that it does not name are removed, others are made.
    folder.sync()?;
    let contents = Contents::decode(&loaded.manifest.payload)
        .map_err(|wrong| corrupt(&folder.path_of(loaded.name), wrong))?;
    match wanted {
        Some(wanted) if wanted != contents.durability => {
            let (has, wanted) = (contents.durability.word(), wanted.word());
            let path = folder.path().display();
            let detail = format!("the data folder {path} was created with durability {has}");
            Err(Error::new(ErrorKind::BadInput, detail).with_help(format!(
                "open it with {has}; for {wanted}, load the data into another folder"
            )))
        }
        _ => Ok(contents),
    }
}

/// The state of a replay.
struct Replay<'a> {
    folder: &'a Arc<Folder>,
    graphs: &'a Arc<Graphs>,
    /// The position of the manifest: graphs, names and leases before it are in it.
    position: u64,
    /// Graphs above this were made after the manifest.
    last_graph_id: u32,
    waiting: ApplyQueue,
    waiting_count: usize,
    /// The position of the first of them.
    waiting_from: Option<u64>,
    applier: Applier,
    files: Files,
    /// For a damaged folder: unreadable parts are noted here and left out.
    salvage: Option<Salvage>,
}

impl<'a> Replay<'a> {
    fn new(folder: &'a Arc<Folder>, graphs: &'a Arc<Graphs>, contents: &Contents) -> Self {
        let files = Files::new(contents.replay_from);
        Self {
            folder,
            graphs,
            position: contents.position,
            last_graph_id: contents.last_graph_id,
            waiting: ApplyQueue::default(),
            waiting_count: 0,
            waiting_from: None,
            applier: Applier::new(folder),
            files,
            salvage: None,
        }
    }

    /// Opens the segments of a graph of the manifest.
    fn open_graph(&mut self, contents: &GraphContents) -> Result<()> {
        let catalog = (contents.catalog.clone(), self.position);
        let graph = self.graphs.make(contents.id, &contents.name, catalog, contents.leased_end);
        graph.raise_next_index(contents.next_index);
        for index in contents.catalog.maintained_indexes() {
            graph.indexes.create(index);
        }
        for installed in &contents.installed {
            let root = self.put(&graph, *installed)?;
            self.files.add_named((graph.id, installed.shard), root);
        }
        self.graphs.insert(&graph);
        Ok(())
    }

    /// Takes a frame of the log.
    fn visit(&mut self, frame: Frame<'_>) -> Result<()> {
        if let Some(edges) = new_edges(&frame) {
            if self.graphs.get(GraphId(frame.graph)).is_none() {
                return self.check_gone(&frame);
            }
            self.waiting_from.get_or_insert(frame.position);
            self.waiting.push_bytes(&edges);
            return self.flush_if_many();
        }
        let effect = Effect::decode(frame.kind, frame.payload).map_err(|wrong| {
            let detail = format!(
                "the record of commit {} in the log of {}: {} at byte {}",
                frame.position,
                self.folder.path().display(),
                wrong.what,
                wrong.offset
            );
            Error::new(ErrorKind::Corrupt, detail).with_help(RESTORE)
        })?;
        if let Effect::GraphCreated(name) = &effect {
            return self.create_graph(&frame, name);
        }
        let Some(graph) = self.graphs.get(GraphId(frame.graph)) else {
            return self.check_gone(&frame);
        };
        match effect {
            Effect::Installed(installed) => self.install(&graph, &[installed]),
            Effect::Split(parts) => self.install(&graph, &parts),
            Effect::GraphDropped if frame.position <= self.position => Ok(()),
            Effect::GraphDropped => {
                self.flush()?;
                self.graphs.remove(graph.id);
                Ok(())
            }
            Effect::OwnerBegan(_) => Ok(()),
            // The manifest has the leases before it, without the ids that a close gave back.
            Effect::Lease(_) if frame.position <= self.position => Ok(()),
            Effect::Lease(end) => {
                graph.leases.recover(end);
                Ok(())
            }
            Effect::OutOfLine(files) => {
                let files = self.read_out_of_line(&graph, frame.position, *files)?;
                self.push(&graph, frame.position, Effect::OutOfLine(Box::new(files)))?;
                self.flush()
            }
            effect @ (Effect::Changes(_) | Effect::Names(_) | Effect::GraphCreated(_)) => {
                self.push(&graph, frame.position, effect)
            }
        }
    }

    /// Applies the waiting records.
    fn flush(&mut self) -> Result<()> {
        // There is no reader yet, so only the last state of the replay is kept.
        if let Some(first) = self.waiting_from.take() {
            let pinned = PinnedSnapshots::since(LogPosition(first));
            self.graphs.all().iter().for_each(|graph| graph.partitions.pin(pinned.clone()));
        }
        self.waiting_count = 0;
        self.applier.apply(self.graphs, &mut self.waiting, None, |_| {})
    }

    fn push(&mut self, graph: &Arc<Graph>, position: u64, effect: Effect) -> Result<()> {
        self.waiting_from.get_or_insert(position);
        self.waiting.push_effect(position, Box::new((Arc::clone(graph), effect)));
        self.flush_if_many()
    }

    fn flush_if_many(&mut self) -> Result<()> {
        self.waiting_count += 1;
        if REPLAY_FRAMES <= self.waiting_count { self.flush() } else { Ok(()) }
    }

    fn create_graph(&mut self, frame: &Frame<'_>, name: &str) -> Result<()> {
        if self.position < frame.position {
            let catalog = (Catalog::default(), frame.position);
            self.graphs.insert(&self.graphs.make(GraphId(frame.graph), name, catalog, 0));
        }
        Ok(())
    }

    /// A graph that is not there must have been dropped, before the manifest or since, or is 0: none.
    fn check_gone(&self, frame: &Frame<'_>) -> Result<()> {
        let known = self.last_graph_id.max(self.graphs.last_id());
        if frame.graph <= known {
            return Ok(());
        }
        let detail =
            format!("commit {} is in graph {}, which never existed", frame.position, frame.graph);
        Err(Error::new(ErrorKind::Corrupt, detail).with_help(RESTORE))
    }

    /// Puts a segment in place that was installed after the manifest.
    fn install(&mut self, graph: &Arc<Graph>, installed: &[Installed]) -> Result<()> {
        self.flush()?;
        // The index was dropped, or never ready, and its files may be gone.
        if installed.iter().any(|installed| !graph.indexes.holds(installed.shard)) {
            return Ok(());
        }
        // The manifest may be newer than this record.
        let is_known = |own: &Installed| {
            let known = self.files.roots.get(&(graph.id, own.shard));
            known.is_some_and(|known| own.checkpoint <= known.installed.checkpoint)
        };
        if installed.iter().any(is_known) {
            return Ok(());
        }
        if let [installed] = installed {
            let root = self.put(graph, *installed)?;
            self.files.replace((graph.id, installed.shard), root);
            return Ok(());
        }
        self.split(graph, installed)?;
        for installed in installed.iter().copied() {
            let root = RootFiles { installed, older: Vec::new() };
            self.files.replace((graph.id, installed.shard), root);
        }
        Ok(())
    }

    /// Puts the parts of a shard of an ordered index in its place.
    fn split(&mut self, graph: &Arc<Graph>, installed: &[Installed]) -> Result<()> {
        let mut parts = Vec::with_capacity(installed.len());
        for Installed { shard, file, .. } in installed {
            let ShardName::Index(index, number) = *shard else { continue };
            // A repair makes unreadable parts anew.
            if let Some(part) = self.range_part(*file, (graph.id, index, number))? {
                parts.push((index, part));
            }
        }
        let Some((index, checkpoint)) = parts.first().map(|part| part.0).zip(installed.first())
        else {
            return Ok(());
        };
        if let Some(ordered) = graph.indexes.ordered(index) {
            let checkpoint = LogPosition(checkpoint.checkpoint);
            ordered.install(parts.into_iter().map(|(_, part)| part).collect(), checkpoint);
        }
        Ok(())
    }

    /// Opens a segment and makes it the base of its shard.
    fn put(&mut self, graph: &Arc<Graph>, installed: Installed) -> Result<RootFiles> {
        let Installed { shard, checkpoint, file } = installed;
        match shard {
            ShardName::Partition(ordinal) => {
                let older = self.put_partition(graph, ordinal, (file, checkpoint))?;
                Ok(RootFiles { installed, older })
            }
            ShardName::Index(index, number) => {
                let root = RootFiles { installed, older: Vec::new() };
                if let Some(ordered) = graph.indexes.ordered(index) {
                    if let Some(part) = self.range_part(file, (graph.id, index, number))? {
                        ordered.put(part, LogPosition(checkpoint));
                    }
                    return Ok(root);
                }
                let Some(shards) = graph.indexes.get(index) else { return Ok(root) };
                let subject = (graph.id, index, number);
                let stored = match &mut self.salvage {
                    Some(salvage) => salvage.index_base(self.folder, file, subject),
                    None => Some(open_index_base(self.folder, file, subject)?.1),
                };
                if let Some(stored) = stored {
                    shards[number as usize].install_stored(LogPosition(checkpoint), index, stored);
                }
                Ok(root)
            }
        }
    }

    /// Opens a shard of an ordered index; `None` if it can't be read and that is no error here.
    fn range_part(
        &mut self,
        file: FileName,
        subject: (GraphId, IndexId, u32),
    ) -> Result<Option<RangePart>> {
        let opened = match &mut self.salvage {
            Some(salvage) => salvage.range_base(self.folder, file, subject),
            None => Some(open_range_base(self.folder, file, subject)?),
        };
        let part = |(lower, base)| RangePart { number: subject.2, lower, base: Arc::new(base) };
        Ok(opened.map(part))
    }

    /// Opens a root of a partition, and gives its older files.
    fn put_partition(
        &mut self,
        graph: &Arc<Graph>,
        ordinal: u32,
        (name, checkpoint): (FileName, u64),
    ) -> Result<Vec<FileName>> {
        let subject = (graph.id, ordinal);
        let (file, image, delta) = match &mut self.salvage {
            Some(salvage) => salvage.root(self.folder, name, subject, checkpoint),
            None => {
                let (file, image) = open_image(self.folder, name, graph.id, ordinal)?;
                let delta = file.delta()?;
                (Some(file), image, delta)
            }
        };
        let image = Arc::new(image);
        let is_first = graph.partitions.open(Arc::clone(&image));
        let partition = graph.partitions.get_or_create(ordinal);
        if !is_first && partition.checkpoint() < image.checkpoint {
            partition.install_base(image);
        }
        let Some(file) = file else { return Ok(Vec::new()) };
        let Some(bytes) = delta else { return Ok(file.older()) };
        if is_first {
            let physical = Physical::decode(&bytes).map_err(|wrong| corrupt(file.path(), wrong))?;
            partition.restore(file.positions.checkpoint, &physical.changes, bytes.len() as u64)?;
        } else {
            // The log held all of it, and was replayed up to here.
            partition.note_saved(file.positions.checkpoint, bytes.len() as u64);
        }
        Ok(file.older())
    }

    /// Notes the files of an out-of-line commit and opens its transaction layers.
    fn read_out_of_line(
        &mut self,
        graph: &Graph,
        position: u64,
        mut files: OutOfLineFiles,
    ) -> Result<OutOfLineFiles> {
        self.files.out_of_line.insert(position, files.files().collect());
        for (ordinal, name) in &files.layers {
            let root = self.files.roots.get(&(graph.id, ShardName::Partition(*ordinal)));
            let is_merged = root.is_some_and(|root| position <= root.installed.checkpoint);
            // Where no manifest says from where to replay, it may be gone for that.
            if self.salvage.is_some() && is_merged {
                continue;
            }
            let image = match &mut self.salvage {
                Some(salvage) => {
                    salvage.transaction_layer(self.folder, *name, (graph.id, *ordinal), position)
                }
                None => open_image(self.folder, *name, graph.id, *ordinal)?.1,
            };
            files.images.push(Arc::new(image));
        }
        Ok(files)
    }
}

const RESTORE: &str =
    "nothing was changed; restore the data folder from a backup or another copy of it";

fn corrupt(path: &Path, wrong: Malformed) -> Error {
    let detail = format!("{} is damaged at byte {}: {}", path.display(), wrong.offset, wrong.what);
    Error::new(ErrorKind::Corrupt, detail).with_help(RESTORE)
}

/// Keeps an error of the model while the log, which knows only its own, is ended by another.
fn stop_replay(folder: &Folder, error: Error, failure: &mut Option<Error>) -> StoreError {
    let detail = error.to_string();
    *failure = Some(error);
    StoreError::corrupt(folder.path(), 0, detail)
}
