//! Random histories of an ordered shard against a naive set of entries, at every pinned snapshot.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::LogPosition;

use super::{Applied, RangePart, RangeShard, Window};
use crate::base::random::SimNumbers;
use crate::persistent::image::Section;
use crate::persistent::segment::RangeEntry;

const SEEDS: u64 = 120;
const STEPS: usize = 60;

type EntrySet = BTreeSet<RangeEntry>;

/// How a history looks.
struct Size {
    keys: u64,
    ids: u64,
    /// Changes of a commit.
    changes: u64,
}

const SIZES: [Size; 3] = [
    Size { keys: 3, ids: 6, changes: 2 },
    // So many ids of a key that they are in several chunks.
    Size { keys: 3, ids: 3_000, changes: 200 },
    Size { keys: 300, ids: 4, changes: 40 },
];

#[test]
fn a_reader_misses_no_entry_and_the_newest_gets_no_more() {
    for seed in 0..SEEDS {
        let run = std::panic::AssertUnwindSafe(|| run(seed));
        if let Err(panic) = std::panic::catch_unwind(run) {
            eprintln!("failed with seed {seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

fn run(seed: u64) {
    let mut random = SimNumbers::new(seed);
    let size = &SIZES[seed as usize % SIZES.len()];
    let mut shards = vec![RangeShard::empty(0, Vec::new())];
    let (mut now, mut pinned, mut at) = (EntrySet::new(), Vec::<(LogPosition, EntrySet)>::new(), 0);
    for _ in 0..STEPS {
        match random.below(9) {
            0..4 => {
                at += 1;
                let mut changes = Vec::new();
                for _ in 0..=random.below(size.changes) {
                    let key = format!("key {:03}", random.below(size.keys)).into_bytes();
                    let entry = (key, random.below(size.ids));
                    let added = !now.remove(&entry);
                    if added {
                        now.insert(entry.clone());
                    }
                    changes.push((added, entry));
                }
                let applied = changes.iter().map(|(added, (key, id))| Applied {
                    at: LogPosition(at),
                    added: *added,
                    key,
                    id: *id,
                });
                let mut applied: Vec<Applied<'_>> = applied.collect();
                applied.sort_by_key(|entry| entry.key);
                let shard_of =
                    |key: &[u8]| shards.partition_point(|shard| shard.lower.as_slice() <= key) - 1;
                for some in applied.chunk_by(|one, other| shard_of(one.key) == shard_of(other.key))
                {
                    shards[shard_of(some[0].key)].apply(some);
                }
            }
            4 => pinned.push((LogPosition(at), now.clone())),
            5 => {
                pinned.drain(..pinned.len().min(1));
                let oldest = pinned.first().map_or(LogPosition(at), |(oldest, _)| *oldest);
                shards.iter().for_each(|shard| shard.forget(oldest));
            }
            6 | 7 => {
                let newest = pinned.last().map_or(LogPosition(at), |(last, _)| *last);
                checkpoint(
                    &mut shards,
                    newest,
                    if random.below(2) == 0 { usize::MAX } else { 400 },
                );
            }
            _ => {
                let parts =
                    shards.iter().map(|shard| shard.bases_at(LogPosition(at), 300).unwrap());
                let entries = parts.flatten().flat_map(|(lower, base)| {
                    base.iter().inspect(|(key, _)| assert!(lower <= *key)).collect::<Vec<_>>()
                });
                assert!(entries.eq(now.iter().cloned()));
            }
        }
        for (pinned_at, entries) in &pinned {
            let found = found(&shards, *pinned_at, &Window::everything(), (false, usize::MAX));
            let found: EntrySet = found.into_iter().collect();
            assert!(entries.is_subset(&found), "a reader at {pinned_at} misses one");
        }
        compare(&shards, LogPosition(at), &now, &mut random);
        let entries: u64 = shards.iter().map(|shard| shard.usage().entries).sum();
        assert_eq!(entries, now.len() as u64);
        assert!(shards.iter().all(RangeShard::is_counted), "bytes are kept as the delta changes");
    }
}

/// The newest reader gets what is there, in order, of any window, from either side.
fn compare(shards: &[RangeShard], at: LogPosition, now: &EntrySet, random: &mut SimNumbers) {
    let all: Vec<RangeEntry> = now.iter().cloned().collect();
    assert_eq!(found(shards, at, &Window::everything(), (false, usize::MAX)), all);
    let mut bound = || match all.get(random.below(all.len() as u64 + 1) as usize) {
        Some((key, id)) => (key.clone(), id + random.below(2)),
        None => (b"key".to_vec(), 0),
    };
    let (start, end) = (bound(), bound());
    let inside = all.iter().filter(|entry| start <= **entry && **entry < end).cloned();
    let inside: Vec<RangeEntry> = inside.collect();
    let window = Window { start, end: Some(end) };
    let count: u64 = shards.iter().map(|shard| shard.count(&window).unwrap()).sum();
    assert_eq!(count, inside.len() as u64);
    let max = random.below(inside.len() as u64 + 2) as usize;
    let forwards: Vec<RangeEntry> = inside.iter().take(max).cloned().collect();
    assert_eq!(found(shards, at, &window, (false, max)), forwards);
    let backwards: Vec<RangeEntry> = inside.iter().rev().take(max).cloned().collect();
    assert_eq!(found(shards, at, &window, (true, max)), backwards);
}

fn found(
    shards: &[RangeShard],
    at: LogPosition,
    window: &Window,
    (descending, max): (bool, usize),
) -> Vec<RangeEntry> {
    let mut found = Vec::new();
    let mut read = |shard: &RangeShard| {
        let left = max - found.len();
        shard.candidates(at, window, (descending, left), &mut found).unwrap();
    };
    match descending {
        true => shards.iter().rev().for_each(&mut read),
        false => shards.iter().for_each(&mut read),
    }
    found
}

/// New bases for all shards, which are split where they are large.
fn checkpoint(shards: &mut Vec<RangeShard>, at: LogPosition, bytes_max: usize) {
    let old = std::mem::take(shards);
    for shard in old {
        if at < shard.checkpoint() {
            shards.push(shard);
            continue;
        }
        let bases = shard.bases_at(at, bytes_max).unwrap();
        let parts = bases.into_iter().map(|(lower, base)| RangePart {
            number: 0,
            lower,
            entries: base.len() as u64,
            base: Arc::new(Section::of(base)),
        });
        let mut parts: Vec<RangePart> = parts.collect();
        if parts.len() == 1 {
            shard.install(parts.remove(0), at);
            shards.push(shard);
        } else {
            shards.extend(shard.split(parts, at));
        }
    }
}
