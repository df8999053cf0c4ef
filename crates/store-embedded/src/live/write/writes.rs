//! Applies one row of a commit to the newest root: entries, versions and counts, each with the
//! commit's position.

use std::sync::Arc;

use millrace_model::{EdgeId, EdgeTypeId, KeyId, LogPosition, Result, Value, VertexId};
use millrace_store::{Changes, EdgeBlock, Labels};

use crate::base::limits::EDGE_RUN_BITS;
use crate::live::list::modified_list::ModifiedList;
use crate::live::versions::delta::Versioned;
use crate::live::versions::edge_run::EdgeRun;
use crate::live::versions::record::{Record, RecordVersion};
use crate::live::versions::root::{Entry, Root, Sections, section};
use crate::live::versions::state::State;
use crate::live::write::route::{RowWrite, WriteKind};
use crate::live::{local, narrow, slot};
use crate::persistent::image::Half;

/// A list of this partition.
type ListKey = (EdgeTypeId, Half, u16);

impl State {
    pub(crate) fn newest_mut(&mut self) -> &mut Root {
        self.roots.first_mut().expect("a partition has a root")
    }

    pub(crate) fn create_vertex(
        &mut self,
        at: LogPosition,
        changes: &Changes,
        block: usize,
        row: usize,
    ) {
        let block = &changes.vertices[block];
        let local = local(block.ids[row]);
        self.note(Versioned::Vertex(local));
        let Root { base, layer, delta, .. } = self.newest_mut();
        let record = delta.vertices.get_or_insert_with(local, Record::default);
        let (version, mut grown) = record.version_mut(at, || true);
        if !std::mem::replace(&mut version.exists, true) {
            // An earlier vertex may have had this chosen id. Its properties below are masked here;
            // its deletion removed those above.
            let images = [Some(&**base), layer.as_ref().map(|layer| &*layer.image)];
            let stored = images.iter().flatten().flat_map(|image| image.vertex_columns.keys());
            for key in stored.copied() {
                grown = grown.strict_add_signed(version.set(key, None));
            }
        }
        version.labels = Some(block.labels.clone());
        version.reserve(block.properties.len());
        for (key, column) in &block.properties {
            if let Some(value) = column.get(row) {
                grown = grown.strict_add_signed(version.set(*key, Some(value)));
            }
        }
        delta.bytes += grown;
        delta.vertices.mark(local);
        self.counts.add_vertex(at, &block.labels, 1, &self.pinned);
    }

    /// Puts an edge in its run; says whether the run is new here.
    #[inline]
    pub(crate) fn insert_edge(&mut self, at: LogPosition, edges: &EdgeBlock, row: usize) -> bool {
        let slot = slot(edges.ids[row]);
        let run = slot >> EDGE_RUN_BITS;
        let index = (slot & ((1 << EDGE_RUN_BITS) - 1)) as usize;
        let mut fresh = false;
        self.note_run(run);
        let runs = &mut self.newest_mut().delta.runs;
        let run = runs.entry(run).or_insert_with(|| {
            fresh = true;
            Arc::new(EdgeRun::new(edges.edge_type))
        });
        // Copies only a run that a checkpoint is reading just now.
        Arc::make_mut(run).insert(at, index, edges, row);
        let count = self.counts.edges.entry(edges.edge_type).or_default();
        count.add(at, 1, &self.pinned);
        fresh
    }

    #[inline]
    pub(crate) fn insert_entry(
        &mut self,
        at: LogPosition,
        (edge_type, half, local): ListKey,
        neighbour: VertexId,
        edge: EdgeId,
    ) -> Result<()> {
        self.note(Versioned::List(edge_type, half, local));
        let Root { base, layer, delta, .. } = self.newest_mut();
        let lists = delta.lists.entry((edge_type, half)).or_default();
        let before = LogPosition(at.0 - 1);
        let list = lists.get_or_insert_with(local, || ModifiedList::at_root(before));
        let root_len = || {
            let layer = layer.as_ref().map(|layer| &*layer.image);
            let images = [Some(&**base), layer].into_iter().flatten();
            let sections =
                images.filter_map(|image| section(image, edge_type, half).ok().flatten());
            sections.map(|section| section.degree(local) as usize).sum()
        };
        let entry = (narrow(neighbour), slot(edge));
        if !list.wants_merge(at, root_len) {
            let grown = list.insert(at, entry.0, entry.1);
            if 0 < grown {
                // A reader of many lists prefetches the tails that are elsewhere.
                lists.mark(local);
            }
            delta.bytes += grown;
            return Ok(());
        }
        self.rewrite(at, (edge_type, half, local), &[])?;
        let delta = &mut self.newest_mut().delta;
        let lists = delta.lists.get_mut(&(edge_type, half));
        let list = lists.and_then(|lists| lists.get_mut(local)).expect("it was rewritten");
        delta.bytes += list.insert(at, entry.0, entry.1);
        Ok(())
    }

