//! Random histories of an ordered shard against a naive set of entries, at every pinned snapshot.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use millrace_model::{GraphId, IndexId, LogPosition};

use super::{Applied, RangePart, RangeShard, Window};
use crate::base::random::SimNumbers;
use crate::folder::Folder;
use crate::io::sim::SimDisk;
use crate::persistent::image::Section;
use crate::persistent::segment::{
    FilePositions, RangeBase, RangeEntry, open_range, write_range_base, write_range_changes,
};

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

/// A shard with its base in a file.
fn stored(folder: &Folder, at: LogPosition, base: &RangeBase) -> RangePart {
    let (_, section) = write_range_base(folder, SUBJECT, at, (&[], base)).unwrap();
    RangePart { number: 0, lower: Vec::new(), entries: base.len() as u64, base: Arc::new(section) }
}

const SUBJECT: (GraphId, IndexId, u32) = (GraphId(1), IndexId(1), 0);

/// Changes entries at a position, in a set and in shards.
fn change(at: u64, random: &mut SimNumbers, now: &mut EntrySet, shards: &[&RangeShard]) {
    for _ in 0..random.below(40) {
        let entry = (format!("key {}", random.below(9)).into_bytes(), random.below(50));
        let added = !now.remove(&entry);
        let (key, id) = (entry.0.as_slice(), entry.1);
        let applied = [Applied { at: LogPosition(at), added, key, id }];
        shards.iter().for_each(|shard| shard.apply(&applied));
        if added {
            now.insert(entry);
        }
    }
}

#[test]
fn a_delta_layer_holds_what_changed_and_the_log_is_needed_from_behind_it() {
    let folder = Folder::open(Arc::new(SimDisk::new(1)), Path::new("/data")).unwrap();
    for seed in 0..40 {
        let (mut random, mut now) = (SimNumbers::new(seed), EntrySet::new());
        let shard = RangeShard::empty(0, Vec::new());
        change(1, &mut random, &mut now, &[&shard]);
        assert!(shard.layer_at(LogPosition(1), 1 << 40).unwrap().is_none(), "it has no base");
        let base = shard.bases_at(LogPosition(1), usize::MAX).unwrap().remove(0).1;
        shard.install(stored(&folder, LogPosition(1), &base), LogPosition(1));
        (2..6).for_each(|at| change(at, &mut random, &mut now, &[&shard]));
        let saved = now.clone();
        // What comes behind the checkpoint position is in no layer.
        change(6, &mut random, &mut now, &[&shard]);
        assert!(shard.layer_at(LogPosition(5), 0).unwrap().is_none(), "a merge costs less");
        let layer = shard.layer_at(LogPosition(5), 1 << 40).unwrap().unwrap();
        let positions = FilePositions { checkpoint: LogPosition(5), base: layer.base_position };
        let below = (&[][..], layer.entries, &layer.base);
        let (file, bytes) =
            write_range_changes(&folder, SUBJECT, positions, below, &layer.changes).unwrap();
        shard.note_saved(LogPosition(5), bytes);
        let is_dirty = now != saved || shard.dirty_from().is_some();
        assert_eq!(shard.dirty_from(), is_dirty.then_some(LogPosition(6)));
        let found_again = open_range(&folder, file.name, SUBJECT).unwrap();
        assert_eq!((found_again.positions, found_again.older.len()), (positions, 1));
        let (lower, entries) = (found_again.bounds.lower, found_again.bounds.entries.unwrap());
        let part = RangePart { number: 0, lower, entries, base: Arc::new(found_again.base) };
        let again = RangeShard::new(part, LogPosition(1));
        let (changes, bytes) = found_again.changes.unwrap();
        again.restore(LogPosition(5), &changes, bytes);
        assert_eq!(again.dirty_from(), None);
        compare(std::slice::from_ref(&again), LogPosition(5), &saved, &mut random);
        // The log brings what the layer has, and more.
        let more: Vec<(bool, RangeEntry)> = saved
            .symmetric_difference(&now)
            .map(|entry| (now.contains(entry), entry.clone()))
            .collect();
        for (added, (key, id)) in &more {
            for at in [4, 6] {
                again.apply(&[Applied { at: LogPosition(at), added: *added, key, id: *id }]);
            }
        }
        let shards = [again, shard];
        for shard in &shards {
            compare(std::slice::from_ref(shard), LogPosition(6), &now, &mut random);
            assert!(shard.is_counted());
            assert_eq!(shard.usage().entries, now.len() as u64);
        }
    }
}
