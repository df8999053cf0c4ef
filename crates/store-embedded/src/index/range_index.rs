//! An ordered index: shards by ranges of keys, which split as they grow.
//!
//! ```text
//!   shards   ["" .. d) number 0 │ [d .. m) number 3 │ [m ..) number 1
//!   split    at a checkpoint, all parts by one record of the log, so that no crash loses a part
//! ```
//!
//! A seek works on the shards it found. A shard that was split meanwhile stays as it was, and holds
//! all that a snapshot which began before can see.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::LogPosition;
use millrace_terms::score::TextStatistics;
use parking_lot::RwLock;

use super::range_shard::{Applied, RangePart, RangeShard, Window};
use super::usage::Usage;
use super::vector_graph::VectorGraph;
use crate::base::error::Result;
use crate::persistent::segment::{FilePositions, RangeChanges, RangeEntry};

/// Entries that are applied while a shard is held.
const APPLIED_TOGETHER: usize = 4_096;

/// A shard as a file has it.
#[derive(Debug)]
pub struct RangeRoot {
    /// Its base.
    pub part: RangePart,
    /// The last positions in it.
    pub positions: FilePositions,
    /// Its changes since the base, and their bytes, if the file has such.
    pub changes: Option<(RangeChanges, u64)>,
}

/// The shards of one ordered index.
#[derive(Debug)]
pub struct RangeIndex {
    shards: RwLock<Shards>,
    /// The texts of each property of an index of scored words, as they were counted last, and their entries then.
    texts: RwLock<BTreeMap<usize, (u64, TextStatistics)>>,
    /// Of vectors, where there are many.
    pub(super) graph: VectorGraph,
}

#[derive(Debug)]
struct Shards {
    /// By lower bound; the first one's is empty.
    by_lower: Vec<Arc<RangeShard>>,
    next_number: u32,
}

impl Default for RangeIndex {
    fn default() -> RangeIndex {
        let by_lower = vec![Arc::new(RangeShard::empty(0, Vec::new()))];
        let shards = RwLock::new(Shards { by_lower, next_number: 1 });
        RangeIndex { shards, texts: RwLock::default(), graph: VectorGraph::default() }
    }
}

impl Shards {
    fn of_key(&self, key: &[u8]) -> usize {
        let above = self.by_lower.partition_point(|shard| *shard.lower <= *key);
        above.checked_sub(1).expect("the first shard begins below every key")
    }

    fn of_number(&self, number: u32) -> Option<usize> {
        self.by_lower.iter().position(|shard| shard.number == number)
    }
}

impl RangeIndex {
    /// The texts of a property, as they were counted last, and their entries then.
    pub fn known_texts(&self, field: usize) -> Option<(u64, TextStatistics)> {
        self.texts.read().get(&field).copied()
    }

    /// Keeps the counts of a property's texts.
    pub fn know_texts(&self, field: usize, texts: (u64, TextStatistics)) {
        self.texts.write().insert(field, texts);
    }

    /// Applies entries that commits removed or added, positions ascending.
    pub fn apply(&self, mut entries: Vec<Applied<'_>>) {
        // By key each shard is held once, and each key is found once. Positions stay in order.
        entries.sort_by(|one, other| one.key.cmp(other.key));
        let shards = self.shards.read();
        let mut left = entries.as_slice();
        while let Some(first) = left.first() {
            let shard = shards.of_key(first.key);
            let next = shards.by_lower.get(shard + 1);
            let own = next.map_or(left.len(), |next| {
                left.partition_point(|entry| entry.key < next.lower.as_slice())
            });
            // Readers come between.
            left[..own]
                .chunks(APPLIED_TOGETHER)
                .for_each(|some| shards.by_lower[shard].apply(some));
            left = &left[own..];
        }
    }

    /// Calls `visit` with keys of a window at a position and ids that each has, in order from either side, up to `max`
    /// ids in all: the ids of one key may come in several calls. Gives how many came. `visit` must not ask the index.
    pub fn visit(
        &self,
        at: LogPosition,
        window: &Window,
        (descending, max): (bool, usize),
        visit: &mut dyn FnMut(&[u8], &[u64]),
    ) -> Result<usize> {
        let within = self.shards_of(window);
        let mut left = max;
        let mut read = |shard: &Arc<RangeShard>| {
            if left != 0 {
                left -= shard.visit(at, window, (descending, left), visit)?;
            }
            Ok(())
        };
        if descending {
            within.iter().rev().try_for_each(&mut read)?;
        } else {
            within.iter().try_for_each(&mut read)?;
        }
        Ok(max - left)
    }

    /// How many entries a window has at the newest position, from counts of blocks.
    pub fn count(&self, window: &Window) -> Result<u64> {
        let counts = self.shards_of(window).into_iter().map(|shard| shard.count(window));
        counts.sum()
    }

