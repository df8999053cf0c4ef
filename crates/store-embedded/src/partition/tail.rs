//! The stamped tail of a list: edges in the order of their commits, appended in place.
//!
//! An entry is 12 bytes: neighbour, slot, stamp, each in its own third of one allocation, so that
//! a reader gets slices. A stamp is the commit's distance from the position its version begins
//! at; stamps never decrease, so a reader cuts the tail at its own position by looking at the
//! last stamp, and searches only when that one is too new.

/// Entries of the first allocation.
const FIRST_CAPACITY: usize = 4;

/// Edges behind the sorted prefix of a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail {
    /// Neighbours, slots, stamps: a third each.
    cells: Box<[u32]>,
    len: u32,
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

impl Tail {
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(crate) fn push(&mut self, neighbour: u32, slot: u32, stamp: u32) {
        debug_assert!(self.stamps().last().is_none_or(|last| *last <= stamp), "stamps ascend");
        let (len, capacity) = (self.len(), self.capacity());
        if len == capacity {
            self.grow();
        }
        let capacity = self.capacity();
        self.cells[len] = neighbour;
        self.cells[capacity + len] = slot;
        self.cells[2 * capacity + len] = stamp;
        self.len += 1;
    }

    /// The last stamp: reading it brings the end of the tail into the cache.
    #[inline]
    pub(crate) fn probe(&self) -> u32 {
        self.stamps().last().copied().unwrap_or(0)
    }

    /// How many entries a reader sees whose position is `stamp`.
    #[inline]
    pub(crate) fn visible(&self, stamp: u32) -> usize {
        match self.stamps().last() {
            Some(last) if *last > stamp => self.stamps().partition_point(|at| *at <= stamp),
            _ => self.len(),
        }
    }

    /// The first `len` entries.
    #[inline]
    pub(crate) fn first(&self, len: usize) -> Pairs<'_> {
        let capacity = self.capacity();
        Pairs { neighbours: &self.cells[..len], slots: &self.cells[capacity..capacity + len] }
    }

    /// The entries after `stamp`, their stamps counted from it.
    pub(crate) fn after(&self, stamp: u32) -> Tail {
        let (from, capacity) = (self.visible(stamp), self.capacity());
        let mut rest = Tail::default();
        for index in from..self.len() {
            let own = self.cells[2 * capacity + index];
            rest.push(self.cells[index], self.cells[capacity + index], own - stamp);
        }
        rest
    }

    pub(crate) fn byte_size(&self) -> usize {
        self.cells.len() * 4
    }

    fn capacity(&self) -> usize {
        self.cells.len() / 3
    }

    fn stamps(&self) -> &[u32] {
        let capacity = self.capacity();
        &self.cells[2 * capacity..2 * capacity + self.len()]
    }

    #[cold]
    fn grow(&mut self) {
        let (len, old) = (self.len(), self.capacity());
        let new = (old * 2).max(FIRST_CAPACITY);
        let mut cells = vec![0; 3 * new].into_boxed_slice();
        for third in 0..3 {
            let from = &self.cells[third * old..third * old + len];
            cells[third * new..third * new + len].copy_from_slice(from);
        }
        self.cells = cells;
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
}
