//! The lists of one edge type in one direction: heads, neighbours, slots.
//!
//! ```text
//!   heads  dense:  offsets[65537]             list of local = offsets[local] .. offsets[local + 1]
//!          sparse: locals[n], offsets[n + 1]  under 1/16 full
//!   neighbours[edges]   each list sorted by (neighbour, slot)
//!   slots[edges], or implied: entry i has slot first + i   (after a bulk load, out lists only)
//! ```

pub(super) mod list_builder;
pub(super) mod list_heads;
pub(super) mod list_rows;

use std::ops::Range;

use crate::base::codec::{Malformed, Reader, put_u32, put_u32s};
use crate::base::error::Result;
use crate::persistent::image::list::list_heads::Heads;
use crate::persistent::image::section::SectionBody;

/// Lists of one type in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListSection {
    pub(in crate::persistent::image) heads: Heads,
    pub(in crate::persistent::image) neighbours: Vec<u32>,
    pub(in crate::persistent::image) slots: ListSlots,
}

/// The edge slots beside the neighbours of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListSlots {
    /// One for each neighbour.
    Explicit(Vec<u32>),
    /// Entry `i` of the section has slot `first + i`.
    Implied {
        /// The slot of the first entry.
        first: u32,
    },
}

/// One list: parallel neighbours and slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List<'a> {
    /// The other ends, ascending.
    pub neighbours: &'a [u32],
    /// The edges' slots.
    pub slots: SlotSlice<'a>,
}

/// The slots of one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotSlice<'a> {
    /// One for each neighbour.
    Explicit(&'a [u32]),
    /// Entry `i` of the list has slot `first + i`.
    Implied {
        /// The slot of the first entry.
        first: u32,
    },
}

impl SlotSlice<'_> {
    /// The slot of the list's entry `index`.
    #[inline]
    pub fn get(&self, index: usize) -> u32 {
        match self {
            SlotSlice::Explicit(slots) => slots[index],
            SlotSlice::Implied { first } => first + index as u32,
        }
    }
}

impl List<'_> {
    /// The list of a vertex without edges.
    pub(crate) const EMPTY: List<'static> =
        List { neighbours: &[], slots: SlotSlice::Implied { first: 0 } };

    /// Appends the slots to `slots`.
    pub fn extend_slots(&self, slots: &mut Vec<u32>) {
        self.extend_slots_of(0..self.len(), slots);
    }

    /// Appends the slots of some entries to `slots`.
    pub fn extend_slots_of(&self, entries: Range<usize>, slots: &mut Vec<u32>) {
        match self.slots {
            SlotSlice::Explicit(own) => slots.extend_from_slice(&own[entries]),
            SlotSlice::Implied { first } => {
                slots.extend(first + entries.start as u32..first + entries.end as u32);
            }
        }
    }

    /// How many edges it has.
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }
}

impl<'a> List<'a> {
    /// Neighbour and slot of each edge.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (u32, u32)> + 'a {
        let slots = self.slots;
        let neighbours = self.neighbours.iter().enumerate();
        neighbours.map(move |(index, &neighbour)| (neighbour, slots.get(index)))
    }
}

impl ListSection {
    /// Where the list of a local is in [`ListSection::neighbours`]. A caller with many locals takes
    /// all ranges first, so that the misses of the heads overlap.
    #[inline]
    pub fn range(&self, local: u16) -> Range<usize> {
        match &self.heads {
            Heads::Dense(offsets) => {
                offsets[local as usize] as usize..offsets[local as usize + 1] as usize
            }
            Heads::Sparse { locals, offsets } => sparse_range(locals, offsets, local),
        }
    }

