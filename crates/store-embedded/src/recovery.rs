//! Opening a folder: the manifest says what is in segments, the log says what came after.
//!
//! ```text
//!   lock ──> manifest ──> segments, opened lazily ──> frames replayed ──> files nobody names removed
//!        └─ a new folder gets its first manifest         │                └──> a manifest of now
//!                                                        └─ each shard skips what its cut covers
//! ```
//!
//! Replay goes through the very code that applied the records the first time. What a reader would
//! get wrong: install records are replayed in their place, not first, so a shard's old segment
//! must still be there; that is why files outlive the manifest that replaced them by one more.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use millrace_model::{Catalog, Error, ErrorKind, GraphId, Position, Result};

use crate::bulk::read_side_file;
use crate::checkpoint::{Checkpoints, Files};
use crate::codec::Malformed;
use crate::commit::apply::apply;
use crate::commit::limits::REPLAY_FRAMES;
use crate::commit::{
    Admission, Effect, Installed, LargeFiles, Physical, Pipeline, Record, Sequenced, ShardName,
};
use crate::contents::{CONTENTS_FORMAT, Contents, GraphContents};
use crate::error::Error as StoreError;
use crate::folder::{FileName, Folder};
use crate::graph::{Graph, Graphs};
use crate::index::{IndexBase, IndexEntry, RangePart};
use crate::io::Machine;
use crate::log::{self, Frame};
use crate::manifest::{LoadedManifest, Manifest};
use crate::open::OpenFolder;
use crate::options::{Durability, Options};
use crate::segment::{open_image, open_index_base, open_range_base};

/// Opens a folder on a machine, making it if it is new.
pub(crate) fn open(
    machine: Machine,
    path: &Path,
    options: Options,
    threaded: bool,
) -> Result<Arc<OpenFolder>> {
    options.check()?;
    let folder = Arc::new(Folder::open(Arc::clone(&machine.disk), path)?);
    folder.memory().set_budget(options.segment_bytes_max);
    let contents = load_contents(&folder, options.durability)?;
    let graphs = Arc::new(Graphs::default());
    let mut replay = Replay::new(&folder, &graphs, &contents);
    contents.graphs.iter().try_for_each(|graph| replay.open_graph(graph))?;
    graphs.raise_last_id(contents.last_graph_id);
    let mut failure = None;
    let visit = &mut |frame: Frame<'_>| {
        replay.visit(frame).map_err(|error| stop_replay(&folder, error, &mut failure))
    };
    let recovered =
        log::recover(&folder, &machine.random, options.log, contents.replay_from, visit);
    let recovered = recovered.map_err(|error| failure.take().unwrap_or_else(|| error.into()))?;
    replay.flush()?;
    let files = replay.files;
    graphs.all().iter().for_each(|graph| graph.abandon_builds());
    let position = recovered.position_last;
    let durability = contents.durability;
    let pipeline =
        Pipeline::new(recovered.writer, Arc::clone(&graphs), (durability, &options), position);
    let open = Arc::new(OpenFolder {
        folder,
        machine,
        options,
        durability,
        graphs,
        pipeline,
        admission: Admission::default(),
        checkpoints: Checkpoints::new(files),
        changing_graphs: parking_lot::Mutex::new(()),
        large: parking_lot::Mutex::new(()),
        threaded,
    });
    open.folder.remove_unreferenced(&open.checkpoints.all_files())?;
    // Two manifests whose files are all there: the one that was loaded may be the older of two.
    open.write_manifest()?;
    Ok(open)
}

/// A folder as it is on disk, replayed in memory and left as it was.
pub(crate) struct ReadFolder {
    pub(crate) graphs: Arc<Graphs>,
    pub(crate) contents: Contents,
    /// The manifest that was read.
    pub(crate) manifest: FileName,
    /// What is wrong with a newer manifest, if this one was fallen back on.
    pub(crate) newer_damaged: Option<StoreError>,
    /// Files that the manifest or the log names.
    pub(crate) named: HashSet<FileName>,
    pub(crate) log: log::LogRead,
}

/// Replays a folder without writing to it: what an open would come to, to be looked at.
/// `NotFound` if there is no manifest.
pub(crate) fn read(folder: &Folder) -> Result<ReadFolder> {
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
    let read = log::read(folder, contents.replay_from, visit);
    let log = read.map_err(|error| failure.take().unwrap_or_else(|| error.into()))?;
    replay.flush()?;
    graphs.all().iter().for_each(|graph| graph.abandon_builds());
    let named = Checkpoints::new(replay.files).all_files();
    let LoadedManifest { name, newer_damaged, .. } = loaded;
    Ok(ReadFolder { graphs, contents, manifest: name, newer_damaged, named, log })
}

