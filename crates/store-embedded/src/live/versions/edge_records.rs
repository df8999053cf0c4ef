//! The records of the edges of one partition that changed after they were created, by slot.
//!
//! Those of 64 slots are a page and lie beside one another: a scan asks for slots in order, a page at a time.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::live::versions::record::Record;

/// Edges of a page.
const PAGE_EDGES: u32 = 64;

/// Records by slot.
#[derive(Debug, Default)]
pub(crate) struct EdgeRecords {
    pages: FxHashMap<u32, Page>,
    /// Bytes behind the pages, kept as they grow.
    bytes: usize,
}

/// Records of slots beside one another.
#[derive(Debug, Default)]
struct Page {
    /// A bit for each slot that has one.
    present: u64,
    /// By slot, ascending.
    records: Vec<Record>,
}

impl Page {
    /// Where the record of a slot is, or would be; and whether it is there.
    #[inline]
    fn find(&self, slot: u32) -> (usize, bool) {
        let bit = 1 << (slot % PAGE_EDGES);
        ((self.present & (bit - 1)).count_ones() as usize, self.present & bit != 0)
    }
}

impl EdgeRecords {
    pub(crate) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    #[inline]
    pub(crate) fn get(&self, slot: u32) -> Option<&Record> {
        let page = self.pages.get(&(slot / PAGE_EDGES))?;
        let (place, is_there) = page.find(slot);
        is_there.then(|| &page.records[place])
    }

    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut Record> {
        let page = self.pages.get_mut(&(slot / PAGE_EDGES))?;
        let (place, is_there) = page.find(slot);
        is_there.then(|| &mut page.records[place])
    }

    /// The record of a slot, an empty one if it has none.
    pub(crate) fn get_or_default(&mut self, slot: u32) -> &mut Record {
        let page = self.pages.entry(slot / PAGE_EDGES).or_default();
        let (place, is_there) = page.find(slot);
        if !is_there {
            let before = page.records.capacity();
            if before == 0 {
                // Most pages of single changes have one.
                page.records.reserve_exact(1);
            }
            page.records.insert(place, Record::default());
            page.present |= 1 << (slot % PAGE_EDGES);
            self.bytes += (page.records.capacity() - before) * size_of::<Record>();
        }
        &mut page.records[place]
    }

    /// All slots, in no order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.pages.iter().flat_map(|(page, own)| set_bits(*page, own.present))
    }

    /// Slots of a range with their records, ascending.
    pub(crate) fn of_range(&self, slots: Range<u32>) -> impl Iterator<Item = (u32, &Record)> + '_ {
        let pages = match slots.is_empty() {
            true => 0..0,
            false => slots.start / PAGE_EDGES..(slots.end - 1) / PAGE_EDGES + 1,
        };
        let pages = pages.filter_map(|page| Some((page, self.pages.get(&page)?)));
        let all = pages.flat_map(|(page, own)| set_bits(page, own.present).zip(&own.records));
        all.filter(move |(slot, _)| slots.contains(slot))
    }

    /// Bytes of the map itself, without what records point to.
    pub(crate) fn map_byte_size(&self) -> usize {
        // A table of hashes has an eighth of its places free, and a byte for each.
        self.pages.capacity() * 8 / 7 * (size_of::<(u32, Page)>() + 1) + self.bytes
    }

    /// The bytes behind all records, by a walk.
    #[cfg(test)]
    pub(crate) fn records_byte_size(&self) -> usize {
        self.pages.values().flat_map(|page| &page.records).map(Record::byte_size).sum()
    }
}

/// The slots of the bits that are set in a page, ascending.
fn set_bits(page: u32, mut present: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (present != 0).then(|| present.trailing_zeros())?;
        present &= present - 1;
        Some(page * PAGE_EDGES + bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::LogPosition;

    #[test]
    fn records_are_found_by_number_and_listed_by_range() {
        let mut records = EdgeRecords::default();
        let slots = [0, 1, 63, 64, 1_023, 1_024, 5_000, u32::MAX];
        // Those of a page do not come in order.
        for slot in slots.iter().rev().chain(&slots) {
            records.get_or_default(*slot).version_mut(LogPosition(u64::from(*slot)), || true);
        }
        let from = |record: &Record| record.at(LogPosition(u64::MAX)).map(|own| own.from.0);
        for slot in slots {
            assert_eq!(records.get(slot).and_then(from), Some(u64::from(slot)));
            assert!(records.get_mut(slot).is_some());
        }
        assert!(records.get(2).is_none() && records.get_mut(1_022).is_none());
        let mut all: Vec<u32> = records.numbers().collect();
        all.sort_unstable();
        assert_eq!(all, slots);
        let found = |range: Range<u32>| {
            let found = records.of_range(range);
            found
                .map(|(slot, record)| {
                    assert_eq!(from(record), Some(u64::from(slot)));
                    slot
                })
                .collect::<Vec<u32>>()
        };
        assert_eq!(found(0..u32::MAX), slots[..7]);
        assert_eq!(found(1..64), [1, 63]);
        assert_eq!(found(64..1_025), [64, 1_023, 1_024]);
        assert_eq!(found(5..5), [0; 0]);
        assert_eq!(found(u32::MAX - 1..u32::MAX), [0; 0]);
    }
}
