//! Applying a group of commits: one write lock for all that touch the partition.
//!
//! Nothing here is seen before the group's positions become visible, so a reader between two rows
//! misses nothing and sees nothing half done: every entry, version and count carries its position.

use std::sync::Arc;

use millrace_model::{EdgeId, EdgeTypeId, Position, Result, VertexId};
use millrace_store::{Changes, EdgeBlock, Labels};

use super::delta::Versioned;
use super::edge_run::EdgeRun;
use super::record::{Record, RecordVersion};
use super::root::{Root, merged, section};
use super::route::{Commit, PartitionPart, RowWrite, WriteKind};
use super::state::State;
use super::touched_list::TouchedList;
use super::{Partition, local, narrow, slot};
use crate::image::Half;
use crate::limits::EDGE_RUN_BITS;

/// A list of this partition.
type ListKey = (EdgeTypeId, Half, u16);

impl Partition {
    /// Applies this partition's part of a group that [`route`](super::route()) sorted, positions
    /// ascending and after all applied before. What the base's cut covers is skipped, so a log may
    /// be replayed from before it.
    ///
    /// Fails only if a section of the base can't be read. Then part of the group is applied: none
    /// of its positions may ever become visible, while readers at earlier ones go on.
    pub fn apply(&self, commits: &[Commit<'_>], part: &PartitionPart) -> Result<()> {
        self.warm(commits, part)?;
        let mut state = self.state.write();
        state.newest().probe(commits, part);
        let cut = state.newest().cut();
        let mut rows = part.rows.as_slice();
        while let Some((row, rest)) = rows.split_first() {
            let commit = commits[row.commit as usize];
            if commit.position <= cut {
                rows = rest;
                continue;
            }
            state.newest_mut().delta.first.get_or_insert(commit.position);
            if matches!(row.kind, WriteKind::RemoveOut | WriteKind::RemoveIn) {
                let of_commit = |other: &&RowWrite| {
                    other.commit == row.commit
                        && matches!(other.kind, WriteKind::RemoveOut | WriteKind::RemoveIn)
                };
                let (removals, rest) = rows.split_at(rows.iter().take_while(of_commit).count());
                state.remove_edges(commit.position, commit.changes, removals)?;
                rows = rest;
            } else {
                self.apply_row(&mut state, commit, row)?;
                rows = rest;
            }
        }
        Ok(())
    }

    fn apply_row(&self, state: &mut State, commit: Commit<'_>, write: &RowWrite) -> Result<()> {
        let Commit { position: at, changes } = commit;
        let (block, row) = (write.block as usize, write.row as usize);
        match write.kind {
            WriteKind::CreateVertex => state.create_vertex(at, changes, block, row),
            WriteKind::InsertOut => {
                let edges = &changes.edges[block];
                if state.insert_edge(at, edges, row) {
                    self.slots.note_runs((slot(edges.ids[row]) >> EDGE_RUN_BITS) + 1);
                }
                let key = (edges.edge_type, Half::Out, local(edges.sources[row]));
                state.insert_entry(at, key, edges.targets[row], edges.ids[row])?;
            }
            WriteKind::InsertIn => {
                let edges = &changes.edges[block];
                let key = (edges.edge_type, Half::In, local(edges.targets[row]));
                state.insert_entry(at, key, edges.sources[row], edges.ids[row])?;
            }
            WriteKind::SetLabels => {
                let (vertex, labels) = &changes.labels[row];
                state.set_labels(at, local(*vertex), labels)?;
            }
            WriteKind::SetVertexProperty => {
                let values = &changes.vertex_properties[block];
                let version = state.vertex_version(at, local(values.owners[row]))?;
                version.set(values.key, values.values.get(row));
            }
            WriteKind::SetEdgeProperty => {
                let values = &changes.edge_properties[block];
                let version = state.edge_version(at, slot(values.owners[row]));
                version.set(values.key, values.values.get(row));
            }
            WriteKind::DeleteVertex => {
                state.delete_vertex(at, local(changes.deleted_vertices[row]))?;
            }
            WriteKind::RemoveOut | WriteKind::RemoveIn => {
                unreachable!("removals are applied together")
            }
        }
        Ok(())
    }

    /// Loads what the group will read of the base, so that the write lock waits for no file.
    fn warm(&self, commits: &[Commit<'_>], part: &PartitionPart) -> Result<()> {
        let images: Vec<_> = {
            let state = self.state.read();
            let overlay = state.newest().overlay.as_ref().map(|overlay| overlay.image.clone());
            [state.newest().base.clone()].into_iter().chain(overlay).collect()
        };
        let mut records = false;
        let mut lists: Option<(EdgeTypeId, Half)> = None;
        for row in &part.rows {
            let changes = commits[row.commit as usize].changes;
            let removed = |half| Some((changes.deleted_edges[row.row as usize].edge_type, half));
            let wanted = match row.kind {
                WriteKind::RemoveOut => removed(Half::Out),
                WriteKind::RemoveIn => removed(Half::In),
                WriteKind::SetLabels | WriteKind::SetVertexProperty | WriteKind::DeleteVertex => {
                    records = true;
                    None
                }
                WriteKind::CreateVertex
                | WriteKind::InsertOut
                | WriteKind::InsertIn
                | WriteKind::SetEdgeProperty => None,
            };
            if wanted.is_some() && wanted != lists {
                lists = wanted;
                for image in &images {
                    lists.map(|(edge_type, half)| section(image, edge_type, half)).transpose()?;
                }
            }
        }
        if records {
            for image in &images {
                image.records.get()?;
            }
        }
        Ok(())
    }
}

impl Root {
    /// Reads where the edges of a group will go, list after list. The reads do not depend on each
    /// other, so their misses overlap; those of the inserts, one after the other, would not.
    fn probe(&self, commits: &[Commit<'_>], part: &PartitionPart) {
        let mut read = 0;
        for row in &part.rows {
            let block = || &commits[row.commit as usize].changes.edges[row.block as usize];
            let (edges, half) = match row.kind {
                WriteKind::InsertOut => (block(), Half::Out),
                WriteKind::InsertIn => (block(), Half::In),
                _ => continue,
            };
            let ends = if half == Half::Out { &edges.sources } else { &edges.targets };
            let lists = self.delta.lists.get(&(edges.edge_type, half));
            let list = lists.and_then(|lists| lists.get(local(ends[row.row as usize])));
            read ^= list.map_or(0, TouchedList::probe);
        }
        // Without a use of it the reads would be dropped.
        std::hint::black_box(read);
    }
}

impl State {
    fn newest_mut(&mut self) -> &mut Root {
        self.roots.first_mut().expect("a partition has a root")
    }

    fn create_vertex(&mut self, at: Position, changes: &Changes, block: usize, row: usize) {
        let block = &changes.vertices[block];
        let record = Record::default;
        let delta = &mut self.newest_mut().delta;
        let record = delta.vertices.get_or_insert_with(local(block.ids[row]), record);
        let version = record.version_mut(at, || true);
        version.labels = Some(block.labels.clone());
        for (key, column) in &block.properties {
            if let Some(value) = column.get(row) {
                version.set(*key, Some(value));
            }
        }
        self.counts.add_vertex(at, &block.labels, 1, self.oldest);
    }

    /// Puts an edge in its run; says whether the run is new here.
    #[inline]
    fn insert_edge(&mut self, at: Position, edges: &EdgeBlock, row: usize) -> bool {
        let slot = slot(edges.ids[row]);
        let run = slot >> EDGE_RUN_BITS;
        let index = (slot & ((1 << EDGE_RUN_BITS) - 1)) as usize;
        let mut fresh = false;
        let runs = &mut self.newest_mut().delta.runs;
        let run = runs.entry(run).or_insert_with(|| {
            fresh = true;
            Arc::new(EdgeRun::new(edges.edge_type))
        });
        // Copies only a run that a checkpoint is reading just now.
        Arc::make_mut(run).insert(at, index, edges, row);
        let count = self.counts.edges.entry(edges.edge_type).or_default();
        count.add(at, 1, self.oldest);
        fresh
    }

    #[inline]
    fn insert_entry(
        &mut self,
        at: Position,
        (edge_type, half, local): ListKey,
        neighbour: VertexId,
        edge: EdgeId,
    ) -> Result<()> {
        let Root { base, overlay, delta, .. } = self.newest_mut();
        let lists = delta.lists.entry((edge_type, half)).or_default();
        let before = Position(at.0 - 1);
        let list = lists.get_or_insert_with(local, || TouchedList::at_root(before));
        let root_len = || {
            let overlay = overlay.as_ref().map(|overlay| &*overlay.image);
            let images = [Some(&**base), overlay].into_iter().flatten();
            let sections =
                images.filter_map(|image| section(image, edge_type, half).ok().flatten());
            sections.map(|section| section.degree(local) as usize).sum()
        };
        if !list.wants_merge(at, root_len) {
            list.insert(at, narrow(neighbour), slot(edge));
            return Ok(());
        }
        let list = self.rewrite(at, (edge_type, half, local), |_| true)?;
        list.insert(at, narrow(neighbour), slot(edge));
        Ok(())
    }

    /// Begins a version of a list that holds what `keep` keeps of its entries.
    fn rewrite(
        &mut self,
        at: Position,
        (edge_type, half, local): ListKey,
        keep: impl Fn(&(u32, u32)) -> bool,
    ) -> Result<&mut TouchedList> {
        let Root { base, overlay, delta, .. } = self.newest_mut();
        let stored = section(base, edge_type, half)?;
        let above = match overlay {
            Some(overlay) => section(&overlay.image, edge_type, half)?,
            None => None,
        };
        let lists = delta.lists.entry((edge_type, half)).or_default();
        let before = Position(at.0 - 1);
        let list = lists.get_or_insert_with(local, || TouchedList::at_root(before));
        let newest = Position(u64::MAX);
        let parts = [stored.as_deref(), above.as_deref()];
        let mut entries = merged(Some(list), local, newest, parts);
        entries.retain(keep);
        if list.replace(at, &entries, overlay.is_some()) {
            delta.retired.push_back((at, Versioned::List(edge_type, half, local)));
        }
        Ok(list)
    }

    /// Removes edges, each list once however many of its entries go.
    fn remove_edges(
        &mut self,
        at: Position,
        changes: &Changes,
        removals: &[RowWrite],
    ) -> Result<()> {
        let mut entries: Vec<(ListKey, (u32, u32))> = Vec::with_capacity(removals.len());
        for removal in removals {
            let edge = changes.deleted_edges[removal.row as usize];
            let (half, own, other) = match removal.kind {
                WriteKind::RemoveOut => (Half::Out, edge.source, edge.target),
                _ => (Half::In, edge.target, edge.source),
            };
            if half == Half::Out {
                self.delete_edge(at, edge.edge_type, slot(edge.edge));
            }
            entries.push(((edge.edge_type, half, local(own)), (narrow(other), slot(edge.edge))));
        }
        entries.sort_unstable();
        for list in entries.chunk_by(|left, right| left.0 == right.0) {
            let gone = |entry: &(u32, u32)| list.binary_search_by_key(entry, |own| own.1).is_ok();
            self.rewrite(at, list[0].0, |entry| !gone(entry))?;
        }
        Ok(())
    }

    fn delete_edge(&mut self, at: Position, edge_type: EdgeTypeId, slot: u32) {
        let version = self.edge_version(at, slot);
        if std::mem::replace(&mut version.exists, false) {
            version.delete();
            self.counts.edges.entry(edge_type).or_default().add(at, -1, self.oldest);
        }
    }

    fn edge_version(&mut self, at: Position, slot: u32) -> &mut RecordVersion {
        let delta = &mut self.newest_mut().delta;
        if delta.edges.get(&slot).is_some_and(|record| record.retires(at)) {
            delta.retired.push_back((at, Versioned::Edge(slot)));
        }
        delta.edges.entry(slot).or_default().version_mut(at, || true)
    }

    /// The version of a vertex at `at`. One without a record here exists if it does below.
    fn vertex_version(&mut self, at: Position, local: u16) -> Result<&mut RecordVersion> {
        let exists = self.newest().newest_labels(local)?.is_some();
        let delta = &mut self.newest_mut().delta;
        let record = delta.vertices.get_or_insert_with(local, Record::default);
        if record.retires(at) {
            delta.retired.push_back((at, Versioned::Vertex(local)));
        }
        let record = delta.vertices.get_or_insert_with(local, Record::default);
        Ok(record.version_mut(at, || exists))
    }

    fn set_labels(&mut self, at: Position, local: u16, labels: &Labels) -> Result<()> {
        let Some(before) = self.newest().newest_labels(local)? else { return Ok(()) };
        self.vertex_version(at, local)?.labels = Some(labels.clone());
        self.counts.add_labels(at, &before, -1, self.oldest);
        self.counts.add_labels(at, labels, 1, self.oldest);
        Ok(())
    }

    fn delete_vertex(&mut self, at: Position, local: u16) -> Result<()> {
        let Some(labels) = self.newest().newest_labels(local)? else { return Ok(()) };
        self.vertex_version(at, local)?.delete();
        self.counts.add_vertex(at, &labels, -1, self.oldest);
        Ok(())
    }
}
