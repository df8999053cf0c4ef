//! Applying records: the same code for the applier and for recovery, so that replay can't differ.
//!
//! Commits that follow one another are taken together: each partition they modify is locked once
//! for all of them. Anything else ends the group. A shard skips commits that its checkpoint
//! position covers, so a log may be replayed from before it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use millrace_model::{Catalog, CatalogChange, GraphId, IndexId, LogPosition, Result};

use crate::base::codec::Malformed;
use crate::base::commit_limits::{APPLY_GRAPHS_MAX, APPLY_GROUP_COMMITS_MAX};
use crate::base::error::Error as StoreError;
use crate::commit::apply_queue::{ApplyQueue, CommitGroup, Waiting};
use crate::commit::frame::{Effect, OutOfLineFiles};
use crate::commit::physical::Physical;
use crate::folder::Folder;
use crate::graph::{Graph, Graphs};
use crate::index::{Applied, IndexEntry, shard_of};
use crate::live::{Commit, PinnedSnapshots, route};
use crate::persistent::bulk::read_spill_file;

/// Applies records, and keeps room for the next ones.
pub(crate) struct Applier {
    /// Where spill files are.
    folder: Arc<Folder>,
    /// The graphs of the group, each with its commits: they do not see one another.
    groups: Vec<(Arc<Graph>, CommitGroup)>,
    /// How many commits wait in the groups, and the position of the last.
    waiting: (usize, u64),
}

impl Applier {
    /// An applier of the records of a folder.
    pub(crate) fn new(folder: &Arc<Folder>) -> Applier {
        Applier { folder: Arc::clone(folder), groups: Vec::new(), waiting: (0, 0) }
    }

    /// Applies all of a queue; `applied` is called with each position reached. After an error no
    /// later position may become visible. The graphs that are changed, and no others, take over the
    /// pinned snapshots first, if there may be readers: graphs may be many.
    pub(crate) fn apply(
        &mut self,
        graphs: &Graphs,
        queue: &mut ApplyQueue,
        pinned: Option<&PinnedSnapshots>,
        mut applied: impl FnMut(u64),
    ) -> Result<()> {
        queue.drain(|position, waiting| {
            match waiting {
                Waiting::Bytes(frame) => {
                    // A graph that is no more takes nothing more.
                    if let Some(group) = self.group(graphs, GraphId(frame.graph)) {
                        group.add_bytes(&frame)?;
                    }
                }
                Waiting::Effect(boxed) => match *boxed {
                    (graph, Effect::Changes(physical)) if is_plain(&physical) => {
                        self.group_of(&graph).add(position, physical);
                    }
                    (graph, effect) => {
                        self.flush(pinned)?;
                        pin(&graph, pinned);
                        apply_alone((&self.folder, graphs), &graph, position, effect)?;
                        self.groups.clear();
                        applied(position);
                        return Ok(());
                    }
                },
            }
            self.waiting = (self.waiting.0 + 1, position);
            if APPLY_GROUP_COMMITS_MAX <= self.waiting.0 {
                self.flush(pinned)?;
                applied(position);
            }
            Ok(())
        })?;
        let (count, last) = self.waiting;
        self.flush(pinned)?;
        if count != 0 {
            applied(last);
        }
        Ok(())
    }

    fn flush(&mut self, pinned: Option<&PinnedSnapshots>) -> Result<()> {
        self.waiting.0 = 0;
        for (graph, group) in self.groups.iter_mut().filter(|(_, some)| some.len() != 0) {
            pin(graph, pinned);
            apply_commits(graph, &group.commits())?;
            apply_entries(graph, group.wholes());
            apply_ordered(graph, group.wholes());
            group.clear();
        }
        if APPLY_GRAPHS_MAX < self.groups.len() {
            self.groups.clear();
        }
        Ok(())
    }

    fn group(&mut self, graphs: &Graphs, id: GraphId) -> Option<&mut CommitGroup> {
        if let Some(known) = self.groups.iter().position(|(graph, _)| graph.id == id) {
            return Some(&mut self.groups[known].1);
        }
        let graph = graphs.get(id)?;
        Some(self.group_of(&graph))
    }

    fn group_of(&mut self, graph: &Arc<Graph>) -> &mut CommitGroup {
        let known = self.groups.iter().position(|(known, _)| known.id == graph.id);
        let known = known.unwrap_or_else(|| {
            self.groups.push((Arc::clone(graph), CommitGroup::default()));
            self.groups.len() - 1
        });
        &mut self.groups[known].1
    }
}

fn pin(graph: &Graph, pinned: Option<&PinnedSnapshots>) {
    if let Some(pinned) = pinned {
        graph.partitions.pin(pinned.clone());
    }
}

/// Whether it is a commit that changes no catalog.
fn is_plain(physical: &Physical) -> bool {
    physical.changes.catalog.is_empty()
}