fn load_contents(folder: &Folder, wanted: Option<Durability>) -> Result<Contents> {
    let Some(loaded) = Manifest::load(folder, CONTENTS_FORMAT)? else {
        let contents = Contents::of_new_folder(wanted.unwrap_or_default());
        contents.store(folder)?;
        return Ok(contents);
    };
    let contents = Contents::decode(&loaded.manifest.payload)
        .map_err(|wrong| corrupt(&folder.path_of(loaded.name), wrong))?;
    match wanted {
        Some(wanted) if wanted != contents.durability => {
            let (has, wanted) = (contents.durability.word(), wanted.word());
            let path = folder.path().display();
            let detail = format!("the data folder {path} was made with durability {has}");
            Err(Error::new(ErrorKind::BadInput, detail).with_help(format!(
                "open it with {has}; for {wanted}, load the data into another folder"
            )))
        }
        _ => Ok(contents),
    }
}

/// The state of a replay.
struct Replay<'a> {
    folder: &'a Folder,
    graphs: &'a Arc<Graphs>,
    /// The position of the manifest: graphs, names and leases before it are in it.
    position: u64,
    /// Graphs above this were made after the manifest.
    last_graph_id: u32,
    waiting: Vec<Sequenced>,
    files: Files,
}

impl<'a> Replay<'a> {
    fn new(folder: &'a Folder, graphs: &'a Arc<Graphs>, contents: &Contents) -> Self {
        let files = Files { manifest: (BTreeSet::new(), contents.replay_from), ..Files::default() };
        Self {
            folder,
            graphs,
            position: contents.position,
            last_graph_id: contents.last_graph_id,
            waiting: Vec::new(),
            files,
        }
    }

    /// Opens the segments of a graph of the manifest.
    fn open_graph(&mut self, contents: &GraphContents) -> Result<()> {
        let catalog = (contents.catalog.clone(), self.position);
        let graph = Graph::new(contents.id, &contents.name, catalog, contents.leased_end);
        graph.raise_next_index(contents.next_index);
        for index in contents.catalog.kept_indexes() {
            graph.indexes.create(index);
        }
        for installed in &contents.installed {
            self.files.manifest.0.insert(installed.file);
            self.files.installed.insert((graph.id, installed.shard), *installed);
            self.put(&graph, *installed)?;
        }
        self.graphs.insert(&graph);
        Ok(())
    }

