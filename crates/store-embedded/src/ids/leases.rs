//! Vertex ids: one cursor a graph, blocks leased by a record of the log, the next one ahead of
//! need.
//!
//! ```text
//!        next           end                 asked for              + 2^20
//!   ──────┼══════════════┼───────────────────────┼────────────────────┼──────> ids
//!   given │    leased,   │ record on its way,    │ may be chosen, too: │
//!         │    durable   │ not used before it is │ that leases more    │
//! ```
//!
//! A chosen id near the leased ones is its own internal id. One ahead of the cursor has its bit
//! set, and the cursor passes it over; one behind it was given before, and whether it is free is
//! judged like any other conflict, by the commits that create it. Any other chosen id is an
//! *external id*: its vertex lies under an internal id the cursor gives, and the cursor passes over
//! the internal id that has the id for its number. It is noted here until the index of external ids
//! knows it, and as long as it is noted it is an external id again, wherever the cursor is. The
//! rest of a block at a crash is lost, never given again; an orderly close gives it back (the
//! manifest it writes says up to where ids were given, not up to where they were leased). A lease
//! counts once its record is *durable*, on an `async` folder too.

use std::collections::BTreeSet;
use std::ops::Range;

use millrace_model::{Bits, Error, ErrorKind, Result};
use millrace_store::limits::CHOSEN_AHEAD;

use crate::base::commit_limits::{EXTERNAL_IDS_NOTED_MAX, ID_BLOCK_SIZE, VERTICES_MAX};
use crate::ids::ChosenIds;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU64, Ordering};

/// The cursor of a graph.
pub(crate) struct Leases {
    cursor: Mutex<Cursor>,
    /// All ids given or chosen are below: for callers that only read it. Raised under the lock,
    /// before an id is given.
    bound: AtomicU64,
    waits: AtomicU64,
    blocks: AtomicU64,
}

struct Cursor {
    next: u64,
    end: u64,
    /// A record that is on its way: its position, and the end it brings.
    asked: Option<(u64, u64)>,
    chosen: ChosenIds,
    /// Chosen ids that could be the number of an internal id, and are none.
    external: BTreeSet<u64>,
    /// Blocks asked for at once: more of them after a caller had to wait.
    blocks_at_once: u64,
    /// Whether ids were given by this process.
    has_given: bool,
}

/// The outcome of a request for ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lease {
    /// The ids. With `renew`, the next block should be asked for now, up to this end.
    Granted { ids: Vec<Range<u64>>, renew: Option<u64> },
    /// A record that brings them is on its way at this position.
    Wait(u64),
    /// A record must be made that leases up to this end.
    Ask(u64),
}

/// How blocks are sized.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockSize {
    pub(crate) ids: u64,
    pub(crate) renew_percent: u64,
}

impl Leases {
    /// Ids below `end` were leased before; none of them is given. Id 0 never is.
    pub(crate) fn behind(end: u64) -> Self {
        let next = end.max(1);
        let cursor = Cursor {
            next,
            end: next,
            asked: None,
            chosen: ChosenIds::default(),
            external: BTreeSet::new(),
            blocks_at_once: 1,
            has_given: false,
        };
        Self {
            cursor: Mutex::new(cursor),
            bound: AtomicU64::new(next),
            waits: AtomicU64::new(0),
            blocks: AtomicU64::new(0),
        }
    }

    /// Takes `count` ids, if the block has them; `durable` is how far the log is on disk.
    pub(crate) fn take(&self, count: u64, size: BlockSize, durable: u64) -> Result<Lease> {
        let mut cursor = self.cursor.lock();
        cursor.learn(durable);
        let ids = cursor.free(count)?;
        let wanted = ids.last().map_or(cursor.next, |range| range.end);
        if cursor.end < wanted {
            return Ok(cursor.missing(wanted, size));
        }
        cursor.next = wanted;
        self.bound.fetch_max(wanted, Ordering::AcqRel);
        cursor.chosen.forget_below(wanted);
        cursor.has_given = true;
        let block = size.ids.saturating_mul(cursor.blocks_at_once);
        let due = (cursor.end - cursor.next) * 100 <= block.saturating_mul(size.renew_percent);
        let room = cursor.end < VERTICES_MAX;
        let renew = (due && room && cursor.asked.is_none())
            .then(|| block_end(cursor.end + 1, cursor.blocks(size)));
        Ok(Lease::Granted { ids, renew })
    }