    /// Begins a version of a list without the entries removed, which are sorted.
    fn rewrite(
        &mut self,
        at: LogPosition,
        (edge_type, half, local): ListKey,
        removed: &[Entry],
    ) -> Result<()> {
        self.note(Versioned::List(edge_type, half, local));
        let root = self.newest_mut();
        let sections = Sections::of(root, (edge_type, half), LogPosition(u64::MAX))?;
        let delta = &mut root.delta;
        let lists = delta.lists.entry((edge_type, half)).or_default();
        let before = LogPosition(at.0 - 1);
        let list = lists.get_or_insert_with(local, || ModifiedList::at_root(before));
        let rewritten = list.rewrite(at, removed, sections.lists(local));
        delta.bytes = delta.bytes.strict_add_signed(rewritten.grown);
        if rewritten.retired {
            delta.retired.push(at, Versioned::List(edge_type, half, local));
        }
        self.copied_bytes += rewritten.copied as u64;
        Ok(())
    }

    /// Removes edges, each list once however many of its entries go.
    pub(crate) fn remove_edges(
        &mut self,
        at: LogPosition,
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
            let removed: Vec<Entry> = list.iter().map(|(_, entry)| *entry).collect();
            self.rewrite(at, list[0].0, &removed)?;
        }
        Ok(())
    }

    fn delete_edge(&mut self, at: LogPosition, edge_type: EdgeTypeId, slot: u32) {
        let (version, grown) = self.edge_version(at, slot);
        if std::mem::replace(&mut version.exists, false) {
            let shrunk = version.delete();
            let delta = &mut self.newest_mut().delta;
            delta.bytes = delta.bytes + grown - shrunk;
            self.counts.edges.entry(edge_type).or_default().add(at, -1, &self.pinned);
        } else {
            self.newest_mut().delta.bytes += grown;
        }
    }

    pub(crate) fn set_edge_property(
        &mut self,
        at: LogPosition,
        slot: u32,
        key: KeyId,
        value: Option<Value>,
    ) {
        let (version, grown) = self.edge_version(at, slot);
        let grown = version.set(key, value) + grown as isize;
        let delta = &mut self.newest_mut().delta;
        delta.bytes = delta.bytes.strict_add_signed(grown);
    }

    pub(crate) fn set_vertex_property(
        &mut self,
        at: LogPosition,
        local: u16,
        key: KeyId,
        value: Option<Value>,
    ) -> Result<()> {
        let (version, grown) = self.vertex_version(at, local)?;
        let grown = version.set(key, value) + grown as isize;
        let delta = &mut self.newest_mut().delta;
        delta.bytes = delta.bytes.strict_add_signed(grown);
        Ok(())
    }

    fn edge_version(&mut self, at: LogPosition, slot: u32) -> (&mut RecordVersion, usize) {
        self.note(Versioned::Edge(slot));
        let delta = &mut self.newest_mut().delta;
        let record = delta.edges.get_or_default(slot);
        if record.retires(at) {
            delta.retired.push(at, Versioned::Edge(slot));
        }
        record.version_mut(at, || true)
    }

    /// The version of a vertex at `at`, and how many bytes were needed to begin it. One without a
    /// record here exists if it does below.
    fn vertex_version(
        &mut self,
        at: LogPosition,
        local: u16,
    ) -> Result<(&mut RecordVersion, usize)> {
        let exists = self.newest().newest_labels(local)?.is_some();
        self.note(Versioned::Vertex(local));
        let delta = &mut self.newest_mut().delta;
        let record = delta.vertices.get_or_insert_with(local, Record::default);
        if record.retires(at) {
            delta.retired.push(at, Versioned::Vertex(local));
        }
        Ok(record.version_mut(at, || exists))
    }

    pub(crate) fn set_labels(
        &mut self,
        at: LogPosition,
        local: u16,
        labels: &Labels,
    ) -> Result<()> {
        let Some(before) = self.newest().newest_labels(local)? else { return Ok(()) };
        let (version, grown) = self.vertex_version(at, local)?;
        version.labels = Some(labels.clone());
        let delta = &mut self.newest_mut().delta;
        delta.bytes += grown;
        delta.vertices.mark(local);
        self.counts.add_labels(at, &before, -1, &self.pinned);
        self.counts.add_labels(at, labels, 1, &self.pinned);
        Ok(())
    }

    pub(crate) fn delete_vertex(&mut self, at: LogPosition, local: u16) -> Result<()> {
        let Some(labels) = self.newest().newest_labels(local)? else { return Ok(()) };
        let (version, grown) = self.vertex_version(at, local)?;
        let shrunk = version.delete();
        let delta = &mut self.newest_mut().delta;
        delta.bytes = delta.bytes + grown - shrunk;
        delta.vertices.mark(local);
        self.counts.add_vertex(at, &labels, -1, &self.pinned);
        Ok(())
    }
}