fn apply_commits(graph: &Graph, commits: &[Commit<'_>]) -> Result<()> {
    for part in route(commits) {
        graph.partitions.get_or_create(part.ordinal).apply(commits, &part)?;
    }
    Ok(())
}

fn apply_whole(graph: &Graph, position: u64, physical: &Physical) -> Result<()> {
    apply_commits(graph, &[Commit::new(LogPosition(position), &physical.changes)])?;
    apply_entries(graph, std::iter::once((position, physical)));
    apply_ordered(graph, std::iter::once((position, physical)));
    Ok(())
}

fn apply_ordered<'a>(graph: &Graph, commits: impl Iterator<Item = (u64, &'a Physical)>) {
    let mut indexes: BTreeMap<IndexId, Vec<Applied<'a>>> = BTreeMap::new();
    for (at, physical) in commits {
        let removed = physical.ordered_removed.iter().map(|entry| (false, entry));
        for (added, entry) in removed.chain(physical.ordered_added.iter().map(|e| (true, e))) {
            let entries = indexes.entry(entry.index).or_default();
            entries.push(Applied { at: LogPosition(at), added, key: &entry.key, id: entry.id });
        }
    }
    for (index, entries) in indexes {
        if let Some(ordered) = graph.indexes.ordered(index) {
            ordered.apply(entries);
        }
    }
}

type Entries<'a> = (LogPosition, &'a [IndexEntry], &'a [IndexEntry]);

fn apply_entries<'a>(graph: &Graph, commits: impl Iterator<Item = (u64, &'a Physical)>) {
    let mut shards: BTreeMap<(IndexId, usize), Vec<Entries<'_>>> = BTreeMap::new();
    for (at, physical) in commits {
        for entry in &physical.index_removed {
            let shard = shards.entry((entry.index, shard_of(entry.hash))).or_default();
            shard.push((LogPosition(at), std::slice::from_ref(entry), &[]));
        }
        for entry in &physical.index_added {
            let shard = shards.entry((entry.index, shard_of(entry.hash))).or_default();
            shard.push((LogPosition(at), &[], std::slice::from_ref(entry)));
        }
    }
    for ((index, shard), entries) in shards {
        // An index that was dropped meanwhile takes nothing more.
        if let Some(shards) = graph.indexes.get(index) {
            shards[shard].apply(&entries);
        }
    }
}

fn apply_alone(
    (folder, graphs): (&Folder, &Graphs),
    graph: &Arc<Graph>,
    position: u64,
    effect: Effect,
) -> Result<()> {
    match effect {
        Effect::Changes(physical) => {
            apply_catalog(graph, position, &physical.changes.catalog);
            apply_whole(graph, position, &physical)?;
        }
        Effect::OutOfLine(files) => apply_out_of_line(folder, graph, position, &files)?,
        Effect::Names(names) => graph.catalog.add_names(&names),
        Effect::Lease(end) => graph.leases.asked(position, end),
        Effect::GraphCreated(_) => graphs.insert(graph),
        Effect::GraphDropped => graphs.remove(graph.id),
        // The pointers move when the record is durable: by the checkpoint, or by recovery.
        Effect::Installed(_) | Effect::Split(_) => {}
        // Decided where positions are given.
        Effect::OwnerBegan(_) => {}
    }
    Ok(())
}

fn apply_catalog(graph: &Graph, position: u64, changes: &[CatalogChange]) {
    let before = graph.catalog.newest();
    graph.catalog.change(position, changes);
    graph.note_demand(position, changes);
    let after = graph.catalog.newest();
    for change in changes {
        match change {
            CatalogChange::CreateIndex(index) | CatalogChange::BuildIndex(index) => {
                // One of a replayed record may have been dropped since.
                if let Some(index) = after.maintained_index(index.id) {
                    graph.indexes.create(index);
                }
                graph.raise_next_index(index.id.0 + 1);
            }
            CatalogChange::DropIndex(id) => drop_index(graph, position, [&before, &after], *id),
            CatalogChange::DropOwner(owner) => {
                let of_owner = before.maintained_of(*owner).map(|index| index.id);
                of_owner.for_each(|id| drop_index(graph, position, [&before, &after], id));
            }
            CatalogChange::CreateOwner(_)
            | CatalogChange::CreateProperty(_)
            | CatalogChange::DropProperty(..)
            | CatalogChange::CreateSet(_)
            | CatalogChange::DropSet(_)
            | CatalogChange::DemandSerializable(_)
            | CatalogChange::EnforceIndex(_)
            | CatalogChange::FinishIndex(_)
            | CatalogChange::CheckProperty(_)
            | CatalogChange::AbandonProperty(..)
            | CatalogChange::SetNote(..) => {}
        }
    }
}

/// Drops an index that the changes removed from the catalog.
fn drop_index(graph: &Graph, position: u64, [before, after]: [&Catalog; 2], id: IndexId) {
    if before.maintained_index(id).is_some() && after.maintained_index(id).is_none() {
        graph.indexes.drop_at(position, id);
    }
}

fn apply_out_of_line(
    folder: &Folder,
    graph: &Graph,
    position: u64,
    files: &OutOfLineFiles,
) -> Result<()> {
    for image in &files.images {
        let partition = graph.partitions.get_or_create(image.ordinal);
        partition.install_layer(LogPosition(position), Arc::clone(image))?;
    }
    if !files.small.changes.catalog.is_empty() {
        apply_catalog(graph, position, &files.small.changes.catalog);
    }
    for name in &files.parts {
        let bytes = read_spill_file(folder, *name, graph.id)?;
        let part =
            Physical::decode(&bytes).map_err(|wrong| damaged(&folder.path_of(*name), wrong))?;
        apply_whole(graph, position, &part)?;
    }
    apply_whole(graph, position, &files.small)
}

fn damaged(path: &Path, wrong: Malformed) -> StoreError {
    StoreError::corrupt(path, wrong.offset as u64, wrong.what)
}
