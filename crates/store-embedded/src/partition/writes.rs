//! What one row of a commit does to the newest root: entries, versions and counts, each with the
//! commit's position.

use std::sync::Arc;

use millrace_model::{EdgeId, EdgeTypeId, Position, Result, VertexId};
use millrace_store::{Changes, EdgeBlock, Labels};

use super::delta::Versioned;
use super::edge_run::EdgeRun;
use super::record::{Record, RecordVersion};
use super::root::{Root, merged, section};
use super::route::{RowWrite, WriteKind};
use super::state::State;
use super::touched_list::TouchedList;
use super::{local, narrow, slot};
use crate::image::Half;
use crate::limits::EDGE_RUN_BITS;

/// A list of this partition.
type ListKey = (EdgeTypeId, Half, u16);

impl State {
    pub(crate) fn newest_mut(&mut self) -> &mut Root {
        self.roots.first_mut().expect("a partition has a root")
    }

    pub(crate) fn create_vertex(
        &mut self,
        at: Position,
        changes: &Changes,
        block: usize,
        row: usize,
    ) {
        let block = &changes.vertices[block];
        let local = local(block.ids[row]);
        let Root { base, overlay, delta, .. } = self.newest_mut();
        let record = delta.vertices.get_or_insert_with(local, Record::default);
        if record.retires(at) {
            delta.retired.push_back((at, Versioned::Vertex(local)));
        }
        let record = delta.vertices.get_or_insert_with(local, Record::default);
        let version = record.version_mut(at, || true);
        if !std::mem::replace(&mut version.exists, true) {
            // A chosen id that was somebody's before: what that one had below is not this one's.
            let images = [Some(&**base), overlay.as_ref().map(|overlay| &*overlay.image)];
            for key in images.iter().flatten().flat_map(|image| image.vertex_columns.keys()) {
                version.set(*key, None);
            }
        }
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
    pub(crate) fn insert_edge(&mut self, at: Position, edges: &EdgeBlock, row: usize) -> bool {
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
    pub(crate) fn insert_entry(
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
    pub(crate) fn remove_edges(
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

    pub(crate) fn edge_version(&mut self, at: Position, slot: u32) -> &mut RecordVersion {
        let delta = &mut self.newest_mut().delta;
        if delta.edges.get(&slot).is_some_and(|record| record.retires(at)) {
            delta.retired.push_back((at, Versioned::Edge(slot)));
        }
        delta.edges.entry(slot).or_default().version_mut(at, || true)
    }

    /// The version of a vertex at `at`. One without a record here exists if it does below.
    pub(crate) fn vertex_version(
        &mut self,
        at: Position,
        local: u16,
    ) -> Result<&mut RecordVersion> {
        let exists = self.newest().newest_labels(local)?.is_some();
        let delta = &mut self.newest_mut().delta;
        let record = delta.vertices.get_or_insert_with(local, Record::default);
        if record.retires(at) {
            delta.retired.push_back((at, Versioned::Vertex(local)));
        }
        let record = delta.vertices.get_or_insert_with(local, Record::default);
        Ok(record.version_mut(at, || exists))
    }

    pub(crate) fn set_labels(&mut self, at: Position, local: u16, labels: &Labels) -> Result<()> {
        let Some(before) = self.newest().newest_labels(local)? else { return Ok(()) };
        self.vertex_version(at, local)?.labels = Some(labels.clone());
        self.counts.add_labels(at, &before, -1, self.oldest);
        self.counts.add_labels(at, labels, 1, self.oldest);
        Ok(())
    }

    pub(crate) fn delete_vertex(&mut self, at: Position, local: u16) -> Result<()> {
        let Some(labels) = self.newest().newest_labels(local)? else { return Ok(()) };
        self.vertex_version(at, local)?.delete();
        self.counts.add_vertex(at, &labels, -1, self.oldest);
        Ok(())
    }
}