    /// Takes ids that a client chose, ascending, and returns which of them are external ids: those
    /// with a `taken` internal id, those that were before, and those far from the leased ones. From
    /// now on the cursor passes over all of them, and an external id stays one.
    pub(crate) fn choose(
        &self,
        ids: &[u64],
        taken: &Bits,
        size: BlockSize,
        durable: u64,
    ) -> (Bits, Lease) {
        let mut cursor = self.cursor.lock();
        cursor.learn(durable);
        let mut reach = cursor.asked.map_or(cursor.end, |(_, end)| end.max(cursor.end));
        let (mut external, mut last) = (Bits::unset(ids.len()), None);
        for (row, id) in ids.iter().enumerate() {
            let is_far = reach.saturating_add(CHOSEN_AHEAD) <= *id || VERTICES_MAX <= *id;
            if is_far || taken.get(row) || cursor.external.contains(id) {
                external.insert(row);
                if *id < VERTICES_MAX {
                    cursor.external.insert(*id);
                }
            } else {
                reach = reach.max(block_end(id + 1, size));
                last = Some(*id);
            }
        }
        let granted = Lease::Granted { ids: Vec::new(), renew: None };
        let Some(last) = last else { return (external, granted) };
        if cursor.end <= last {
            return (external, cursor.missing(last + 1, size));
        }
        let next = cursor.next;
        let internal_ids =
            ids.iter().enumerate().filter(|(row, id)| next <= **id && !external.get(*row));
        internal_ids.for_each(|(_, id)| cursor.chosen.insert(*id));
        self.bound.fetch_max(last + 1, Ordering::AcqRel);
        (external, granted)
    }

    /// The external ids noted here, if they are too many with `more` of them.
    pub(crate) fn too_many_external(&self, more: usize) -> Option<Vec<u64>> {
        let cursor = self.cursor.lock();
        let is_full = EXTERNAL_IDS_NOTED_MAX < cursor.external.len() + more;
        is_full.then(|| cursor.external.iter().copied().collect())
    }

    /// Forgets external ids that the index knows. Refused, if the remaining ones with `more` are
    /// too many.
    pub(crate) fn forget_external(&self, known: &[u64], more: usize) -> Result<()> {
        let mut cursor = self.cursor.lock();
        known.iter().for_each(|id| {
            cursor.external.remove(id);
        });
        let left = cursor.external.len();
        if left + more <= EXTERNAL_IDS_NOTED_MAX {
            return Ok(());
        }
        let detail = format!(
            "{left} vertex ids were chosen and not committed, and {more} more are too many: \
             {EXTERNAL_IDS_NOTED_MAX} are remembered"
        );
        Err(Error::new(ErrorKind::LimitReached, detail).with_help(
            "commit in between; ids of rolled-back transactions are forgotten at a restart",
        ))
    }