    /// The shards that may have an entry of a window, by their keys.
    fn shards_of(&self, window: &Window) -> Vec<Arc<RangeShard>> {
        let shards = self.shards.read();
        let last = window.end.as_ref().map(|(key, _)| shards.of_key(key));
        let last = last.unwrap_or(shards.by_lower.len() - 1);
        let within = shards.by_lower.get(shards.of_key(&window.start.0)..=last);
        within.unwrap_or_default().to_vec()
    }

    /// Appends up to `max` candidates of a window at a position, in order from either side.
    pub fn candidates(
        &self,
        at: LogPosition,
        window: &Window,
        (descending, max): (bool, usize),
        found: &mut Vec<RangeEntry>,
    ) -> Result<()> {
        let mut add = |key: &[u8], ids: &[u64]| {
            found.extend(ids.iter().map(|id| (key.to_vec(), *id)));
        };
        self.visit(at, window, (descending, max), &mut add).map(drop)
    }

    /// All shards, by their keys.
    pub fn all(&self) -> Vec<Arc<RangeShard>> {
        self.shards.read().by_lower.clone()
    }

    /// Numbers for the parts of a shard beside the first, which keeps the shard's.
    pub fn new_numbers(&self, count: usize) -> Vec<u32> {
        let mut shards = self.shards.write();
        let first = shards.next_number;
        shards.next_number += u32::try_from(count).expect("a split has few parts");
        (first..shards.next_number).collect()
    }

    /// Puts bases in place that hold a shard's entries up to a checkpoint position: its own, or
    /// those of its parts, of which the first keeps its number.
    pub fn install(&self, mut parts: Vec<RangePart>, checkpoint: LogPosition) {
        let mut shards = self.shards.write();
        shards.raise(&parts);
        let Some(at) = shards.of_number(parts[0].number) else {
            return shards.insert(parts, checkpoint);
        };
        // An equal position counts: the parts are on disk, and memory must agree with the disk.
        if checkpoint < shards.by_lower[at].checkpoint() {
            return;
        }
        if parts.len() == 1 {
            let part = parts.pop().expect("there is one");
            return shards.by_lower[at].install(part, checkpoint);
        }
        let split = shards.by_lower[at].split(parts, checkpoint);
        shards.by_lower.splice(at..=at, split.into_iter().map(Arc::new));
    }

    /// Puts a shard in place as a file has it: the first of its files, before anything is applied, or a later one, once
    /// its changes were applied.
    pub fn put(&self, root: RangeRoot, is_first: bool) {
        let RangeRoot { part, positions: FilePositions { checkpoint, base }, changes } = root;
        let mut shards = self.shards.write();
        let (number, known) = (part.number, shards.of_number(part.number));
        if let Some(at) = known.filter(|at| shards.by_lower[*at].lower == part.lower) {
            if shards.by_lower[at].checkpoint() < base {
                shards.by_lower[at].install(part, base);
            }
        } else {
            shards.raise(std::slice::from_ref(&part));
            shards.insert(vec![part], base);
        }
        let own = shards.of_number(number).map(|at| &shards.by_lower[at]);
        if let Some((own, (changes, bytes))) = own.zip(changes) {
            match is_first {
                true => own.restore(checkpoint, &changes, bytes),
                // The log held all of it, and was replayed up to here.
                false => own.note_saved(checkpoint, bytes),
            }
        }
    }

    /// Notes that the changes of a shard up to a checkpoint position are in a durable delta layer of so many bytes.
    pub fn note_saved(&self, number: u32, checkpoint: LogPosition, bytes: u64) {
        let shards = self.shards.read();
        if let Some(at) = shards.of_number(number) {
            shards.by_lower[at].note_saved(checkpoint, bytes);
        }
    }

    /// What it takes now.
    pub fn usage(&self) -> Usage {
        self.shards.read().by_lower.iter().map(|shard| shard.usage()).sum()
    }

    /// Frees the spans that no reader at `oldest` or later needs.
    pub fn forget(&self, oldest: LogPosition) {
        self.shards.read().by_lower.iter().for_each(|shard| shard.forget(oldest));
    }
}

impl Shards {
    fn raise(&mut self, parts: &[RangePart]) {
        let next = parts.iter().map(|part| part.number + 1).max().unwrap_or(0);
        self.next_number = self.next_number.max(next);
    }

    fn insert(&mut self, parts: Vec<RangePart>, checkpoint: LogPosition) {
        for part in parts {
            let at = self.by_lower.partition_point(|shard| shard.lower < part.lower);
            self.by_lower.insert(at, Arc::new(RangeShard::new(part, checkpoint)));
        }
    }
}
