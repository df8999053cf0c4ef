//! Entries that come in any order, in order, while few of them are in memory as they are.
//!
//! ```text
//!   entries ──> buffer ── full ──> sorted ──> a run: front-coded lists, as in a base
//!   runs ── the least list of each, in a heap ──> a base
//! ```
//!
//! A run takes a few bytes for each entry, where the buffer takes its key and 24 more.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::base::limits::BUILD_BUFFER_BYTES;
use crate::persistent::segment::{KeyLists, RangeBase, RangeBaseBuilder};

/// Sorts entries.
#[derive(Default)]
pub struct SortedRuns {
    buffer: Buffer,
    runs: Vec<RangeBase>,
    bytes: usize,
}

#[derive(Default)]
struct Buffer {
    keys: Vec<u8>,
    entries: Vec<Entry>,
}

/// An entry of the buffer. Most entries differ in the first bytes of their keys.
#[derive(Clone, Copy)]
struct Entry {
    first_bytes: u64,
    id: u64,
    start: usize,
    len: usize,
}

impl Buffer {
    fn byte_size(&self) -> usize {
        self.keys.capacity() + self.entries.capacity() * size_of::<Entry>()
    }

    fn push(&mut self, key: &[u8], id: u64) {
        let mut first = [0; 8];
        let len = key.len().min(8);
        first[..len].copy_from_slice(&key[..len]);
        let (first_bytes, start) = (u64::from_be_bytes(first), self.keys.len());
        self.entries.push(Entry { first_bytes, id, start, len: key.len() });
        self.keys.extend(key);
    }

    /// Makes a run of what is here.
    fn drain(&mut self) -> RangeBase {
        let (keys, mut builder) = (&self.keys, RangeBaseBuilder::default());
        let key = |entry: &Entry| &keys[entry.start..entry.start + entry.len];
        self.entries.sort_unstable_by(|one, other| {
            let by_first = one.first_bytes.cmp(&other.first_bytes);
            by_first.then_with(|| key(one).cmp(key(other))).then(one.id.cmp(&other.id))
        });
        self.entries.dedup_by(|one, other| one.id == other.id && key(one) == key(other));
        self.entries.iter().for_each(|entry| builder.push(key(entry), entry.id));
        self.entries.clear();
        self.keys.clear();
        builder.finish()
    }
}

impl SortedRuns {
    /// Takes an entry; equal ones become one.
    pub fn push(&mut self, key: &[u8], id: u64) {
        self.buffer.push(key, id);
        let used = self.buffer.keys.len() + self.buffer.entries.len() * size_of::<Entry>();
        if BUILD_BUFFER_BYTES <= used {
            self.end_run();
        }
    }

    fn end_run(&mut self) {
        let run = self.buffer.drain();
        self.bytes += run.heap_size();
        self.runs.push(run);
    }

    /// Bytes that it takes, those included of the base that is made at the end, and of the shards that this becomes.
    pub fn byte_size(&self) -> usize {
        self.buffer.byte_size() + 3 * self.bytes
    }

    /// All entries.
    pub fn finish(mut self) -> RangeBase {
        self.end_run();
        self.buffer = Buffer::default();
        let mut cursors: Vec<Cursor<'_>> = self.runs.iter().map(Cursor::new).collect();
        let heads = cursors.iter().enumerate();
        let heads = heads.filter_map(|(run, cursor)| cursor.head(run)).map(Reverse);
        let mut heads: BinaryHeap<Reverse<Head>> = heads.collect();
        let (mut base, mut last) = (RangeBaseBuilder::default(), None);
        while let Some(Reverse(Head { key, run, .. })) = heads.pop() {
            let (cursor, next) = (&mut cursors[run], heads.peek());
            // The ids up to those of another run's list of the key.
            let end = next.filter(|next| next.0.key == key).map(|next| next.0.id);
            let ids = cursor.take(end);
            let is_again = last.as_ref().is_some_and(|(own, id)| *own == key && ids[0] == *id);
            let ids = &ids[usize::from(is_again)..];
            ids.iter().for_each(|id| base.push(&key, *id));
            let last_id = ids.last().copied();
            heads.extend(cursor.head(run).map(Reverse));
            if let Some(id) = last_id {
                last = Some((key, id));
            }
        }
        base.finish()
    }
}

/// The next list of a run.
#[derive(PartialEq, Eq)]
struct Head {
    key: Vec<u8>,
    id: u64,
    run: usize,
}

impl Ord for Head {
    fn cmp(&self, other: &Head) -> Ordering {
        (&self.key, self.id, self.run).cmp(&(&other.key, other.id, other.run))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The rest of a run.
struct Cursor<'r> {
    run: &'r RangeBase,
    next_block: usize,
    lists: KeyLists,
    list: usize,
    /// Ids of the list that were taken.
    taken: usize,
}

impl<'r> Cursor<'r> {
    fn new(run: &'r RangeBase) -> Cursor<'r> {
        let mut cursor =
            Cursor { run, next_block: 0, lists: KeyLists::default(), list: 0, taken: 0 };
        cursor.fill();
        cursor
    }

    /// Reads the next block, if this one is at its end.
    fn fill(&mut self) {
        if self.lists.len() <= self.list && self.next_block < self.run.blocks() {
            self.run.read(self.next_block, &mut self.lists);
            (self.next_block, self.list, self.taken) = (self.next_block + 1, 0, 0);
        }
    }

    fn head(&self, run: usize) -> Option<Head> {
        if self.lists.len() <= self.list {
            return None;
        }
        let (key, ids) = self.lists.list(self.list);
        Some(Head { key: key.to_vec(), id: ids[self.taken], run })
    }

    /// Takes ids of the list: the first, and those behind it up to an end.
    fn take(&mut self, end: Option<u64>) -> Vec<u64> {
        let (_, ids) = self.lists.list(self.list);
        let rest = &ids[self.taken..];
        let count = end.map_or(rest.len(), |end| rest.partition_point(|id| *id < end).max(1));
        let taken = rest[..count].to_vec();
        self.taken += count;
        if self.taken == ids.len() {
            (self.list, self.taken) = (self.list + 1, 0);
            self.fill();
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::base::random::SimNumbers;

    #[test]
    fn entries_of_many_runs_come_in_order_each_once() {
        let mut random = SimNumbers::new(1);
        let (mut runs, mut all) = (SortedRuns::default(), BTreeSet::new());
        for at in 0..30_000 {
            let key = match random.below(3) {
                0 => b"many".to_vec(),
                1 => vec![0; random.below(12) as usize],
                _ => format!("a word {}", random.below(900)).into_bytes(),
            };
            let id = random.below(5_000);
            runs.push(&key, id);
            all.insert((key, id));
            if at % 1_999 == 0 {
                runs.end_run();
            }
        }
        let base = runs.finish();
        assert!(base.iter().eq(all.iter().cloned()), "{} of {}", base.len(), all.len());
    }

    #[test]
    fn trigrams_take_few_bytes_while_they_are_sorted() {
        let mut runs = SortedRuns::default();
        let mut most = 0;
        for id in 0..400_000u64 {
            for key in 0..8 {
                let number = (id * 31 + key * key) % 5_000;
                runs.push(&[(number >> 8) as u8, number as u8, key as u8], id);
            }
            most = most.max(runs.byte_size());
        }
        let entries = 3_200_000;
        println!("{:.1} bytes an entry at most", most as f64 / f64::from(entries));
        assert!(most < 2 * BUILD_BUFFER_BYTES + 12 * entries as usize);
    }
}
