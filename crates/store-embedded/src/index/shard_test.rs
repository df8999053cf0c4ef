//! Random histories of a shard against a naive list of entries, at every pinned snapshot.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::{IndexId, LogPosition};

use super::{
    Applied, DeltaBytes, INDEX_SHARDS, IndexBase, IndexEntry, IndexShard, RangePart, RangeShard,
    Window, shard_of,
};
use crate::base::error::Error;
use crate::persistent::image::Section;

const SEEDS: u64 = 200;
const STEPS: usize = 60;

type Entries = BTreeSet<IndexEntry>;

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
    let mut word = seed;
    let mut below = move |bound: u64| {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (word >> 33) % bound
    };
    let shard = IndexShard::new(Arc::new(IndexBase::default()));
    let (mut now, mut pinned, mut at) = (Entries::new(), Vec::<(LogPosition, Entries)>::new(), 0);
    for _ in 0..STEPS {
        match below(8) {
            0..4 => {
                at += 1;
                let mut entry =
                    || IndexEntry { index: IndexId(below(2) as u32), hash: below(4), id: below(6) };
                let (first, second) = (entry(), entry());
                let removed: Vec<_> = now.take(&first).into_iter().collect();
                let added: Vec<_> = now.insert(second).then_some(second).into_iter().collect();
                shard.apply(&[(LogPosition(at), &removed, &added)]);
            }
            4 => pinned.push((LogPosition(at), now.clone())),
            5 => {
                pinned.drain(..pinned.len().min(1));
                shard.forget(pinned.first().map_or(LogPosition(at), |(oldest, _)| *oldest));
            }
            6 => {
                let checkpoint = pinned
                    .last()
                    .map_or(LogPosition(at), |(last, _)| *last)
                    .max(shard.checkpoint());
                shard.install_base(Arc::new(shard.base_at(checkpoint, |_| true).unwrap()));
                let again: &[IndexEntry] = &[IndexEntry { index: IndexId(0), hash: 0, id: 99 }];
                shard.apply(&[(checkpoint, &[], again)]);
            }
            _ => {
                let base = shard.base_at(LogPosition(at), |index| index == IndexId(1)).unwrap();
                let lives = now.iter().filter(|entry| entry.index == IndexId(1)).copied();
                assert_eq!(base.entries, lives.collect::<Vec<_>>());
            }
        }
        for (pinned_at, entries) in &pinned {
            assert!(
                entries.is_subset(&found(&shard, *pinned_at)),
                "a reader at {pinned_at} misses one"
            );
        }
        assert_eq!(found(&shard, LogPosition(at)), now);
        assert_eq!(shard.usage().entries, now.len() as u64);
        assert!(shard.is_counted(), "the bytes are kept as the delta changes");
    }
    shard.end_readers();
    let checkpoint = shard.checkpoint();
    let ended = pinned.iter().filter(|(at, _)| *at < checkpoint);
    for (at, _) in ended {
        let refused = shard.seek(*at, IndexId(0), [(0, 0)], |_, _| {}).unwrap_err();
        assert!(matches!(refused, Error::SnapshotTooOld { .. }), "nothing is missed in silence");
    }
    assert_eq!(found(&shard, LogPosition(at)), now);
    let fresh = shard.delta_bytes().fresh;
    assert!(fresh <= shard.delta_bytes().all && shard.is_counted());
}

