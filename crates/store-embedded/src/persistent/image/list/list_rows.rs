//! Unsorted adjacency rows, and the sort that makes a section of them.
//!
//! One counting sort by local, then a sort of each list by (neighbour, slot) packed in 64 bits:
//! lists are short, and rows that come in order are recognized. Comparison sorting of whole tuples
//! is too slow for a bulk load.

use crate::base::error::Result;
use crate::base::limits::SPARSE_FRACTION;
use crate::persistent::image::PARTITION_LOCALS;
use crate::persistent::image::list::list_builder::edge_count;
use crate::persistent::image::list::list_heads::Heads;
use crate::persistent::image::list::{ListSection, ListSlots};

/// Adjacency rows of one type and direction, in any order.
#[derive(Clone, Debug, Default)]
pub struct ListRows {
    /// The local with the list that each belongs to.
    pub locals: Vec<u16>,
    /// The other end of each.
    pub neighbours: Vec<u32>,
    /// The slot of each.
    pub slots: Vec<u32>,
}

/// Rows in list order.
pub(crate) struct SortedRows {
    heads: Heads,
    /// Neighbour in the high half, tie-breaker in the low.
    keys: Vec<u64>,
}

impl ListRows {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.locals.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.locals.is_empty()
    }

    /// Adds a row.
    pub fn push(&mut self, local: u16, neighbour: u32, slot: u32) {
        self.locals.push(local);
        self.neighbours.push(neighbour);
        self.slots.push(slot);
    }

    /// The section they make, giving up the rows as soon as they are not needed.
    pub fn into_sorted(self) -> Result<ListSection> {
        let sorted = SortedRows::sort(&self.locals, &self.neighbours, |row| self.slots[row])?;
        drop(self);
        let slots = ListSlots::Explicit(sorted.low_halves());
        Ok(sorted.into_section(slots))
    }

    /// The section they make; refused beyond 2^32 edges.
    pub fn sort(&self) -> Result<ListSection> {
        let sorted = SortedRows::sort(&self.locals, &self.neighbours, |row| self.slots[row])?;
        let slots = ListSlots::Explicit(sorted.low_halves());
        Ok(sorted.into_section(slots))
    }
}

impl SortedRows {
    /// Sorts rows by (local, neighbour, `tie` of the row).
    pub(crate) fn sort(
        locals: &[u16],
        neighbours: &[u32],
        tie: impl Fn(usize) -> u32,
    ) -> Result<SortedRows> {
        edge_count(locals.len())?;
        if locals.len() < PARTITION_LOCALS / SPARSE_FRACTION {
            return Ok(SortedRows::sort_few(locals, neighbours, tie));
        }
        let mut ends = vec![0u32; PARTITION_LOCALS + 1];
        for &local in locals {
            ends[local as usize + 1] += 1;
        }
        for local in 0..PARTITION_LOCALS {
            ends[local + 1] += ends[local];
        }
        let offsets = ends.clone();
        let mut keys = vec![0u64; locals.len()];
        for (row, (&local, &neighbour)) in locals.iter().zip(neighbours).enumerate() {
            let place = &mut ends[local as usize];
            keys[*place as usize] = u64::from(neighbour) << 32 | u64::from(tie(row));
            *place += 1;
        }
        for pair in offsets.windows(2).filter(|pair| pair[1] - pair[0] > 1) {
            keys[pair[0] as usize..pair[1] as usize].sort_unstable();
        }
        Ok(SortedRows { heads: Heads::of_dense(offsets), keys })
    }

    /// Too few rows to be worth an array of all locals.
    fn sort_few(locals: &[u16], neighbours: &[u32], tie: impl Fn(usize) -> u32) -> SortedRows {
        let keyed = locals.iter().zip(neighbours).enumerate();
        let keyed = keyed
            .map(|(row, (&local, &other))| (local, u64::from(other) << 32 | u64::from(tie(row))));
        let mut rows: Vec<(u16, u64)> = keyed.collect();
        rows.sort_unstable();
        let (mut starts, mut offsets) = (Vec::new(), Vec::new());
        for (row, (local, _)) in rows.iter().enumerate() {
            if starts.last() != Some(local) {
                starts.push(*local);
                offsets.push(row as u32);
            }
        }
        offsets.push(rows.len() as u32);
        let keys = rows.into_iter().map(|(_, key)| key).collect();
        SortedRows { heads: Heads::of_sparse(starts, offsets), keys }
    }

    /// The tie-breakers, in list order.
    pub(crate) fn low_halves(&self) -> Vec<u32> {
        self.keys.iter().map(|&key| key as u32).collect()
    }

    /// The section, with the slots that belong to its entries.
    pub(crate) fn into_section(self, slots: ListSlots) -> ListSection {
        let neighbours = self.keys.iter().map(|&key| (key >> 32) as u32).collect();
        ListSection { heads: self.heads, neighbours, slots }
    }
}
