//! Applying a group of commits: one write lock for all that modify the partition.
//!
//! Nothing here is seen before the group's positions become visible, so a reader between two rows
//! misses nothing and sees nothing half done: every entry, version and count carries its position.

use millrace_model::{EdgeTypeId, Result};

use crate::base::limits::EDGE_RUN_BITS;
use crate::live::list::modified_list::ModifiedList;
use crate::live::versions::root::{Root, section};
use crate::live::versions::state::State;
use crate::live::write::route::{Commit, PartitionPart, RowWrite, WriteKind};
use crate::live::{Partition, local, slot};
use crate::persistent::image::Half;

impl Partition {
    /// Applies this partition's part of a group that [`route`](crate::live::route()) sorted, positions
    /// ascending and after all applied before. Changes that the base or a delta layer covers are
    /// skipped, so a log may be replayed from before it.
    ///
    /// Fails only if a section of the base can't be read. Then part of the group is applied: none
    /// of its positions may ever become visible, while readers at earlier ones go on.
    pub fn apply(&self, commits: &[Commit<'_>], part: &PartitionPart) -> Result<()> {
        self.warm(commits, part)?;
        let pinned = self.pinned.get();
        let mut state = self.state.write();
        state.pin(pinned);
        state.newest().probe(commits, part);
        let checkpoint = state.newest().checkpoint().max(state.newest().delta.saved);
        let mut rows = part.rows.as_slice();
        while let Some((row, rest)) = rows.split_first() {
            let commit = commits[row.commit as usize];
            if commit.position <= checkpoint {
                rows = rest;
                continue;
            }
            state.newest_mut().delta.note(commit.position);
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
        // Versions come with every delete or change, so they go as quickly.
        state.forget_some();
        Ok(())
    }

    fn apply_row(&self, state: &mut State, commit: Commit<'_>, write: &RowWrite) -> Result<()> {
        let Commit { position: at, changes, .. } = commit;
        let (block, row) = (write.block as usize, write.row as usize);
        match write.kind {
            WriteKind::CreateVertex => {
                state.create_vertex(at, changes, block, row);
                self.live.set(local(changes.vertices[block].ids[row]), true);
            }
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
                let (owner, value) = (values.owners[row], values.values.get(row));
                state.set_vertex_property(at, local(owner), values.key, value)?;
            }
            WriteKind::SetEdgeProperty => {
                let values = &changes.edge_properties[block];
                let (owner, value) = (values.owners[row], values.values.get(row));
                state.set_edge_property(at, slot(owner), values.key, value);
            }
            WriteKind::DeleteVertex => {
                let local = local(changes.deleted_vertices[row]);
                state.delete_vertex(at, local)?;
                self.live.set(local, false);
            }
            WriteKind::RemoveOut | WriteKind::RemoveIn => {
                unreachable!("removals are applied together")
            }
        }
        Ok(())
    }

    /// Loads the sections of the base that the group will read, so that the write lock waits for no
    /// file.
    fn warm(&self, commits: &[Commit<'_>], part: &PartitionPart) -> Result<()> {
        let images: Vec<_> = {
            let state = self.state.read();
            let layer = state.newest().layer.as_ref().map(|layer| layer.image.clone());
            [state.newest().base.clone()].into_iter().chain(layer).collect()
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
            read ^= list.map_or(0, ModifiedList::probe);
        }
        // Without a use of it the reads would be dropped.
        std::hint::black_box(read);
    }
}
