//! Vertex ids: one cursor a graph, blocks leased by a record of the log, the next one ahead of need.
//!
//! ```text
//!        next           end                 asked for
//!   ──────┼══════════════┼───────────────────────┼──────> ids
//!   given │    leased,   │ record on its way,    │
//!         │    durable   │ not used before it is │
//! ```
//!
//! What is left of a block at a crash is lost, never given again. What a reader would get wrong:
//! a lease counts once its record is *durable*, on an `async` folder too.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use millrace_model::{Error, ErrorKind, Result};
use parking_lot::Mutex;

use crate::commit::limits::VERTICES_MAX;

/// The cursor of a graph.
pub(crate) struct Leases {
    cursor: Mutex<Cursor>,
    /// The cursor's `next`, for those who only ask: raised under the lock, before an id is given.
    bound: AtomicU64,
}

#[derive(Clone, Copy, Debug)]
struct Cursor {
    next: u64,
    end: u64,
    /// A record that is on its way: its position, and the end it brings.
    asked: Option<(u64, u64)>,
}

/// What a request for ids comes to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lease {
    /// The ids. With `renew`, the next block should be asked for now, up to this end.
    Granted { ids: Range<u64>, renew: Option<u64> },
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
        let cursor = Mutex::new(Cursor { next, end: next, asked: None });
        Self { cursor, bound: AtomicU64::new(next) }
    }

    /// Takes `count` ids, if the block has them; `durable` is how far the log is on disk.
    pub(crate) fn take(&self, count: u64, size: BlockSize, durable: u64) -> Result<Lease> {
        let mut cursor = self.cursor.lock();
        if let Some((position, end)) = cursor.asked
            && position <= durable
        {
            cursor.end = cursor.end.max(end);
            cursor.asked = None;
        }
        let wanted = cursor.next.checked_add(count).filter(|end| *end <= VERTICES_MAX);
        let wanted = wanted.ok_or_else(|| used_up(cursor.next, count))?;
        if cursor.end < wanted {
            return Ok(match cursor.asked {
                Some((position, end)) if wanted <= end => Lease::Wait(position),
                _ => Lease::Ask(block_end(wanted, size)),
            });
        }
        let ids = cursor.next..wanted;
        cursor.next = wanted;
        self.bound.store(wanted, Ordering::Release);
        let due = (cursor.end - cursor.next) * 100 <= size.ids * size.renew_percent;
        let room = cursor.end < VERTICES_MAX;
        let renew =
            (due && room && cursor.asked.is_none()).then(|| block_end(cursor.end + 1, size));
        Ok(Lease::Granted { ids, renew })
    }

    /// Notes that a record which leases up to `end` is on its way.
    pub(crate) fn asked(&self, position: u64, end: u64) {
        let mut cursor = self.cursor.lock();
        if cursor.asked.is_none_or(|(_, known)| known < end) {
            cursor.asked = Some((position, end));
        }
    }

    /// Learns from the log that ids below `end` were leased by an earlier process.
    pub(crate) fn recover(&self, end: u64) {
        let mut cursor = self.cursor.lock();
        cursor.next = cursor.next.max(end);
        cursor.end = cursor.end.max(cursor.next);
        self.bound.store(cursor.next, Ordering::Release);
    }

    /// All ids given so far are below this.
    pub(crate) fn bound(&self) -> u64 {
        self.bound.load(Ordering::Acquire)
    }

    /// All ids that any record leased are below this.
    pub(crate) fn leased_end(&self) -> u64 {
        let cursor = self.cursor.lock();
        cursor.asked.map_or(cursor.end, |(_, end)| end.max(cursor.end))
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

    #[test]
    fn ids_are_used_once_their_record_is_durable_and_the_next_block_is_asked_for_ahead() {
        let leases = Leases::behind(0);
        assert_eq!(leases.take(10, SIZE, 0).unwrap(), Lease::Ask(100));
        leases.asked(7, 100);
        assert_eq!(leases.take(10, SIZE, 6).unwrap(), Lease::Wait(7));
        let granted = Lease::Granted { ids: 1..11, renew: None };
        assert_eq!(leases.take(10, SIZE, 7).unwrap(), granted);
        let granted = Lease::Granted { ids: 11..71, renew: Some(200) };
        assert_eq!(leases.take(60, SIZE, 7).unwrap(), granted);
        leases.asked(9, 200);
        assert_eq!(leases.leased_end(), 200);
        assert_eq!(leases.take(60, SIZE, 8).unwrap(), Lease::Wait(9));
        let granted = Lease::Granted { ids: 71..131, renew: None };
        assert_eq!(leases.take(60, SIZE, 9).unwrap(), granted);
    }

    #[test]
    fn what_was_leased_before_a_restart_is_never_given_again() {
        let leases = Leases::behind(100);
        leases.recover(300);
        leases.recover(200);
        assert_eq!(leases.take(1, SIZE, 0).unwrap(), Lease::Ask(400));
        leases.asked(1, 400);
        assert!(
            matches!(leases.take(1, SIZE, 1).unwrap(), Lease::Granted { ids, .. } if ids == (300..301))
        );
    }

    #[test]
    fn beyond_two_to_the_32_creation_is_refused_clearly() {
        let error = Leases::behind(VERTICES_MAX - 5).take(6, SIZE, 0).unwrap_err();
        assert_eq!(error.kind, ErrorKind::LimitReached);
        assert!(error.detail.contains("2^32"), "{error}");
    }
}
