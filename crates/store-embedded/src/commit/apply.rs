//! Applying records: the same code for the applier and for recovery, so that replay can't differ.
//!
//! Commits that follow one another are taken together: each partition they touch is locked once
//! for all of them. Anything else ends the group. What a shard's cut covers is skipped by the
//! shard, so a log may be replayed from before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{CatalogChange, IndexId, Position, Result};

use super::frame::{Effect, LargeFiles};
use super::physical::Physical;
use super::sequencer::Sequenced;
use crate::graph::{Graph, Graphs};
use crate::index::{IndexEntry, shard_of};
use crate::partition::{Commit, route};
use crate::segment::RangeEntry;

/// Applies records, positions ascending. After an error none of them may become visible.
pub(crate) fn apply(graphs: &Graphs, records: &[Sequenced]) -> Result<()> {
    let together = |left: &Sequenced, right: &Sequenced| is_plain(left) && is_plain(right);
    for group in records.chunk_by(together) {
        if is_plain(&group[0]) {
            apply_plain(group)?;
        } else {
            apply_alone(graphs, &group[0])?;
        }
    }
    Ok(())
}

/// Whether it is a commit that changes no catalog.
fn is_plain(entry: &Sequenced) -> bool {
    matches!(&entry.record.effect, Effect::Changes(physical) if physical.changes.catalog.is_empty())
}

/// A commit with its position.
type Placed<'a> = (u64, &'a Physical);

/// Graphs do not see one another, so each takes its commits at once.
fn apply_plain(group: &[Sequenced]) -> Result<()> {
    let mut graphs: Vec<(&Arc<Graph>, Vec<Placed<'_>>)> = Vec::new();
    for entry in group {
        let Effect::Changes(physical) = &entry.record.effect else { continue };
        let graph = &entry.record.graph;
        match graphs.iter_mut().find(|(known, _)| known.id == graph.id) {
            Some((_, commits)) => commits.push((entry.position, physical)),
            None => graphs.push((graph, vec![(entry.position, physical)])),
        }
    }
    graphs.iter().try_for_each(|(graph, commits)| apply_commits(graph, commits))
}

fn apply_commits(graph: &Graph, commits: &[Placed<'_>]) -> Result<()> {
    let group: Vec<Commit<'_>> = commits
        .iter()
        .map(|(at, physical)| Commit { position: Position(*at), changes: &physical.changes })
        .collect();
    for part in route(&group) {
        graph.partitions.get_or_create(part.ordinal).apply(&group, &part)?;
    }
    apply_entries(graph, commits);
    apply_ordered(graph, commits);
    Ok(())
}

fn apply_ordered(graph: &Graph, commits: &[Placed<'_>]) {
    let mut indexes: BTreeMap<IndexId, Vec<(Position, bool, RangeEntry)>> = BTreeMap::new();
    for (at, physical) in commits {
        let removed = physical.ordered_removed.iter().map(|entry| (false, entry));
        for (added, entry) in removed.chain(physical.ordered_added.iter().map(|e| (true, e))) {
            let entries = indexes.entry(entry.index).or_default();
            entries.push((Position(*at), added, (entry.key.clone(), entry.id)));
        }
    }
    for (index, entries) in indexes {
        if let Some(ordered) = graph.indexes.ordered(index) {
            ordered.apply(entries);
        }
    }
}

type Entries<'a> = (Position, &'a [IndexEntry], &'a [IndexEntry]);

fn apply_entries(graph: &Graph, commits: &[Placed<'_>]) {
    let mut shards: BTreeMap<(IndexId, usize), Vec<Entries<'_>>> = BTreeMap::new();
    for (at, physical) in commits {
        for entry in &physical.index_removed {
            let shard = shards.entry((entry.index, shard_of(entry.hash))).or_default();
            shard.push((Position(*at), std::slice::from_ref(entry), &[]));
        }
        for entry in &physical.index_added {
            let shard = shards.entry((entry.index, shard_of(entry.hash))).or_default();
            shard.push((Position(*at), &[], std::slice::from_ref(entry)));
        }
    }
    for ((index, shard), entries) in shards {
        // An index that was dropped meanwhile takes nothing more.
        if let Some(shards) = graph.indexes.get(index) {
            shards[shard].apply(&entries);
        }
    }
}

fn apply_alone(graphs: &Graphs, entry: &Sequenced) -> Result<()> {
    let (position, graph) = (entry.position, &entry.record.graph);
    match &entry.record.effect {
        Effect::Changes(physical) => {
            apply_catalog(graph, position, &physical.changes.catalog);
            apply_commits(graph, &[(position, physical)])?;
        }
        Effect::Large(files) => apply_large(graph, position, files)?,
        Effect::Names(names) => graph.catalog.add_names(names),
        Effect::Lease(end) => graph.leases.asked(position, *end),
        Effect::GraphCreated(_) => graphs.insert(graph),
        Effect::GraphDropped => graphs.remove(graph.id),
        // The pointers move when the record is durable: by the checkpoint, or by recovery.
        Effect::Installed(_) | Effect::Split(_) => {}
    }
    Ok(())
}

fn apply_catalog(graph: &Graph, position: u64, changes: &[CatalogChange]) {
    let before = graph.catalog.newest();
    graph.catalog.change(position, changes);
    let after = graph.catalog.newest();
    for index in after.kept_indexes() {
        graph.indexes.create(index);
        graph.raise_next_index(index.id.0 + 1);
    }
    for index in before.kept_indexes() {
        if after.kept_indexes().all(|known| known.id != index.id) {
            graph.indexes.drop_at(position, index.id);
        }
    }
}

fn apply_large(graph: &Graph, position: u64, files: &LargeFiles) -> Result<()> {
    for image in &files.images {
        let partition = graph.partitions.get_or_create(image.ordinal);
        partition.install_overlay(Position(position), Arc::clone(image))?;
    }
    if !files.small.changes.catalog.is_empty() {
        apply_catalog(graph, position, &files.small.changes.catalog);
    }
    for part in &files.parts_read {
        apply_commits(graph, &[(position, part)])?;
    }
    apply_commits(graph, &[(position, &files.small)])
}
