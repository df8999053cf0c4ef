//! The stamped tail of a list: edges in the order of their commits, appended in place.
//!
//! An entry is 12 bytes: neighbour, slot, stamp, each in its own third of one array, so that a
//! reader gets slices. A stamp is the commit's distance from the position its version begins at;
//! stamps never decrease, so a reader positions the tail at its own position by looking at the last
//! stamp, and searches only when that one is too new. The first entries stand in the list itself,
//! so most modified lists own no allocation at all.

use crate::base::fetch::fetch;

/// Entries that need no allocation: they fit into the rest of a modified list's cache line.
const INLINE: usize = 3;

/// Entries of the first allocation.
const FIRST_CAPACITY: usize = 8;

const ENTRY_BYTES: usize = 12;

/// The capacity after `entries`: a quarter more, and whatever else the allocator gives with it. A
/// tail is long only on a hub, so the free space of most of them is the cost that counts.
fn next_capacity(entries: usize) -> usize {
    let wanted = (entries * ENTRY_BYTES * 5 / 4).max(FIRST_CAPACITY * ENTRY_BYTES);
    // Allocators have four sizes between two powers of two.
    let step = (1 << wanted.ilog2()) / 4;
    wanted.next_multiple_of(step) / ENTRY_BYTES
}

/// Edges behind the sorted prefix of a list.
#[derive(Clone, Debug)]
pub(crate) enum Tail {
    Inline {
        len: u8,
        cells: [u32; 3 * INLINE],
    },
    /// With the last stamp: a reader that sees all entries looks at no other.
    Boxed {
        len: u32,
        last: u32,
        cells: Box<[u32]>,
    },
}

/// Neighbours and their slots, as two slices of one length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs<'a> {
    pub(crate) neighbours: &'a [u32],
    pub(crate) slots: &'a [u32],
}

impl Pairs<'_> {
    pub(crate) fn len(&self) -> usize {
        self.neighbours.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.neighbours.iter().copied().zip(self.slots.iter().copied())
    }
}

impl Default for Tail {
    fn default() -> Tail {
        Tail::Inline { len: 0, cells: [0; 3 * INLINE] }
    }
}

impl Tail {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Tail::Inline { len, .. } => usize::from(*len),
            Tail::Boxed { len, .. } => *len as usize,
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends an entry; says how many bytes the tail grew by.
    #[inline]
    pub(crate) fn push(&mut self, neighbour: u32, slot: u32, stamp: u32) -> usize {
        debug_assert!(self.stamps().last().is_none_or(|last| *last <= stamp), "stamps ascend");
        let (at, capacity) = (self.len(), self.cells().len() / 3);
        let grown = if at == capacity { self.grow() } else { 0 };
        let (cells, capacity) = match self {
            Tail::Inline { len, cells } => {
                *len += 1;
                (&mut cells[..], INLINE)
            }
            Tail::Boxed { len, last, cells } => {
                *len += 1;
                *last = stamp;
                let capacity = cells.len() / 3;
                (&mut cells[..], capacity)
            }
        };
        cells[at] = neighbour;
        cells[capacity + at] = slot;
        cells[2 * capacity + at] = stamp;
        grown
    }

    /// A neighbour and a stamp: reading them brings the entries that a reader looks at into the
    /// cache.
    #[inline]
    pub(crate) fn probe(&self) -> u32 {
        let first = self.cells().first().copied().unwrap_or(0);
        first ^ self.stamps().last().copied().unwrap_or(0)
    }

    /// Prefetches the first and the last neighbour, where entries are not in the list itself.
    /// Entries between them need no prefetch.
    #[inline]
    pub(crate) fn fetch_neighbours(&self) {
        if let Tail::Boxed { len, cells, .. } = self {
            let neighbours = &cells[..*len as usize];
            neighbours.first().into_iter().chain(neighbours.last()).for_each(fetch);
        }
    }

    /// How many entries a reader at position `stamp` sees.
    #[inline]
    pub(crate) fn visible(&self, stamp: u32) -> usize {
        if self.last_stamp() <= stamp {
            return self.len();
        }
        self.stamps().partition_point(|at| *at <= stamp)
    }

