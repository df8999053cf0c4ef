//! Which edge slots of a partition are edges of one type, and the row of each in its columns.
//!
//! ```text
//!   Range   first, len          row = slot - first                  after a bulk load
//!   Runs    runs[n], live bits  row = rank of the run * 1024 + rest  a base that grew: rows may be
//!                                                                    dead, and columns have holes
//!   Listed  slots[n]            row = place in the list             a few edges in many runs
//! ```

use std::ops::Range;

use crate::base::codec::{Malformed, Reader, put_bits, put_u32, put_u32s};
use crate::base::limits::{EDGE_RUN_BITS, SPARSE_FRACTION};
use millrace_model::Bits;

const RUN_SLOTS: u32 = 1 << EDGE_RUN_BITS;
const NO_RANK: u32 = u32::MAX;

/// A set of slots with a row for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlotSet {
    /// Consecutive slots.
    Range {
        /// The lowest.
        first: u32,
        /// How many.
        len: u32,
    },
    /// Slots of whole runs, some of them unused or deleted.
    Runs(RunSlots),
    /// Single slots, ascending.
    Listed(Vec<u32>),
}

/// Slots of whole runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSlots {
    /// The runs, ascending.
    runs: Vec<u32>,
    /// Rank of run `runs[0] + i`, or none.
    ranks: Vec<u32>,
    /// Which rows are edges.
    live: Bits,
}

impl SlotSet {
    /// The set of these slots, which ascend; in the form that suits them.
    pub fn of_ascending(slots: &[u32]) -> SlotSet {
        debug_assert!(slots.is_sorted_by(|left, right| left < right), "slots ascend");
        let (Some(&first), Some(&last)) = (slots.first(), slots.last()) else {
            return SlotSet::Range { first: 0, len: 0 };
        };
        if (last - first) as usize == slots.len() - 1 {
            return SlotSet::Range { first, len: slots.len() as u32 };
        }
        let mut runs: Vec<u32> = slots.iter().map(|slot| slot >> EDGE_RUN_BITS).collect();
        runs.dedup();
        if slots.len() < (runs.len() << EDGE_RUN_BITS) / SPARSE_FRACTION {
            return SlotSet::Listed(slots.to_vec());
        }
        let mut set = RunSlots::new(runs);
        for &slot in slots {
            let row = set.place(slot).expect("its run is among the runs");
            set.live.insert(row as usize);
        }
        SlotSet::Runs(set)
    }

    /// The row of a slot; `None` if it is no edge of this set.
    #[inline]
    pub fn row(&self, slot: u32) -> Option<u32> {
        match self {
            SlotSet::Range { first, len } => {
                let row = slot.wrapping_sub(*first);
                (row < *len).then_some(row)
            }
            SlotSet::Runs(set) => set.place(slot).filter(|&row| set.live.get(row as usize)),
            SlotSet::Listed(slots) => slots.binary_search(&slot).ok().map(|row| row as u32),
        }
    }

    /// The rows of a range of slots, if they are all edges of this set and beside one another.
    pub(crate) fn rows_of_range(&self, slots: &Range<u32>) -> Option<Range<u32>> {
        match self {
            SlotSet::Range { first, len } => {
                let start = slots.start.checked_sub(*first)?;
                let rows = start..start + slots.len() as u32;
                (rows.end <= *len).then_some(rows)
            }
            SlotSet::Runs(_) | SlotSet::Listed(_) => None,
        }
    }

    /// Appends the rows of slots up to the first that is no edge of this set; says how many there are.
    pub(crate) fn rows_of(&self, slots: &[u32], rows: &mut Vec<u32>) -> usize {
        let before = rows.len();
        match self {
            SlotSet::Range { first, len } => {
                // All of them, mostly: then no branch stands in the loop.
                let is_in = |slot: &u32| slot.wrapping_sub(*first) < *len;
                let end = match slots.iter().all(is_in) {
                    true => slots.len(),
                    false => slots.iter().take_while(|slot| is_in(slot)).count(),
                };
                rows.extend(slots[..end].iter().map(|slot| slot - first));
            }
            SlotSet::Runs(_) | SlotSet::Listed(_) => {
                rows.extend(slots.iter().map_while(|slot| self.row(*slot)));
            }
        }
        rows.len() - before
    }