#[test]
fn what_a_range_shard_holds_is_counted_as_it_changes_and_its_readers_can_be_ended() {
    let shard = RangeShard::empty(0, Vec::new());
    let entry = |number: u8| (vec![number; 100], u64::from(number));
    let apply = |at, added, (key, id): (Vec<u8>, u64)| {
        shard.apply(&[Applied { at, added, key: &key, id }]);
    };
    (1..=50).for_each(|at| apply(LogPosition(at), true, entry(at as u8)));
    let all = shard.delta_bytes();
    assert!(all.all == all.fresh && 50 * 100 < all.all, "{all:?}");
    (51..=90).for_each(|at| apply(LogPosition(at), false, entry(at as u8 - 50)));
    shard.forget(LogPosition(10));
    let (_, base) = shard.bases_at(LogPosition(90), usize::MAX).unwrap().remove(0);
    let entries = base.len() as u64;
    let base = Arc::new(Section::of(base));
    shard.install(RangePart { number: 0, lower: Vec::new(), base, entries }, LogPosition(90));
    let kept = shard.delta_bytes();
    assert!(
        kept.fresh == 0 && 30 * 100 < kept.all,
        "what readers see is no checkpoint's: {kept:?}"
    );
    assert!(shard.is_counted());
    apply(LogPosition(91), true, entry(99));
    let more = shard.delta_bytes();
    assert_eq!(more.fresh, more.all - kept.all);
    let window = Window { start: (Vec::new(), 0), end: None };
    let mut found = Vec::new();
    shard.candidates(LogPosition(20), &window, (false, usize::MAX), &mut found).unwrap();
    assert!((1..=20).all(|number| found.contains(&entry(number))), "{found:?}");
    shard.end_readers();
    assert_eq!(shard.delta_bytes(), DeltaBytes { all: more.fresh, fresh: more.fresh });
    let refused = shard.candidates(LogPosition(20), &window, (false, usize::MAX), &mut found);
    assert!(matches!(refused, Err(Error::SnapshotTooOld { .. })));
    found.clear();
    shard.candidates(LogPosition(91), &window, (false, usize::MAX), &mut found).unwrap();
    assert_eq!(found.len(), 11);
    // The delta has this one alone; a reader at 91 finds it still.
    apply(LogPosition(92), false, entry(99));
    shard.forget(LogPosition(91));
    assert!(more.fresh <= shard.delta_bytes().all && shard.is_counted());
    shard.forget(LogPosition(92));
    assert_eq!(shard.delta_bytes().all, 0);
}

#[test]
fn what_came_and_went_is_forgotten_when_no_reader_is_before_its_end() {
    let shard = IndexShard::new(Arc::new(IndexBase::default()));
    let [first, second] = [1, 2].map(|id| IndexEntry { index: IndexId(0), hash: 0, id });
    shard.apply(&[(LogPosition(1), &[], &[first]), (LogPosition(2), &[first], &[second])]);
    let both = shard.delta_bytes().all;
    shard.forget(LogPosition(1));
    assert_eq!(found(&shard, LogPosition(1)), Entries::from([first]));
    shard.forget(LogPosition(2));
    assert_eq!(found(&shard, LogPosition(1)), Entries::new(), "it was freed");
    assert_eq!(found(&shard, LogPosition(2)), Entries::from([second]));
    shard.apply(&[(LogPosition(3), &[second], &[])]);
    shard.forget(LogPosition(3));
    assert_eq!(shard.delta_bytes().all, 0, "of {both} bytes");
}

fn found(shard: &IndexShard, at: LogPosition) -> Entries {
    let mut entries = Entries::new();
    for index in [IndexId(0), IndexId(1)] {
        let hashes = (0..4).map(|hash| (hash as u32, hash));
        shard
            .seek(at, index, hashes, |row, id| {
                let entry = IndexEntry { index, hash: u64::from(row), id };
                assert!(entries.last().is_none_or(|last| *last < entry), "rows, then ids, ascend");
                entries.insert(entry);
            })
            .unwrap();
    }
    entries
}

#[test]
fn shards_are_ranges_of_the_hash() {
    let hashes = (0..1_000).map(|at: u64| at * (u64::MAX / 999));
    let shards: Vec<usize> = hashes.map(shard_of).collect();
    assert!(shards.is_sorted());
    assert_eq!((shards[0], shards[999]), (0, INDEX_SHARDS - 1));
}
