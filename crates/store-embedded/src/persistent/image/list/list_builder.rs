//! Lists that come sorted, as a section.

use crate::base::error::{Error, Result};
use crate::persistent::image::list::list_heads::Heads;
use crate::persistent::image::list::{List, ListSection, ListSlots};

/// Builds a section from lists that come by ascending local.
#[derive(Debug, Default)]
pub struct ListBuilder {
    locals: Vec<u16>,
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
    slots: Vec<u32>,
}

impl ListBuilder {
    /// A builder with room for so many edges.
    pub(crate) fn with_capacity(edges: usize) -> ListBuilder {
        let (neighbours, slots) = (Vec::with_capacity(edges), Vec::with_capacity(edges));
        ListBuilder { neighbours, slots, ..ListBuilder::default() }
    }

    /// Appends entries, sorted by (neighbour, slot), as the list of a local above all before it.
    pub fn push(&mut self, local: u16, entries: impl IntoIterator<Item = (u32, u32)>) {
        let start = self.neighbours.len();
        for (neighbour, slot) in entries {
            self.neighbours.push(neighbour);
            self.slots.push(slot);
        }
        self.close(local, start);
    }

    /// Appends a whole sorted list.
    pub fn push_list(&mut self, local: u16, list: List<'_>) {
        let start = self.neighbours.len();
        self.neighbours.extend_from_slice(list.neighbours);
        list.extend_slots(&mut self.slots);
        self.close(local, start);
    }

    fn close(&mut self, local: u16, start: usize) {
        debug_assert!(self.locals.last().is_none_or(|&last| last < local), "locals ascend");
        if self.neighbours.len() > start {
            self.locals.push(local);
            self.offsets.push(start as u32);
        }
    }

    /// The section; refused beyond 2^32 edges.
    pub fn finish(mut self) -> Result<ListSection> {
        self.offsets.push(edge_count(self.neighbours.len())?);
        let heads = Heads::of_sparse(self.locals, self.offsets);
        let slots = ListSlots::Explicit(self.slots);
        Ok(ListSection { heads, neighbours: self.neighbours, slots })
    }
}

/// The count as 32 bits, the width of an offset in heads.
pub(in crate::persistent::image) fn edge_count(edges: usize) -> Result<u32> {
    u32::try_from(edges).map_err(|_| Error::TooLarge {
        what: "the lists of one edge type in one partition and direction",
        bytes: edges as u64 * 8,
        bytes_max: u64::from(u32::MAX) * 8,
    })
}
