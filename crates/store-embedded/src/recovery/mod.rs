//! Opening a folder: the manifest names the segments, the log has the commits after them.
//!
//! ```text
//!   lock ──> manifest ──> segments, opened lazily ──> frames replayed ──> a manifest of now
//!        └─ a new folder gets its first manifest         │                └──> unnamed files removed
//!                                                        └─ each shard skips commits of its checkpoint
//! ```
//!
//! Replay goes through the very code that applied the records the first time. Install records are
//! replayed in their place, not first, so a shard's old segment must still be there; that is why
//! files outlive the manifest that replaced them by one more. A repair reads with a [`Salvage`].
//! A folder that is only read (`read_only`) keeps in memory what it replayed.

mod contents;
mod read_only;
mod replay;
mod salvage;
mod salvaged;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use millrace_model::{Error, ErrorKind, Result};

use crate::base::error::Error as StoreError;
use crate::base::options::{Durability, Options};
use crate::checkpoint::{CONTENTS_FORMAT, Checkpoints, Contents, Files, OpenFolder};
use crate::commit::{Admission, Pipeline};
use crate::folder::manifest::{LoadedManifest, Manifest};
use crate::folder::{Event, Folder, Watcher};
use crate::graph::Graphs;
use crate::io::{FileName, Machine};
use crate::log;
use crate::log::{Frame, Recovered};
use replay::{Replay, corrupt, stop_replay};

pub(crate) use contents::{complete_catalog, contents_of_segments};
pub(crate) use read_only::open_to_read;
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
    let (contents, manifest) = load_contents(&folder, options.durability)?;
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
    let opened = (folder, contents.durability, graphs);
    let open = assemble((machine, options, threaded), opened, recovered, files);
    open.leave_two_manifests(manifest)?;
    open.find_neighbours();
    open.measure_deltas();
    open.look_at_space();
    began.into_iter().for_each(|began_ns| note_recovered(&open, (replayed, position), began_ns));
    Ok(open)
}

impl OpenFolder {
    /// Leaves two manifests with all their files, and no other files: those that only a manifest
    /// before the one that was loaded names go after it.
    fn leave_two_manifests(&self, loaded: Option<FileName>) -> Result<()> {
        let is_written = match self.write_manifest() {
            // On a full disk the one that was loaded holds, and the folder is there to be read.
            Err(full) if full.kind == ErrorKind::ReadOnly => false,
            outcome => outcome.map(|()| true)?,
        };
        if let Some(loaded) = loaded.filter(|_| !is_written) {
            Manifest::remove_before(&self.folder, loaded)?;
            // Power loss must not bring back a manifest without its files.
            self.folder.sync()?;
        }
        let referenced = self.checkpoints.with_files(Files::all);
        self.folder.remove_unreferenced(&referenced)?;
        Ok(())
    }
}

/// An open folder of its parts.
fn assemble(
    (machine, options, threaded): (Machine, Options, bool),
    (folder, durability, graphs): (Arc<Folder>, Durability, Arc<Graphs>),
    recovered: Recovered,
    files: Files,
) -> Arc<OpenFolder> {
    let pipeline = Pipeline::new(
        recovered.writer,
        Arc::clone(&graphs),
        (durability, &options),
        recovered.position_last,
    );
    let open = Arc::new(OpenFolder {
        folder,
        machine,
        options,
        memory: std::sync::OnceLock::new(),
        read_only: std::sync::OnceLock::new(),
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
    open
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
    let (loaded, contents) = must_load(folder)?;
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

/// The newest readable manifest of a folder that must have one, and the contents in it.
fn must_load(folder: &Folder) -> Result<(LoadedManifest, Contents)> {
    let loaded = Manifest::load(folder, CONTENTS_FORMAT)?.ok_or_else(|| {
        let detail = format!("{} holds no data: it has no manifest", folder.path().display());
        Error::new(ErrorKind::NotFound, detail)
    })?;
    let contents = Contents::decode(&loaded.manifest.payload)
        .map_err(|wrong| corrupt(&folder.path_of(loaded.name), wrong))?;
    Ok((loaded, contents))
}

/// The contents of a folder, and the manifest that has them unless the folder is new.
fn load_contents(
    folder: &Folder,
    wanted: Option<Durability>,
) -> Result<(Contents, Option<FileName>)> {
    let Some(loaded) = Manifest::load(folder, CONTENTS_FORMAT)? else {
        let contents = Contents::of_new_folder(wanted.unwrap_or_default());
        contents.store(folder)?;
        return Ok((contents, None));
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
    check_durability(folder, &contents, wanted)?;
    Ok((contents, Some(loaded.name)))
}

/// The meaning of an acknowledgement belongs to the folder.
fn check_durability(
    folder: &Folder,
    contents: &Contents,
    wanted: Option<Durability>,
) -> Result<()> {
    match wanted {
        Some(wanted) if wanted != contents.durability => {
            let (has, wanted) = (contents.durability.word(), wanted.word());
            let path = folder.path().display();
            let detail = format!("the data folder {path} was created with durability {has}");
            Err(Error::new(ErrorKind::BadInput, detail).with_help(format!(
                "open it with {has}; for {wanted}, load the data into another folder"
            )))
        }
        _ => Ok(()),
    }
}