    /// The list at a range that [`ListSection::range`] gave.
    #[inline]
    pub fn list_at(&self, range: Range<usize>) -> List<'_> {
        let slots = match &self.slots {
            ListSlots::Explicit(slots) => SlotSlice::Explicit(&slots[range.clone()]),
            ListSlots::Implied { first } => {
                SlotSlice::Implied { first: first + range.start as u32 }
            }
        };
        List { neighbours: &self.neighbours[range], slots }
    }

    /// The list of a local; empty if it has none.
    #[inline]
    pub fn list(&self, local: u16) -> List<'_> {
        self.list_at(self.range(local))
    }

    /// How many edges a local has.
    #[inline]
    pub fn degree(&self, local: u16) -> u32 {
        self.range(local).len() as u32
    }

    /// The locals with a list that is not empty, ascending, and their lists.
    pub fn iter(&self) -> impl Iterator<Item = (u16, List<'_>)> + '_ {
        self.locals().map(|local| (local, self.list(local)))
    }

    /// The locals with a list that is not empty, ascending.
    pub fn locals(&self) -> Box<dyn Iterator<Item = u16> + '_> {
        match &self.heads {
            Heads::Dense(offsets) => Box::new(
                offsets
                    .windows(2)
                    .enumerate()
                    .filter(|(_, pair)| pair[0] < pair[1])
                    .map(|(local, _)| local as u16),
            ),
            Heads::Sparse { locals, .. } => Box::new(locals.iter().copied()),
        }
    }

    /// The first local at or above `from` with a list that is not empty.
    pub(crate) fn next_local(&self, from: u16) -> Option<u16> {
        match &self.heads {
            Heads::Dense(offsets) => {
                let start = offsets[usize::from(from)];
                let rest = &offsets[usize::from(from) + 1..];
                let place = rest.iter().position(|end| *end != start)?;
                Some(from + place as u16)
            }
            Heads::Sparse { locals, .. } => {
                locals.get(locals.partition_point(|local| *local < from)).copied()
            }
        }
    }

    /// Where the entries of locals are, of as many whole lists as have about `room` entries, one at least; and the local to go
    /// on at. `None` where there are none.
    pub(crate) fn stretch(
        &self,
        locals: Range<usize>,
        room: usize,
    ) -> Option<(Range<usize>, usize)> {
        // Of sparse heads, the places of the locals among those that have a list.
        let (offsets, places) = match &self.heads {
            Heads::Dense(offsets) => (offsets, locals.clone()),
            Heads::Sparse { locals: own, offsets } => {
                let place = |local: usize| own.partition_point(|other| usize::from(*other) < local);
                (offsets, place(locals.start)..place(locals.end))
            }
        };
        let (start, last) = (offsets[places.start] as usize, offsets[places.end] as usize);
        if start == last {
            return None;
        }
        if last - start <= room {
            return Some((start..last, locals.end));
        }
        let wanted = (start + room.max(1)) as u32;
        let ends = &offsets[places.start + 1..=places.end];
        let place = places.start + ends.partition_point(|end| *end < wanted);
        let local = match &self.heads {
            Heads::Dense(_) => place,
            Heads::Sparse { locals: own, .. } => usize::from(own[place]),
        };
        Some((start..offsets[place + 1] as usize, local + 1))
    }

    /// All neighbours, list by list.
    pub fn neighbours(&self) -> &[u32] {
        &self.neighbours
    }

    /// The slots beside them.
    pub fn slots(&self) -> &ListSlots {
        &self.slots
    }

    /// Local and neighbour of each entry, in order.
    pub(in crate::persistent::image) fn each_end(&self) -> impl Iterator<Item = (u16, u32)> + '_ {
        self.iter().flat_map(|(local, list)| list.neighbours.iter().map(move |end| (local, *end)))
    }

    /// Local and neighbour of the entry at `position` of the section. `near` is where it was found for an entry before:
    /// entries that are asked for in order are found at once.
    pub(crate) fn ends_at(&self, position: u32, near: &mut usize) -> (u16, u32) {
        let offsets = match &self.heads {
            Heads::Dense(offsets) | Heads::Sparse { offsets, .. } => offsets,
        };
        let is_at = |at: usize| {
            offsets.get(at..at + 2).is_some_and(|pair| pair[0] <= position && position < pair[1])
        };
        *near = match (*near..*near + LISTS_TRIED).find(|at| is_at(*at)) {
            Some(at) => at,
            None => offsets.partition_point(|&start| start <= position) - 1,
        };
        let local = match &self.heads {
            Heads::Dense(_) => *near as u16,
            Heads::Sparse { locals, .. } => locals[*near],
        };
        (local, self.neighbours[position as usize])
    }
}

/// Lists that are looked at one by one before an entry is searched for.
const LISTS_TRIED: usize = 4;

/// Out of line, so that the path of dense heads is inlined into its callers.
#[inline(never)]
fn sparse_range(locals: &[u16], offsets: &[u32], local: u16) -> Range<usize> {
    match locals.binary_search(&local) {
        Ok(index) => offsets[index] as usize..offsets[index + 1] as usize,
        Err(_) => 0..0,
    }
}

const EXPLICIT: u8 = 0;
const IMPLIED: u8 = 1;

impl SectionBody for ListSection {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<()> {
        self.heads.encode(bytes);
        put_u32s(bytes, &self.neighbours);
        match &self.slots {
            ListSlots::Explicit(slots) => {
                bytes.push(EXPLICIT);
                put_u32s(bytes, slots);
            }
            ListSlots::Implied { first } => {
                bytes.push(IMPLIED);
                put_u32(bytes, *first);
            }
        }
        Ok(())
    }

    fn decode(reader: &mut Reader<'_>) -> std::result::Result<ListSection, Malformed> {
        let heads = Heads::decode(reader)?;
        let neighbours = reader.u32s()?;
        if !heads.is_sound(neighbours.len()) {
            return Err(reader.malformed("the heads of lists do not fit their entries"));
        }
        let slots = match reader.u8()? {
            EXPLICIT => ListSlots::Explicit(reader.u32s()?),
            IMPLIED => ListSlots::Implied { first: reader.u32()? },
            _ => return Err(reader.malformed("the slots of lists have an unknown form")),
        };
        let fits = match &slots {
            ListSlots::Explicit(slots) => slots.len() == neighbours.len(),
            ListSlots::Implied { first } => first.checked_add(neighbours.len() as u32).is_some(),
        };
        if !fits {
            return Err(reader.malformed("lists have other slots than neighbours"));
        }
        Ok(ListSection { heads, neighbours, slots })
    }

    fn byte_size(&self) -> usize {
        let slots = match &self.slots {
            ListSlots::Explicit(slots) => slots.capacity() * 4,
            ListSlots::Implied { .. } => 0,
        };
        size_of::<ListSection>() + self.heads.byte_size() + self.neighbours.capacity() * 4 + slots
    }
}