    /// Notes that a record which leases up to `end` is on its way.
    pub(crate) fn asked(&self, position: u64, end: u64) {
        let mut cursor = self.cursor.lock();
        if cursor.end < end && cursor.asked.is_none_or(|(_, known)| known < end) {
            cursor.asked = Some((position, end));
            self.blocks.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A caller had to wait for a record. Later ones should not.
    pub(crate) fn note_wait(&self, size: BlockSize) {
        let mut cursor = self.cursor.lock();
        // The first of all has nothing that could have been asked for ahead.
        if cursor.has_given {
            self.waits.fetch_add(1, Ordering::Relaxed);
            let most = (ID_BLOCK_SIZE / size.ids).max(1);
            cursor.blocks_at_once = (cursor.blocks_at_once * 2).min(most);
        }
    }

    /// How often a caller had to wait though ids were given before.
    pub(crate) fn waits(&self) -> u64 {
        self.waits.load(Ordering::Relaxed)
    }

    /// How many blocks were asked for.
    pub(crate) fn blocks(&self) -> u64 {
        self.blocks.load(Ordering::Relaxed)
    }

    /// Gives back the ids that were not given, so that the next process goes on there; says whether
    /// there are any. From now on no id is given without a new record.
    pub(crate) fn give_back(&self) -> bool {
        let mut cursor = self.cursor.lock();
        let given = self.bound();
        let end = cursor.asked.take().map_or(cursor.end, |(_, end)| end.max(cursor.end));
        (cursor.next, cursor.end) = (given, given);
        given < end
    }

    /// Learns from the log that ids below `end` were leased by an earlier process.
    pub(crate) fn recover(&self, end: u64) {
        let mut cursor = self.cursor.lock();
        cursor.next = cursor.next.max(end);
        cursor.end = cursor.end.max(cursor.next);
        self.bound.fetch_max(cursor.next, Ordering::AcqRel);
    }

    /// All ids given or chosen so far are below this.
    pub(crate) fn bound(&self) -> u64 {
        self.bound.load(Ordering::Acquire)
    }

    /// All ids that any record leased are below this.
    pub(crate) fn leased_end(&self) -> u64 {
        let cursor = self.cursor.lock();
        cursor.asked.map_or(cursor.end, |(_, end)| end.max(cursor.end))
    }
}

impl Cursor {
    /// The log is on disk so far.
    fn learn(&mut self, durable: u64) {
        if let Some((position, end)) = self.asked
            && position <= durable
        {
            self.end = self.end.max(end);
            self.asked = None;
        }
    }

    /// The next ids that no client chose.
    fn free(&self, count: u64) -> Result<Vec<Range<u64>>> {
        let mut ids: Vec<Range<u64>> = Vec::with_capacity(1);
        let (mut from, mut left) = (self.next, count);
        while 0 < left {
            let run = self.chosen.free_run(from, left);
            let external = self.external.range(run.clone()).next().copied();
            let run = run.start..external.unwrap_or(run.end);
            if VERTICES_MAX < run.end {
                return Err(used_up(self.next, count));
            }
            left -= run.end - run.start;
            from = external.map_or(run.end, |external| external + 1);
            if !run.is_empty() {
                ids.push(run);
            }
        }
        Ok(ids)
    }

    /// Ids below `wanted` are not there yet.
    fn missing(&self, wanted: u64, size: BlockSize) -> Lease {
        match self.asked {
            Some((position, end)) if wanted <= end => Lease::Wait(position),
            _ => Lease::Ask(block_end(wanted, self.blocks(size))),
        }
    }

    /// The size of the request for the next ids.
    fn blocks(&self, size: BlockSize) -> BlockSize {
        BlockSize { ids: size.ids.saturating_mul(self.blocks_at_once), ..size }
    }
}

/// Where the block ends that holds the id before `wanted`: blocks lie one after the other.
fn block_end(wanted: u64, size: BlockSize) -> u64 {
    wanted.div_ceil(size.ids).saturating_mul(size.ids).min(VERTICES_MAX)
}

fn used_up(next: u64, count: u64) -> Error {
    let detail = format!(
        "the graph has given {next} of 2^32 vertex ids, and {count} more do not fit in this store"
    );
    Error::new(ErrorKind::LimitReached, detail).with_help("put the rest in another graph")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: BlockSize = BlockSize { ids: 100, renew_percent: 30 };

    fn granted(ids: Range<u64>, renew: Option<u64>) -> Lease {
        Lease::Granted { ids: vec![ids], renew }
    }

    /// Which of the ids are external ids, and the lease.
    fn choose(leases: &Leases, ids: &[u64], durable: u64) -> (Vec<u64>, Lease) {
        let (external, lease) = leases.choose(ids, &Bits::unset(ids.len()), SIZE, durable);
        (external.ones().map(|row| ids[row]).collect(), lease)
    }

    #[test]
    fn the_cursor_passes_chosen_ids_over_and_a_chosen_id_is_leased_like_any_other() {
        let leases = Leases::behind(0);
        let none = Vec::new();
        assert_eq!(choose(&leases, &[3, 4, 150], 0), (none.clone(), Lease::Ask(200)));
        leases.asked(5, 200);
        assert_eq!(choose(&leases, &[3, 4, 150], 4), (none.clone(), Lease::Wait(5)));
        let taken = (none, Lease::Granted { ids: Vec::new(), renew: None });
        assert_eq!(choose(&leases, &[3, 4, 150], 5), taken);
        assert_eq!(leases.bound(), 151);
        let ids = vec![1..3, 5..150, 151..154];
        let lease = leases.take(150, SIZE, 5).unwrap();
        assert_eq!(lease, Lease::Granted { ids, renew: None });
        assert_eq!(choose(&leases, &[7], 5), taken, "commits decide");
        let lease = leases.take(20, SIZE, 5).unwrap();
        assert_eq!(lease, granted(154..174, Some(300)));
    }

    #[test]
    fn an_id_far_from_all_others_is_an_external_id_and_stays_one_wherever_the_cursor_is() {
        let leases = Leases::behind(100);
        let far = 100 + CHOSEN_AHEAD;
        let free = Lease::Granted { ids: Vec::new(), renew: None };
        assert_eq!(choose(&leases, &[far, u64::MAX], 0), (vec![far, u64::MAX], free.clone()));
        assert_eq!(choose(&leases, &[far - 1], 0), (vec![], Lease::Ask(far.div_ceil(100) * 100)));
        let dense: Vec<u64> = (1..3 * CHOSEN_AHEAD).collect();
        assert_eq!(choose(&leases, &dense, 0).0, [far], "each is near the one before");
        leases.asked(1, 4 * CHOSEN_AHEAD);
        let Lease::Granted { ids, .. } = leases.take(2 * CHOSEN_AHEAD, SIZE, 1).unwrap() else {
            panic!("it is durable")
        };
        assert_eq!(ids, [100..far, far + 1..2 * CHOSEN_AHEAD + 101]);
        assert_eq!(choose(&leases, &[5, far], 1), (vec![far], free.clone()));
        let taken: Bits = [true, false].into_iter().collect();
        assert_eq!(leases.choose(&[5, 6], &taken, SIZE, 1).0.ones().collect::<Vec<_>>(), [0]);
        assert_eq!(choose(&leases, &[5, 6], 1), (vec![5], free.clone()));
        assert!(leases.too_many_external(10).is_none());
        let noted = leases.too_many_external(EXTERNAL_IDS_NOTED_MAX).unwrap();
        assert_eq!(noted, [5, far], "others are no internal id");
        let error = leases.forget_external(&noted[..1], EXTERNAL_IDS_NOTED_MAX).unwrap_err();
        assert_eq!(error.kind, ErrorKind::LimitReached);
        assert!(leases.forget_external(&noted[1..], EXTERNAL_IDS_NOTED_MAX).is_ok());
        assert_eq!(choose(&leases, &[5, far], 1), (vec![], free), "the index knows them");
    }

    #[test]
    fn after_a_wait_more_is_asked_for_at_once() {
        let leases = Leases::behind(0);
        leases.note_wait(SIZE);
        assert_eq!(leases.waits(), 0, "the first of all could not be helped");
        assert_eq!(leases.take(90, SIZE, 0).unwrap(), Lease::Ask(100));
        leases.asked(1, 100);
        assert_eq!(leases.take(90, SIZE, 1).unwrap(), granted(1..91, Some(200)));
        leases.asked(2, 200);
        assert_eq!(leases.take(90, SIZE, 1).unwrap(), Lease::Wait(2));
        leases.note_wait(SIZE);
        assert_eq!(leases.take(90, SIZE, 2).unwrap(), granted(91..181, Some(400)));
        assert_eq!((leases.waits(), leases.blocks()), (1, 2));
    }

    #[test]
    fn ids_are_used_once_their_record_is_durable_and_the_next_block_is_asked_for_ahead() {
        let leases = Leases::behind(0);
        assert_eq!(leases.take(10, SIZE, 0).unwrap(), Lease::Ask(100));
        leases.asked(7, 100);
        assert_eq!(leases.take(10, SIZE, 6).unwrap(), Lease::Wait(7));
        assert_eq!(leases.take(10, SIZE, 7).unwrap(), granted(1..11, None));
        assert_eq!(leases.take(60, SIZE, 7).unwrap(), granted(11..71, Some(200)));
        leases.asked(9, 200);
        assert_eq!(leases.leased_end(), 200);
        assert_eq!(leases.take(60, SIZE, 8).unwrap(), Lease::Wait(9));
        assert_eq!(leases.take(60, SIZE, 9).unwrap(), granted(71..131, None));
    }

    #[test]
    fn what_was_leased_before_a_restart_is_never_given_again() {
        let leases = Leases::behind(100);
        leases.recover(300);
        leases.recover(200);
        assert_eq!(leases.take(1, SIZE, 0).unwrap(), Lease::Ask(400));
        leases.asked(1, 400);
        assert!(
            matches!(leases.take(1, SIZE, 1).unwrap(), Lease::Granted { ids, .. } if ids[0] == (300..301))
        );
    }

    #[test]
    fn a_close_gives_back_what_was_neither_given_nor_chosen() {
        let leases = Leases::behind(0);
        leases.asked(1, 100);
        assert_eq!(leases.take(40, SIZE, 1).unwrap(), granted(1..41, None));
        assert_eq!(choose(&leases, &[60], 1).0, [0_u64; 0]);
        leases.asked(2, 200);
        assert!(leases.give_back());
        assert_eq!((leases.leased_end(), leases.bound()), (61, 61), "60 was chosen");
        assert!(!leases.give_back(), "there is nothing more");
        assert_eq!(leases.take(1, SIZE, 9).unwrap(), Lease::Ask(100), "a record must be made");
        let next = Leases::behind(leases.leased_end());
        next.asked(1, 100);
        assert_eq!(next.take(39, SIZE, 1).unwrap(), granted(61..100, Some(200)));
    }

    #[test]
    fn beyond_two_to_the_32_creation_is_refused_clearly() {
        let error = Leases::behind(VERTICES_MAX - 5).take(6, SIZE, 0).unwrap_err();
        assert_eq!(error.kind, ErrorKind::LimitReached);
        assert!(error.detail.contains("2^32"), "{error}");
    }
}
