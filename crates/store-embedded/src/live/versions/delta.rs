//! The changes committed since a root's checkpoint position.
//!
//! Its size is maintained as it changes, because admission reads it often: each change of a list or
//! a record adds its growth to `bytes`, and the test of sizes walks everything and compares.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use millrace_model::{EdgeTypeId, LogPosition};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::limits::PIECE_ELEMENTS;
use crate::live::list::local_map::LocalMap;
use crate::live::list::modified_list::ModifiedList;
use crate::live::versions::edge_records::EdgeRecords;
use crate::live::versions::edge_run::EdgeRun;
use crate::live::versions::pinned::PinnedSnapshots;
use crate::live::versions::record::Record;
use crate::persistent::image::Half;

/// The lists of one type and direction that were modified.
pub(crate) type ModifiedLists = LocalMap<ModifiedList>;

/// Changes since a checkpoint position.
#[derive(Debug, Default)]
pub(crate) struct Delta {
    /// At or before the first change; `None` if there is none.
    pub(crate) first: Option<LogPosition>,
    /// At or after the last change.
    pub(crate) last: LogPosition,
    /// Changes up to here are in a delta layer too, and need not be in the log.
    pub(crate) saved: LogPosition,
    /// Bytes of the delta layers that were written since the checkpoint position.
    pub(crate) saved_bytes: u64,
    pub(crate) lists: BTreeMap<(EdgeTypeId, Half), ModifiedLists>,
    /// Vertex records, by local; those that say of labels, or that the vertex is no more, are marked.
    pub(crate) vertices: LocalMap<Record>,
    /// New edges, by run.
    pub(crate) runs: FxHashMap<u32, Arc<EdgeRun>>,
    /// Edge records that changed after the edge was created, by slot.
    pub(crate) edges: EdgeRecords,
    pub(crate) retired: Retired,
    /// Bytes behind lists and records.
    pub(crate) bytes: usize,
}

/// Elements and lists with versions that are freed when readers end.
#[derive(Debug, Default)]
pub(crate) struct Retired {
    /// Elements and lists with an older version, and the position from which on only a present
    /// reader needs that version; positions ascend.
    pub(crate) queue: VecDeque<(LogPosition, Versioned)>,
    /// Elements and lists that keep an older version for such a reader.
    kept: FxHashSet<Versioned>,
    /// The readers of the last time.
    pinned: Arc<PinnedSnapshots>,
    /// Those of `kept` that were not looked at yet since readers ended.
    again: Vec<Versioned>,
}

/// Something with versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Versioned {
    List(EdgeTypeId, Half, u16),
    Vertex(u16),
    Edge(u32),
}

impl Retired {
    pub(crate) fn push(&mut self, at: LogPosition, what: Versioned) {
        self.queue.push_back((at, what));
    }

    fn byte_size(&self) -> usize {
        self.queue.capacity() * size_of::<(LogPosition, Versioned)>()
            + (self.kept.capacity() + self.again.capacity()) * size_of::<Versioned>()
    }
}

impl Delta {
    /// Frees some versions that no reader takes; says whether there may be more.
    pub(crate) fn forget(&mut self, pinned: &Arc<PinnedSnapshots>) -> bool {
        if self.retired.pinned.oldest() != pinned.oldest() {
            self.retired.again.extend(self.retired.kept.drain());
        }
        self.retired.pinned = pinned.clone();
        let mut left = PIECE_ELEMENTS;
        while left != 0 {
            let due = self.retired.queue.front().is_some_and(|(at, _)| pinned.next() >= *at);
            let what = match self.retired.again.pop() {
                Some(what) => what,
                None if due => self.retired.queue.pop_front().expect("there is a front").1,
                None => return false,
            };
            if self.forget_versions(what, pinned) {
                self.retired.kept.insert(what);
            }
            left -= 1;
        }
        true
    }

    /// Frees versions of one thing; says whether some are left besides the newest.
    fn forget_versions(&mut self, what: Versioned, pinned: &PinnedSnapshots) -> bool {
        let (before, after, left) = match what {
            Versioned::List(edge_type, half, local) => {
                let lists = self.lists.get_mut(&(edge_type, half));
                let Some(list) = lists.and_then(|lists| lists.get_mut(local)) else { return false };
                let before = list.byte_size();
                list.forget(pinned);
                (before, list.byte_size(), list.has_older())
            }
            Versioned::Vertex(local) => match self.vertices.get_mut(local) {
                Some(record) => record.forget_counted(pinned),
                None => return false,
            },
            Versioned::Edge(slot) => match self.edges.get_mut(slot) {
                Some(record) => record.forget_counted(pinned),
                None => return false,
            },
        };
        self.bytes = self.bytes + after - before;
        left
    }

    /// Puts a list in place, perhaps of one that is there.
    pub(crate) fn put_list(&mut self, key: (EdgeTypeId, Half), local: u16, list: ModifiedList) {
        let lists = self.lists.entry(key).or_default();
        self.bytes -= lists.get(local).map_or(0, ModifiedList::byte_size);
        let bytes = list.byte_size();
        self.bytes += bytes;
        lists.put(local, list);
        if 0 < bytes {
            lists.mark(local);
        }
    }

    /// The same for a vertex's record.
    pub(crate) fn put_vertex(&mut self, local: u16, record: Record) {
        self.bytes -= self.vertices.get(local).map_or(0, Record::byte_size);
        self.bytes += record.byte_size();
        let says_more = record.says_more_than_properties();
        self.vertices.put(local, record);
        if says_more {
            self.vertices.mark(local);
        }
    }

    /// The same for an edge's record.
    pub(crate) fn put_edge(&mut self, slot: u32, record: Record) {
        self.bytes += record.byte_size();
        self.bytes -= std::mem::replace(self.edges.get_or_default(slot), record).byte_size();
    }

    /// Notes a change.
    pub(crate) fn note(&mut self, at: LogPosition) {
        self.first.get_or_insert(at);
        self.last = self.last.max(at);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lists.is_empty()
            && self.vertices.is_empty()
            && self.runs.is_empty()
            && self.edges.is_empty()
    }

    /// Bytes in memory, without a walk over the modified lists and records.
    pub(crate) fn byte_size(&self) -> usize {
        let lists = self.lists.values().map(ModifiedLists::map_byte_size);
        let runs = self.runs.values().map(|run| run.byte_size());
        // A table of hashes has an eighth of its places free, and a byte for each.
        let table = |entry: usize, capacity: usize| capacity * 8 / 7 * (entry + 1);
        self.bytes
            + lists.sum::<usize>()
            + self.vertices.map_byte_size()
            + runs.sum::<usize>()
            + table(size_of::<(u32, Arc<EdgeRun>)>(), self.runs.capacity())
            + self.edges.map_byte_size()
            + self.retired.byte_size()
    }

    /// The same by a walk over everything.
    #[cfg(test)]
    pub(crate) fn walked_byte_size(&self) -> usize {
        let lists = self.lists.values().flat_map(LocalMap::iter);
        let lists: usize = lists.map(|(_, list)| list.byte_size()).sum();
        let vertices: usize = self.vertices.iter().map(|(_, record)| record.byte_size()).sum();
        let edges = self.edges.records_byte_size();
        lists + vertices + edges - self.bytes + self.byte_size()
    }
}
