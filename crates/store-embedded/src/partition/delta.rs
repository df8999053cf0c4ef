//! What was committed since a root's cut.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use millrace_model::{EdgeTypeId, Position};
use rustc_hash::FxHashMap;

use super::edge_run::EdgeRun;
use super::local_map::LocalMap;
use super::record::Record;
use super::touched_list::TouchedList;
use crate::image::Half;

/// The lists of one type and direction that were touched.
pub(crate) type TouchedLists = LocalMap<TouchedList>;

/// Changes since a cut.
#[derive(Debug, Default)]
pub(crate) struct Delta {
    /// At or before the first change; `None` if there is none.
    pub(crate) first: Option<Position>,
    /// At or after the last change.
    pub(crate) last: Position,
    /// What came up to here is in a delta image too, and need not be in the log.
    pub(crate) saved: Position,
    pub(crate) lists: BTreeMap<(EdgeTypeId, Half), TouchedLists>,
    /// Vertex records, by local.
    pub(crate) vertices: LocalMap<Record>,
    /// New edges, by run.
    pub(crate) runs: FxHashMap<u32, Arc<EdgeRun>>,
    /// Edge records that changed after the edge was created, by slot.
    pub(crate) edges: FxHashMap<u32, Record>,
    /// What has an older version, and from where on nobody needs that one; positions ascend.
    pub(crate) retired: VecDeque<(Position, Versioned)>,
}

/// Something with versions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Versioned {
    List(EdgeTypeId, Half, u16),
    Vertex(u16),
    Edge(u32),
}

impl Delta {
    /// Frees versions that no reader at `oldest` or later takes.
    pub(crate) fn forget(&mut self, oldest: Position) {
        while let Some((at, what)) = self.retired.front().copied()
            && at <= oldest
        {
            self.retired.pop_front();
            match what {
                Versioned::List(edge_type, half, local) => {
                    let lists = self.lists.get_mut(&(edge_type, half));
                    if let Some(list) = lists.and_then(|lists| lists.get_mut(local)) {
                        list.forget(oldest);
                    }
                }
                Versioned::Vertex(local) => {
                    if let Some(record) = self.vertices.get_mut(local) {
                        record.forget(oldest);
                    }
                }
                Versioned::Edge(slot) => {
                    if let Some(record) = self.edges.get_mut(&slot) {
                        record.forget(oldest);
                    }
                }
            }
        }
    }

    /// What came after `cut`, for a root whose base holds everything up to it, and which keeps the
    /// overlay or has none.
    pub(crate) fn after(&self, cut: Position, keeps_overlay: bool) -> Delta {
        let mut delta = Delta::default();
        for (key, lists) in &self.lists {
            let mut later = TouchedLists::default();
            for (local, list) in lists.iter() {
                if let Some(list) = list.after(cut, keeps_overlay) {
                    later.get_or_insert_with(local, || list);
                }
            }
            if !later.is_empty() {
                delta.lists.insert(*key, later);
            }
        }
        for (local, record) in self.vertices.iter() {
            if let Some(record) = record.after(cut) {
                delta.vertices.get_or_insert_with(local, || record);
            }
        }
        let later = |edges: &Arc<EdgeRun>| EdgeRun::after(edges, cut);
        let runs = self.runs.iter().filter_map(|(run, edges)| Some((*run, later(edges)?)));
        delta.runs = runs.collect();
        let edges = self.edges.iter().filter_map(|(slot, edge)| Some((*slot, edge.after(cut)?)));
        delta.edges = edges.collect();
        delta.first = (!delta.is_empty()).then_some(Position(cut.0 + 1));
        delta.last = self.last;
        delta.retired = self.retired.iter().filter(|(at, _)| cut < *at).copied().collect();
        delta
    }

    /// Notes a change.
    pub(crate) fn note(&mut self, at: Position) {
        self.first.get_or_insert(at);
        self.last = self.last.max(at);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lists.is_empty()
            && self.vertices.is_empty()
            && self.runs.is_empty()
            && self.edges.is_empty()
    }

    /// Bytes in memory, about.
    pub(crate) fn byte_size(&self) -> usize {
        let lists = self.lists.values().map(|lists| {
            lists.map_byte_size() + lists.iter().map(|(_, list)| list.byte_size()).sum::<usize>()
        });
        let vertices = self.vertices.iter().map(|(_, record)| record.byte_size());
        lists.sum::<usize>()
            + self.vertices.map_byte_size()
            + vertices.sum::<usize>()
            + self.runs.values().map(|run| run.byte_size()).sum::<usize>()
            + self.edges.values().map(Record::byte_size).sum::<usize>()
            + self.retired.len() * size_of::<(Position, Versioned)>()
    }
}
