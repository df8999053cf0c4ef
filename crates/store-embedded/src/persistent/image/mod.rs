//! An image: everything one partition holds at one position, immutable and sorted.
//!
//! ```text
//!   Image ── records          which locals exist, their labels
//!         ── vertex_columns   key        -> values by local
//!         ── lists            type, half -> heads, neighbours, slots
//!         ── runs             slot >> 10 -> type
//!         ── edges            type       -> which slots, their ends
//!         ── edge_columns     type, key  -> values by row of `edges`
//! ```
//!
//! Each of these but `runs` and the counts is a [`Section`]: in memory, or read from its file at
//! first touch. A *local* is the low 16 bits of a vertex id; a *slot* numbers an edge within the
//! partition of its source; a *row* is a slot's place in its type's columns ([`SlotSet`]).
//!
//! An image is a base (the whole partition), or a *committed-transaction layer*: only the elements
//! that one out-of-line commit created. In a transaction layer a local without a record may well
//! exist below it, and an in list names edges that have their slots, ends and values in other
//! partitions' images.

mod builder;
mod counts;
mod edges;
mod list;
mod merge;
#[cfg(test)]
pub(crate) mod naive;
mod property;
mod records;
mod runs;
mod section;
#[cfg(test)]
mod section_memory_tests;
mod slot_set;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use millrace_model::{EdgeTypeId, KeyId, LogPosition};
use millrace_store::run::PARTITION_BITS;

pub use builder::{EdgeRows, ImageBuilder, IncomingRows};
pub(crate) use builder::{edges_of, slot_order};
pub use counts::Counts;
pub(crate) use edges::PinnedEdges;
pub use edges::{EdgeSection, Ends};
pub use list::list_builder::ListBuilder;
pub use list::list_rows::ListRows;
pub(crate) use list::list_rows::SortedRows;
pub use list::{List, ListSection, ListSlots, SlotSlice};
pub use property::PropertyColumn;
pub(crate) use property::column_byte_size;
pub use records::{Records, RecordsBuilder};
pub use runs::RunTable;
pub use section::{Extent, Pinned, Section, SectionBody};
pub use slot_set::SlotSet;

use crate::base::error::Result;

/// Vertices of a partition.
pub const PARTITION_LOCALS: usize = 1 << PARTITION_BITS;

/// One direction of adjacency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Half {
    /// Lists of sources: neighbours are targets.
    Out,
    /// Lists of targets: neighbours are sources.
    In,
}

/// The contents of a partition at a position, or the elements that one out-of-line commit adds to
/// it.
#[derive(Debug)]
pub struct Image {
    /// Which partition.
    pub ordinal: u32,
    /// The last commit in it.
    pub checkpoint: LogPosition,
    /// The numbers of elements, known without reading any section.
    pub counts: Counts,
    /// Which locals exist, with their labels.
    pub records: Section<Records>,
    /// Vertex properties; rows are locals.
    pub vertex_columns: BTreeMap<KeyId, Section<PropertyColumn>>,
    /// Adjacency.
    pub lists: BTreeMap<(EdgeTypeId, Half), Section<ListSection>>,
    /// Which type each run of slots belongs to.
    pub runs: RunTable,
    /// Edges with their source here: their slots and ends.
    pub edges: BTreeMap<EdgeTypeId, Section<EdgeSection>>,
    /// Edge properties; rows are those of the type's [`EdgeSection`].
    pub edge_columns: BTreeMap<(EdgeTypeId, KeyId), Section<PropertyColumn>>,
}

impl Image {
    /// An image of nothing.
    pub fn empty(ordinal: u32, checkpoint: LogPosition) -> Image {
        Image {
            ordinal,
            checkpoint,
            counts: Counts::default(),
            records: Section::of(Records::default()),
            vertex_columns: BTreeMap::new(),
            lists: BTreeMap::new(),
            runs: RunTable::default(),
            edges: BTreeMap::new(),
            edge_columns: BTreeMap::new(),
        }
    }

