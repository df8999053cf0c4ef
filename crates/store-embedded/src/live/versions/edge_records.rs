//! The records of the edges of one partition that changed after they were created, by slot.
//!
//! A scan asks for whole runs of slots, of which few changed: a bit for each slot says which, so that only those are looked
//! up.

use std::collections::hash_map::Entry;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::base::limits::EDGE_RUN_BITS;
use crate::live::versions::record::Record;

/// Slots of a run, and words of as many bits.
const RUN_SLOTS: u32 = 1 << EDGE_RUN_BITS;
const WORDS: usize = RUN_SLOTS as usize / 64;

/// Records by slot.
#[derive(Debug, Default)]
pub(crate) struct EdgeRecords {
    records: FxHashMap<u32, Record>,
    /// By run, a bit for each slot that has a record.
    changed: FxHashMap<u32, Box<[u64; WORDS]>>,
}

impl EdgeRecords {
    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    #[inline]
    pub(crate) fn get(&self, slot: u32) -> Option<&Record> {
        self.records.get(&slot)
    }

    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut Record> {
        self.records.get_mut(&slot)
    }

    /// The record of a slot, an empty one if it has none.
    pub(crate) fn get_or_default(&mut self, slot: u32) -> &mut Record {
        match self.records.entry(slot) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let bits = self.changed.entry(slot >> EDGE_RUN_BITS).or_default();
                let at = (slot % RUN_SLOTS) as usize;
                bits[at / 64] |= 1 << (at % 64);
                free.insert(Record::default())
            }
        }
    }

    /// All slots, in no order.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.records.keys().copied()
    }

    /// Slots of a range with their records, ascending.
    pub(crate) fn of_range(&self, slots: Range<u32>) -> impl Iterator<Item = (u32, &Record)> + '_ {
        let runs = match slots.is_empty() {
            true => 0..0,
            false => slots.start >> EDGE_RUN_BITS..((slots.end - 1) >> EDGE_RUN_BITS) + 1,
        };
        let words = runs.filter_map(|run| Some((run, self.changed.get(&run)?))).flat_map(
            |(run, words)| words.iter().zip(0..).map(move |(word, at)| (run, at, *word)),
        );
        let of_words = words.flat_map(|(run, at, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(run << EDGE_RUN_BITS | (at * 64 + bit))
            })
        });
        let within = of_words.filter(move |slot| slots.contains(slot));
        within.filter_map(|slot| Some((slot, self.get(slot)?)))
    }

    /// Bytes of the tables, without what records point to.
    pub(crate) fn table_byte_size(&self) -> usize {
        // A table of hashes has an eighth of its places free, and a byte for each.
        let table = |entry: usize, capacity: usize| capacity * 8 / 7 * (entry + 1);
        table(size_of::<(u32, Record)>(), self.records.capacity())
            + table(size_of::<(u32, Box<[u64; WORDS]>)>(), self.changed.capacity())
            + self.changed.len() * size_of::<[u64; WORDS]>()
    }

    /// The bytes behind all records, by a walk.
    #[cfg(test)]
    pub(crate) fn records_byte_size(&self) -> usize {
        self.records.values().map(Record::byte_size).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_a_range_are_those_with_a_slot_in_it() {
        let mut records = EdgeRecords::default();
        let slots = [0, 1, 63, 64, 1_023, 1_024, 5_000, u32::MAX];
        for slot in slots {
            records.get_or_default(slot);
        }
        let found = |range: Range<u32>| {
            records.of_range(range).map(|(slot, _)| slot).collect::<Vec<u32>>()
        };
        assert_eq!(found(0..u32::MAX), slots[..7]);
        assert_eq!(found(1..64), [1, 63]);
        assert_eq!(found(64..1_025), [64, 1_023, 1_024]);
        assert_eq!(found(5..5), [0; 0]);
        assert_eq!(found(u32::MAX - 1..u32::MAX), [0; 0]);
    }
}
