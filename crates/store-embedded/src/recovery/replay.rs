//! The replay of a folder: segments put in place, records of the log applied in their order.
//!
//! It goes through the very code that applied the records the first time, and writes nothing.

use std::path::Path;
use std::sync::Arc;

use millrace_model::{
    Catalog, Error, ErrorKind, GraphId, IndexId, LogPosition, Reservation, Result,
};

use crate::base::codec::Malformed;
use crate::base::commit_limits::{REPLAY_BYTES, REPLAY_FRAMES};
use crate::base::error::Error as StoreError;
use crate::checkpoint::{Contents, Files, GraphContents, RootFiles};
use crate::commit::apply::Applier;
use crate::commit::{ApplyQueue, Effect, OutOfLineFiles, Physical, new_edges};
use crate::folder::Folder;
use crate::graph::{Graph, Graphs};
use crate::index::{RangePart, RangeRoot};
use crate::io::FileName;
use crate::live::PinnedSnapshots;
use crate::log::Frame;
use crate::persistent::segment::{StoredRange, open_image, open_index_base, open_range};
use crate::persistent::{Installed, ShardName};
use crate::recovery::Salvage;

/// Bytes of an entry of an ordered index in a file that does not say how many it has.
const GUESSED_ENTRY_BYTES: u64 = 8;

/// The state of a replay.
pub(super) struct Replay<'a> {
    folder: &'a Arc<Folder>,
    graphs: &'a Arc<Graphs>,
    /// The position of the manifest: graphs, names and leases before it are in it.
    position: u64,
    /// Graphs above this were made after the manifest.
    last_graph_id: u32,
    waiting: ApplyQueue,
    waiting_count: usize,
    waiting_bytes: usize,
    /// The position of the first of them.
    waiting_from: Option<u64>,
    applier: Applier,
    pub(super) files: Files,
    /// For a damaged folder: unreadable parts are noted here and left out.
    pub(super) salvage: Option<Salvage>,
    /// For a folder whose changes stay in memory: their bytes, taken from a budget.
    pub(super) counted: Option<Reservation>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(
        folder: &'a Arc<Folder>,
        graphs: &'a Arc<Graphs>,
        contents: &Contents,
    ) -> Self {
        let files = Files::new(contents.replay_from);
        Self {
            folder,
            graphs,
            position: contents.position,
            last_graph_id: contents.last_graph_id,
            waiting: ApplyQueue::default(),
            waiting_count: 0,
            waiting_bytes: 0,
            waiting_from: None,
            applier: Applier::new(folder),
            files,
            salvage: None,
            counted: None,
        }
    }

    /// Opens the segments of a graph of the manifest.
    pub(super) fn open_graph(&mut self, contents: &GraphContents) -> Result<()> {
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
    pub(super) fn visit(&mut self, frame: Frame<'_>) -> Result<()> {
        self.waiting_bytes += frame.payload.len();
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
    pub(super) fn flush(&mut self) -> Result<()> {
        // There is no reader yet, so only the last state of the replay is kept.
        if let Some(first) = self.waiting_from.take() {
            let pinned = PinnedSnapshots::since(LogPosition(first));
            self.graphs.all().iter().for_each(|graph| graph.partitions.pin(pinned.clone()));
        }
        (self.waiting_count, self.waiting_bytes) = (0, 0);
        self.applier.apply(self.graphs, &mut self.waiting, None, |_| {})?;
        self.count()
    }

    /// Takes from the budget what the changes replayed so far hold.
    fn count(&mut self) -> Result<()> {
        let Some(counted) = &mut self.counted else { return Ok(()) };
        let bytes = self.graphs.delta_bytes();
        let more = bytes.saturating_sub(counted.bytes());
        counted.shrink(counted.bytes().saturating_sub(bytes));
        counted.grow(more).map_err(|refused| too_many_changes(self.folder, bytes, &refused))
    }

    fn push(&mut self, graph: &Arc<Graph>, position: u64, effect: Effect) -> Result<()> {
        self.waiting_from.get_or_insert(position);
        self.waiting.push_effect(position, Box::new((Arc::clone(graph), effect)));
        self.flush_if_many()
    }

    fn flush_if_many(&mut self) -> Result<()> {
        self.waiting_count += 1;
        let are_many = REPLAY_FRAMES <= self.waiting_count || REPLAY_BYTES <= self.waiting_bytes;
        if are_many { self.flush() } else { Ok(()) }
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
            if let Some((root, _)) = self.range_root(*file, (graph.id, index, number))? {
                parts.push((index, root.part));
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
                let mut root = RootFiles { installed, older: Vec::new() };
                if let Some(ordered) = graph.indexes.ordered(index) {
                    let is_first = !self.files.roots.contains_key(&(graph.id, shard));
                    if let Some((found, older)) =
                        self.range_root(file, (graph.id, index, number))?
                    {
                        ordered.put(found, is_first);
                        root.older = older;
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

    /// Opens a shard of an ordered index, with the older files it needs; `None` if it can't be read and that is no error
    /// here.
    fn range_root(
        &mut self,
        file: FileName,
        subject: (GraphId, IndexId, u32),
    ) -> Result<Option<(RangeRoot, Vec<FileName>)>> {
        let opened = match &mut self.salvage {
            Some(salvage) => salvage.range(self.folder, file, subject),
            None => Some(open_range(self.folder, file, subject)?),
        };
        let root = |StoredRange { bounds, base, positions, changes, older }: StoredRange| {
            let guess = || base.extent().map_or(0, |extent| extent.length / GUESSED_ENTRY_BYTES);
            let entries = bounds.entries.unwrap_or_else(guess);
            let (number, lower) = (subject.2, bounds.lower);
            let part = RangePart { number, lower, entries, base: Arc::new(base) };
            (RangeRoot { part, positions, changes }, older)
        };
        Ok(opened.map(root))
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

pub(super) fn corrupt(path: &Path, wrong: Malformed) -> Error {
    let detail = format!("{} is damaged at byte {}: {}", path.display(), wrong.offset, wrong.what);
    Error::new(ErrorKind::Corrupt, detail).with_help(RESTORE)
}

/// Keeps an error of the model while the log, which knows only its own, is ended by another.
pub(super) fn stop_replay(
    folder: &Folder,
    error: Error,
    failure: &mut Option<Error>,
) -> StoreError {
    let detail = error.to_string();
    *failure = Some(error);
    StoreError::corrupt(folder.path(), 0, detail)
}

fn too_many_changes(folder: &Folder, bytes: u64, refused: &Error) -> Error {
    let path = folder.path().display();
    let detail = format!(
        "the changes in the log of {path} take more than {} MiB in memory, and a folder that is only \
         read keeps them there: {}",
        bytes >> 20,
        refused.detail
    );
    Error::new(ErrorKind::LimitReached, detail).with_help(
        "raise memory.max, or open the folder once where it can be written, such as with `millrace \
         serve`, and stop that: a checkpoint moves the changes to segments",
    )
}