    /// How many rows columns have; some may be dead.
    pub fn row_count(&self) -> usize {
        match self {
            SlotSet::Range { len, .. } => *len as usize,
            SlotSet::Runs(set) => set.live.len(),
            SlotSet::Listed(slots) => slots.len(),
        }
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        match self {
            SlotSet::Range { len, .. } => *len as usize,
            SlotSet::Runs(set) => set.live.count(),
            SlotSet::Listed(slots) => slots.len(),
        }
    }

    /// Gives `see` slot and row of each edge, both ascending: for callers that take millions.
    pub(super) fn each(&self, mut see: impl FnMut(u32, u32)) {
        match self {
            SlotSet::Range { first, len } => (0..*len).for_each(|row| see(first + row, row)),
            SlotSet::Runs(set) => set.live.ones().for_each(|row| {
                let row = row as u32;
                let run = set.runs[(row >> EDGE_RUN_BITS) as usize];
                see(run << EDGE_RUN_BITS | (row & (RUN_SLOTS - 1)), row);
            }),
            SlotSet::Listed(slots) => slots.iter().zip(0..).for_each(|(slot, row)| see(*slot, row)),
        }
    }

    /// Slot and row of each edge, both ascending.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (u32, u32)> + '_> {
        match self {
            SlotSet::Range { first, len } => Box::new((0..*len).map(move |row| (first + row, row))),
            SlotSet::Runs(set) => Box::new(set.live.ones().map(|row| {
                let row = row as u32;
                let run = set.runs[(row >> EDGE_RUN_BITS) as usize];
                (run << EDGE_RUN_BITS | (row & (RUN_SLOTS - 1)), row)
            })),
            SlotSet::Listed(slots) => Box::new(slots.iter().copied().zip(0..)),
        }
    }

    /// Bytes in memory beyond the enum.
    pub fn byte_size(&self) -> usize {
        match self {
            SlotSet::Range { .. } => 0,
            SlotSet::Runs(set) => {
                (set.runs.capacity() + set.ranks.capacity()) * 4 + set.live.words().len() * 8
            }
            SlotSet::Listed(slots) => slots.capacity() * 4,
        }
    }

    pub(super) fn encode(&self, bytes: &mut Vec<u8>) {
        match self {
            SlotSet::Range { first, len } => {
                bytes.push(0);
                put_u32(bytes, *first);
                put_u32(bytes, *len);
            }
            SlotSet::Runs(set) => {
                bytes.push(1);
                put_u32s(bytes, &set.runs);
                put_bits(bytes, &set.live);
            }
            SlotSet::Listed(slots) => {
                bytes.push(2);
                put_u32s(bytes, slots);
            }
        }
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Result<SlotSet, Malformed> {
        let ascend = |slots: &[u32]| slots.is_sorted_by(|left, right| left < right);
        match reader.u8()? {
            0 => {
                let (first, len) = (reader.u32()?, reader.u32()?);
                let sound = first.checked_add(len).is_some();
                sound.then_some(SlotSet::Range { first, len })
            }
            1 => {
                let (runs, live) = (reader.u32s()?, reader.bits()?);
                let sound = ascend(&runs)
                    && !runs.is_empty()
                    && runs.last().is_none_or(|&run| run < 1 << (32 - EDGE_RUN_BITS))
                    && live.len() == runs.len() << EDGE_RUN_BITS;
                sound.then(|| SlotSet::Runs(RunSlots { live, ..RunSlots::new(runs) }))
            }
            2 => {
                let slots = reader.u32s()?;
                ascend(&slots).then_some(SlotSet::Listed(slots))
            }
            _ => None,
        }
        .ok_or_else(|| reader.malformed("a set of edge slots is not sound"))
    }
}

impl RunSlots {
    /// Runs that ascend, at least one; no row is live.
    fn new(runs: Vec<u32>) -> RunSlots {
        let (first, last) = (runs[0], runs[runs.len() - 1]);
        let mut ranks = vec![NO_RANK; (last - first) as usize + 1];
        for (rank, run) in runs.iter().enumerate() {
            ranks[(run - first) as usize] = rank as u32;
        }
        let live = Bits::unset(runs.len() << EDGE_RUN_BITS);
        RunSlots { runs, ranks, live }
    }

    #[inline]
    fn place(&self, slot: u32) -> Option<u32> {
        let run = (slot >> EDGE_RUN_BITS).checked_sub(self.runs[0])?;
        let rank = *self.ranks.get(run as usize)?;
        let row = (rank << EDGE_RUN_BITS) | (slot & (RUN_SLOTS - 1));
        (rank != NO_RANK).then_some(row)
    }
}
