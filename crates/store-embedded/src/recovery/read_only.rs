//! Opening a folder to read only: nothing of it is written, on a read-only mount or on any other.
//!
//! ```text
//!   shared lock ──> manifest ──> segments, opened lazily ──> frames replayed, kept in memory
//!                                                       └──> the log's files synced, not changed
//! ```
//!
//! The torn end of a log stays where it is, and so do files that nothing names. The tail that nothing
//! vouches for is synced before it is shown: a reader must not see what a power loss takes back.
//! Every writer is refused at the sequencer, and the disk refuses every change, whoever asks.
//!
//! No checkpoint moves the changes of the log to segments, so they are counted in the memory budget.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, MemoryBudget, Phase, READ_ONLY_DATABASE, Result};

use super::{
    Replay, assemble, begin_watch, check_durability, must_load, note_recovered, stop_replay,
};
use crate::base::options::Options;
use crate::checkpoint::OpenFolder;
use crate::folder::{Event, Folder, Watcher};
use crate::graph::Graphs;
use crate::io::{Machine, ReadOnlyDisk};
use crate::log;
use crate::log::Frame;

/// Opens a folder that is there, to read only. `memory` bounds what the replay keeps.
pub(crate) fn open_to_read(
    machine: Machine,
    path: &Path,
    options: Options,
    (threaded, memory): (bool, &MemoryBudget),
    watcher: Option<Arc<dyn Watcher>>,
) -> Result<Arc<OpenFolder>> {
    options.check()?;
    let machine = Machine { disk: Arc::new(ReadOnlyDisk::over(machine.disk)), ..machine };
    let folder = Arc::new(Folder::open_to_read(Arc::clone(&machine.disk), path)?);
    let began = watcher.map(|watcher| begin_watch(&folder, &machine, watcher));
    folder.memory().set_budget(options.segment_bytes_max);
    let (loaded, contents) = must_load(&folder)?;
    if let Some(damage) = &loaded.newer_damaged {
        let (used, damage) = (loaded.name, damage.to_string());
        folder.watch().note(Event::ManifestFallback { used, damage });
    }
    check_durability(&folder, &contents, options.durability)?;
    let graphs = Arc::new(Graphs::with_edge_runs(options.edge_runs_max));
    let mut replay = Replay::new(&folder, &graphs, &contents);
    replay.counted = Some(memory.reserve(0)?);
    contents.graphs.iter().try_for_each(|graph| replay.open_graph(graph))?;
    graphs.raise_last_id(contents.last_graph_id);
    let mut failure = None;
    let visit = &mut |frame: Frame<'_>| {
        replay.visit(frame).map_err(|error| stop_replay(&folder, error, &mut failure))
    };
    let recovered =
        log::recover_to_read(&folder, &machine.random, options.log, contents.demand(), visit);
    let recovered = recovered.map_err(|error| failure.take().unwrap_or_else(|| error.into()))?;
    replay.flush()?;
    let (files, counted) = (replay.files, replay.counted.take());
    graphs.all().iter().for_each(|graph| graph.abandon_builds());
    let measured = (recovered.frame_count, recovered.position_last);
    let opened = (folder, contents.durability, graphs);
    let open = assemble((machine, options, threaded), opened, recovered, files);
    open.find_neighbours();
    let _first = open.memory.set(memory.clone());
    let _first = counted.map(|counted| open.read_only.set(counted));
    open.pipeline.sequencer.refuse(Some(refusal(path)));
    open.measure_deltas();
    began.into_iter().for_each(|began_ns| note_recovered(&open, measured, began_ns));
    Ok(open)
}

/// The refusal of every write.
fn refusal(path: &Path) -> Error {
    let detail = format!("the data folder {} is open to be read only", path.display());
    Error::new(ErrorKind::ReadOnly, detail)
        .with_name(READ_ONLY_DATABASE)
        .with_help("open it without --read-only, on a file system that can be written")
        .in_phase(Phase::Commit)
}
