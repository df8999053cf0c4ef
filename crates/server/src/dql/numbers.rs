//! The numbers of transactions: below 2^53, as clients in JavaScript read them, and rising, also over restarts.
//!
//! They are taken in leases, each noted in the graph, so that what a client carries over a restart is older than every
//! number since. A lease begins at the time in microseconds where that is later: where the note cannot be written, the
//! clock alone decides.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use millrace_db::{Database, Graph};
use millrace_model::{Error, ErrorKind, Result};
use tokio::sync::Mutex;

use crate::limits::DQL_NUMBERS_LEASED;

/// The note of a graph that says up to where numbers were leased.
const NOTE: &str = "dql/numbers";

/// No number is larger.
const NUMBER_MAX: u64 = (1 << 53) - 1;

/// The next number, and the end of the lease.
#[derive(Default)]
pub(super) struct Numbers {
    next: AtomicU64,
    end: AtomicU64,
    /// One lease at a time.
    pub(super) leasing: Mutex<()>,
}

impl Numbers {
    /// The next number; none where the lease is used up.
    pub(super) fn take(&self) -> Option<u64> {
        self.take_many(1)
    }

    /// The first of so many numbers that follow one another.
    pub(super) fn take_many(&self, count: u64) -> Option<u64> {
        let end = self.end.load(Ordering::Acquire);
        let after = |next: u64| next.checked_add(count).filter(|after| *after <= end);
        self.next.fetch_update(Ordering::AcqRel, Ordering::Acquire, after).ok()
    }

    /// The newest number that was given.
    pub(super) fn newest(&self) -> u64 {
        self.next.load(Ordering::Acquire).saturating_sub(1)
    }

    /// Leases numbers behind all that were leased before, enough for so many. It blocks.
    pub(super) fn lease(
        &self,
        database: &Database,
        graph: Option<&Arc<Graph>>,
        count: u64,
    ) -> Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = u64::try_from(now.as_micros()).unwrap_or(u64::MAX);
        let least = now.max(self.next.load(Ordering::Acquire));
        let room = DQL_NUMBERS_LEASED.max(count);
        let noted = graph.map(|graph| note_lease(database, graph, (least, room)));
        let from = match noted {
            Some(Ok(from)) => from,
            // Reads go on where nothing can be written.
            Some(Err(error)) if error.kind == ErrorKind::ReadOnly => least,
            Some(Err(error)) => return Err(error),
            None => least,
        };
        let end = from.saturating_add(room);
        if NUMBER_MAX < end {
            let detail = format!("the numbers of transactions are used up at {from}");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        // No number is taken in between: those before are used up, and the end is raised last.
        self.next.store(from, Ordering::Release);
        self.end.store(end, Ordering::Release);
        Ok(())
    }
}

/// Notes a lease of so many numbers from the least on, or from where the one before ended.
fn note_lease(database: &Database, graph: &Arc<Graph>, (least, room): (u64, u64)) -> Result<u64> {
    let limits = database.request_limits();
    let (from, ticket) = database.compose(graph, &limits, |transaction| {
        let noted = transaction.note(NOTE)?;
        let noted = noted.and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        let from = least.max(noted);
        let end = Arc::from(from.saturating_add(room).to_string());
        transaction.set_notes(&[(Arc::from(NOTE), Some(end))])?;
        Ok(from)
    })?;
    ticket.map_or(Ok(()), |ticket| ticket.wait().map(drop))?;
    Ok(from)
}

#[cfg(test)]
mod tests {
    use millrace_db::Settings;

    use super::*;

    #[test]
    fn numbers_rise_over_leases_and_restarts_and_stay_below_two_to_the_53() {
        let folder = tempfile::tempdir().unwrap();
        let mut last = 0;
        for _ in 0..3 {
            let database = Database::open(folder.path(), Settings::default()).unwrap();
            let graph = database.ensure_graph("dql").unwrap();
            let numbers = Numbers::default();
            assert_eq!(numbers.take(), None, "nothing is leased");
            for _ in 0..2 {
                numbers.lease(&database, Some(&graph), 1).unwrap();
                let first = numbers.take().unwrap();
                assert!(last < first && first < 1 << 53, "{last} {first}");
                assert_eq!(numbers.take_many(10), Some(first + 1));
                last = numbers.take().unwrap();
                assert_eq!((last, numbers.newest()), (first + 11, last));
                assert_eq!(numbers.take_many(DQL_NUMBERS_LEASED), None, "so many are not there");
            }
            drop(graph);
            database.close();
        }
        let noted = 2 * DQL_NUMBERS_LEASED;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as u64;
        assert!(now + noted < last + DQL_NUMBERS_LEASED, "the notes count, not the clock alone");
    }
}