    /// Takes a frame of the log.
    fn visit(&mut self, frame: Frame<'_>) -> Result<()> {
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
            Effect::Lease(end) => {
                graph.leases.recover(end);
                Ok(())
            }
            Effect::Large(files) => {
                let files = self.read_large(&graph, frame.position, *files)?;
                self.push(&graph, frame.position, Effect::Large(Box::new(files)))?;
                self.flush()
            }
            effect @ (Effect::Changes(_) | Effect::Names(_) | Effect::GraphCreated(_)) => {
                self.push(&graph, frame.position, effect)
            }
        }
    }

    /// Applies what waits.
    fn flush(&mut self) -> Result<()> {
        apply(self.graphs, &std::mem::take(&mut self.waiting))
    }

    fn push(&mut self, graph: &Arc<Graph>, position: u64, effect: Effect) -> Result<()> {
        let record = Arc::new(Record::replayed(graph, effect));
        self.waiting.push(Sequenced { position, record });
        if REPLAY_FRAMES <= self.waiting.len() { self.flush() } else { Ok(()) }
    }

    fn create_graph(&mut self, frame: &Frame<'_>, name: &str) -> Result<()> {
        if self.position < frame.position {
            let catalog = (Catalog::default(), frame.position);
            self.graphs.insert(&Graph::new(GraphId(frame.graph), name, catalog, 0));
        }
        Ok(())
    }

    /// A graph that is not there must have been dropped before the manifest, or since.
    fn check_gone(&self, frame: &Frame<'_>) -> Result<()> {
        let known = self.last_graph_id.max(self.graphs.last_id());
        if frame.graph <= known {
            return Ok(());
        }
        let detail =
            format!("commit {} is in graph {}, which never was", frame.position, frame.graph);
        Err(Error::new(ErrorKind::Corrupt, detail).with_help(RESTORE))
    }

    /// Puts a segment in place that was installed after the manifest.
    fn install(&mut self, graph: &Arc<Graph>, installed: &[Installed]) -> Result<()> {
        self.flush()?;
        // The index was dropped, or never ready, and its files may be gone.
        if installed.iter().any(|installed| !graph.indexes.holds(installed.shard)) {
            return Ok(());
        }
        let known = |installed: &Installed| self.files.installed.get(&(graph.id, installed.shard));
        // The manifest may be newer than this record.
        let is_known = |own: &Installed| known(own).is_some_and(|known| own.cut <= known.cut);
        if installed.iter().any(is_known) {
            return Ok(());
        }
        for installed in installed {
            let key = (graph.id, installed.shard);
            if let Some(before) = self.files.installed.insert(key, *installed) {
                self.files.replaced.insert(before.file);
            }
        }
        match installed {
            [installed] => self.put(graph, *installed),
            parts => self.split(graph, parts),
        }
    }

    /// Puts the parts of a shard of an ordered index in its place.
    fn split(&self, graph: &Arc<Graph>, installed: &[Installed]) -> Result<()> {
        let mut parts = Vec::with_capacity(installed.len());
        for Installed { shard, file, .. } in installed {
            let ShardName::Index(index, number) = *shard else { continue };
            let (lower, base) = open_range_base(self.folder, *file, (graph.id, index, number))?;
            parts.push((index, RangePart { number, lower, base: Arc::new(base) }));
        }
        let Some((index, cut)) = parts.first().map(|part| part.0).zip(installed.first()) else {
            return Ok(());
        };
        if let Some(ordered) = graph.indexes.ordered(index) {
            let cut = Position(cut.cut);
            ordered.install(parts.into_iter().map(|(_, part)| part).collect(), cut);
        }
        Ok(())
    }

    /// Opens a segment and makes it the base of its shard.
    fn put(&self, graph: &Arc<Graph>, installed: Installed) -> Result<()> {
        let Installed { shard, cut, file } = installed;
        match shard {
            ShardName::Partition(ordinal) => {
                let (_, image) = open_image(self.folder, file, graph.id, ordinal)?;
                let image = Arc::new(image);
                if !graph.partitions.open(Arc::clone(&image)) {
                    let partition = graph.partitions.get_or_create(ordinal);
                    if partition.cut() < image.cut {
                        partition.install_base(image);
                    }
                }
            }
            ShardName::Index(index, number) => {
                if let Some(ordered) = graph.indexes.ordered(index) {
                    let name = (graph.id, index, number);
                    let (lower, base) = open_range_base(self.folder, file, name)?;
                    ordered.put(RangePart { number, lower, base: Arc::new(base) }, Position(cut));
                    return Ok(());
                }
                let Some(shards) = graph.indexes.get(index) else { return Ok(()) };
                let (_, stored) = open_index_base(self.folder, file, (graph.id, index, number))?;
                let stored = stored.get()?;
                let entry = |(hash, id)| IndexEntry { index, hash, id };
                let entries = stored.iter().map(entry).collect();
                let base = IndexBase { cut: Position(cut), entries };
                shards[number as usize].install_base(Arc::new(base));
            }
        }
        Ok(())
    }

    /// Reads the side files of a large commit and opens its overlays.
    fn read_large(
        &mut self,
        graph: &Graph,
        position: u64,
        mut files: LargeFiles,
    ) -> Result<LargeFiles> {
        self.files.large.insert(position, files.files().collect());
        for name in &files.parts {
            let bytes = read_side_file(self.folder, *name, graph.id)?;
            let part = Physical::decode(&bytes)
                .map_err(|wrong| corrupt(&self.folder.path_of(*name), wrong))?;
            files.parts_read.push(part);
        }
        for (ordinal, name) in &files.overlays {
            let (_, image) = open_image(self.folder, *name, graph.id, *ordinal)?;
            files.images.push(Arc::new(image));
        }
        Ok(files)
    }
}

impl Checkpoints {
    /// Every file that something names.
    pub(crate) fn all_files(&self) -> HashSet<FileName> {
        self.with_files(|files| {
            let installed = files.installed.values().map(|installed| installed.file);
            let large = files.large.values().flatten().copied();
            let replaced = files.replaced.iter().chain(&files.retiring);
            let named = files.manifest.0.iter().chain(replaced).copied();
            installed.chain(large).chain(named).collect()
        })
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