    /// The first `len` entries.
    #[inline]
    pub(crate) fn first(&self, len: usize) -> Pairs<'_> {
        let (cells, capacity) = match self {
            Tail::Inline { cells, .. } => (&cells[..], INLINE),
            Tail::Boxed { cells, .. } => (&cells[..], cells.len() / 3),
        };
        Pairs { neighbours: &cells[..len], slots: &cells[capacity..capacity + len] }
    }

    /// The entries after `stamp`, their stamps counted from it.
    pub(crate) fn after(&self, stamp: u32) -> Tail {
        let (from, len) = (self.visible(stamp), self.len());
        let mut rest = Tail::with_capacity(len - from);
        let pairs = self.first(len);
        for index in from..len {
            let own = self.stamps()[index] - stamp;
            rest.push(pairs.neighbours[index], pairs.slots[index], own);
        }
        rest
    }

    /// Bytes beyond the list itself.
    pub(crate) fn byte_size(&self) -> usize {
        match self {
            Tail::Inline { .. } => 0,
            Tail::Boxed { cells, .. } => cells.len() * 4,
        }
    }

    fn with_capacity(entries: usize) -> Tail {
        if entries <= INLINE {
            return Tail::default();
        }
        let capacity = next_capacity(entries);
        Tail::Boxed { len: 0, last: 0, cells: vec![0; 3 * capacity].into_boxed_slice() }
    }

    #[inline]
    fn cells(&self) -> &[u32] {
        match self {
            Tail::Inline { cells, .. } => cells,
            Tail::Boxed { cells, .. } => cells,
        }
    }

    /// The stamp of the last entry; 0 if there is none.
    #[inline]
    fn last_stamp(&self) -> u32 {
        match self {
            Tail::Inline { len: 0, .. } => 0,
            Tail::Inline { len, cells } => cells[2 * INLINE - 1 + usize::from(*len)],
            Tail::Boxed { last, .. } => *last,
        }
    }

    #[inline]
    fn stamps(&self) -> &[u32] {
        let cells = self.cells();
        let first = cells.len() / 3 * 2;
        &cells[first..first + self.len()]
    }

    #[cold]
    fn grow(&mut self) -> usize {
        let (len, last, before) = (self.len(), self.last_stamp(), self.byte_size());
        let old = self.cells().len() / 3;
        let new = next_capacity(old);
        let mut cells = vec![0; 3 * new].into_boxed_slice();
        for third in 0..3 {
            let from = &self.cells()[third * old..third * old + len];
            cells[third * new..third * new + len].copy_from_slice(from);
        }
        *self = Tail::Boxed { len: len as u32, last, cells };
        self.byte_size() - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_sees_the_tail_up_to_its_own_position() {
        let mut tail = Tail::default();
        for (index, stamp) in [1, 1, 3, 7, 7, 9].into_iter().enumerate() {
            let neighbour = u32::try_from(index).unwrap() * 10;
            tail.push(neighbour, neighbour + 1, stamp);
        }
        let seen: Vec<usize> = (0..10).map(|stamp| tail.visible(stamp)).collect();
        assert_eq!(seen, [0, 2, 2, 3, 3, 3, 3, 5, 5, 6]);
        let pairs: Vec<_> = tail.first(3).iter().collect();
        assert_eq!(pairs, [(0, 1), (10, 11), (20, 21)]);
        let rest = tail.after(3);
        assert_eq!(rest.first(3).neighbours, [30, 40, 50]);
        assert_eq!((rest.visible(3), rest.visible(4), rest.visible(6)), (0, 2, 3));
    }

    #[test]
    fn a_tail_grows_from_its_line_to_allocations_and_says_by_how_much() {
        let mut tail = Tail::default();
        let mut bytes = 0;
        for index in 0..100 {
            bytes += tail.push(index, index + 1, index / 2);
            assert_eq!(bytes, tail.byte_size());
            let (before, now) = ((index / 2).wrapping_sub(1), index / 2);
            assert_eq!(tail.visible(now), tail.len(), "the last stamp is known in any form");
            assert!(now == 0 || tail.visible(before) == index as usize / 2 * 2);
            let own: Vec<_> = tail.first(tail.len()).iter().collect();
            assert_eq!(own, (0..=index).map(|at| (at, at + 1)).collect::<Vec<_>>());
        }
        assert_eq!((tail.len(), bytes), (100, 106 * 12));
        for stamp in [0, 10, 46, 48, 49] {
            let rest = tail.after(stamp);
            assert_eq!(rest.len(), 98 - 2 * stamp as usize, "two entries a stamp");
        }
    }
}