    /// The edges of a type with their ends, if there are any. `Corrupt` if the ends are found
    /// nowhere.
    pub(crate) fn pinned_edges(&self, edge_type: EdgeTypeId) -> Result<Option<PinnedEdges>> {
        let Some(edges) = self.edges.get(&edge_type) else { return Ok(None) };
        match self.edges_with_ends(edge_type)? {
            Some(pinned) => Ok(Some(pinned)),
            None => Err(edges.corrupt("ends of edges are implied by lists that do not have them")),
        }
    }

    /// The same for a caller that makes edges anew: `None` also where the ends are found nowhere.
    pub(crate) fn edges_with_ends(&self, edge_type: EdgeTypeId) -> Result<Option<PinnedEdges>> {
        let Some(edges) = self.edges.get(&edge_type) else { return Ok(None) };
        PinnedEdges::load(edges, self.lists.get(&(edge_type, Half::Out)))
    }

    /// Source (as a local) and target of each slot of a type; `None` where there is no such edge.
    pub fn ends(&self, edge_type: EdgeTypeId, slots: &[u32]) -> Result<Vec<Option<(u16, u32)>>> {
        let Some(pinned) = self.pinned_edges(edge_type)? else {
            return Ok(vec![None; slots.len()]);
        };
        let rows = slots.iter().map(|&slot| pinned.edges.slots.row(slot));
        let mut near = 0;
        Ok(rows.map(|row| row.map(|row| pinned.ends(row, &mut near))).collect())
    }

    /// Gives `see` slot, row, source (as a local) and target of each edge of a type, slots
    /// ascending.
    pub(crate) fn each_edge(
        &self,
        edge_type: EdgeTypeId,
        see: impl FnMut(u32, u32, (u16, u32)),
    ) -> Result<()> {
        if let Some(pinned) = self.pinned_edges(edge_type)? {
            pinned.each(see);
        }
        Ok(())
    }

    /// Adds the edges and out lists of a type that it has not; `own` has the runs of both.
    pub(crate) fn add_type(&mut self, own: Image) {
        // Not `append`, which goes through the sections of all types that are there.
        self.lists.extend(own.lists);
        self.edges.extend(own.edges);
        self.edge_columns.extend(own.edge_columns);
        self.counts.edges.extend(own.counts.edges);
        self.runs = own.runs;
    }

    /// Bytes in memory now: sections not loaded count nothing.
    pub fn byte_size(&self) -> usize {
        size_of::<Image>()
            + self.records.byte_size()
            + self.vertex_columns.values().map(Section::byte_size).sum::<usize>()
            + self.lists.values().map(Section::byte_size).sum::<usize>()
            + self.runs.byte_size()
            + self.edges.values().map(Section::byte_size).sum::<usize>()
            + self.edge_columns.values().map(Section::byte_size).sum::<usize>()
    }

    /// Where the sections that are in files are.
    pub fn extents(&self) -> impl Iterator<Item = &Extent> {
        let columns = self.vertex_columns.values().map(Section::extent);
        let lists = self.lists.values().map(Section::extent);
        let edges = self.edges.values().map(Section::extent);
        let edge_columns = self.edge_columns.values().map(Section::extent);
        let all = [self.records.extent()].into_iter().chain(columns).chain(lists);
        all.chain(edges).chain(edge_columns).flatten()
    }

    /// Drops from memory every section that can be read again, and says how many bytes that freed.
    /// Readers that hold a section keep it until they let go.
    pub fn unload(&self) -> usize {
        self.records.unload()
            + self.vertex_columns.values().map(Section::unload).sum::<usize>()
            + self.lists.values().map(Section::unload).sum::<usize>()
            + self.edges.values().map(Section::unload).sum::<usize>()
            + self.edge_columns.values().map(Section::unload).sum::<usize>()
    }
}
