//! Transactions that have only read: their numbers, and the snapshots that they see.
//!
//! A client that reads and then writes does so under the number of its first read, so each read is remembered, and its
//! snapshot is kept. Neighbours share a snapshot as long as nothing is committed. Bounded in number and in time: what is
//! forgotten is aborted, and its client runs again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use millrace_db::Pinned;

use crate::limits::{DQL_READS_MAX, DQL_STALE_READ_MAX};

/// The transactions.
#[derive(Default)]
pub(super) struct Reads(Mutex<Table>);

#[derive(Default)]
struct Table {
    known: HashMap<u64, Read>,
    /// Numbers in the order of their last use, each with the time of it; one that was used again stands there twice.
    order: VecDeque<(u64, Instant)>,
    newest: Option<Pinned>,
}

struct Read {
    user: String,
    pinned: Pinned,
    used: Instant,
}

impl Reads {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The snapshot of a graph that other reads have, if it is still the newest.
    pub(super) fn shared(&self) -> Option<Pinned> {
        let newest = self.table().newest.clone();
        newest.filter(Pinned::is_newest)
    }

    /// Remembers a read.
    pub(super) fn note(&self, number: u64, user: &str, pinned: Pinned) {
        let used = Instant::now();
        let mut table = self.table();
        table.newest = Some(pinned.clone());
        table.order.push_back((number, used));
        table.known.insert(number, Read { user: user.to_owned(), pinned, used });
        // Dropped outside of the lock: with the last of its copies a snapshot gives versions back.
        let mut forgotten = Vec::new();
        while DQL_READS_MAX < table.order.len() {
            forgotten.extend(table.forget_first());
        }
        drop(table);
        drop(forgotten);
    }

    /// The snapshot that a user's transaction sees, and it counts as used.
    pub(super) fn find(&self, number: u64, user: &str) -> Option<Pinned> {
        let used = Instant::now();
        let mut table = self.table();
        let read = table.known.get_mut(&number).filter(|read| read.user == user)?;
        read.used = used;
        let pinned = read.pinned.clone();
        table.order.push_back((number, used));
        Some(pinned)
    }

    /// Takes a transaction that is going to write, or that ends.
    pub(super) fn take(&self, number: u64, user: &str) -> Option<Pinned> {
        let mut table = self.table();
        table.known.get(&number).filter(|read| read.user == user)?;
        table.known.remove(&number).map(|read| read.pinned)
    }

    /// Forgets those whose time is up.
    pub(super) fn expire(&self, idle: Duration) {
        let now = Instant::now();
        let mut forgotten = Vec::new();
        let mut table = self.table();
        while let Some((number, used)) = table.order.front().copied() {
            let age = now.saturating_duration_since(used);
            let known = table.known.get(&number).filter(|read| read.used == used);
            let is_stale =
                DQL_STALE_READ_MAX <= age && known.is_some_and(|own| !own.pinned.is_newest());
            if known.is_some() && age < idle && !is_stale {
                break;
            }
            forgotten.extend(table.forget_first());
        }
        if table.known.is_empty() {
            forgotten.extend(table.newest.take());
        }
        drop(table);
        drop(forgotten);
    }
}

impl Table {
    /// Forgets the one that was used first, unless it was used again.
    fn forget_first(&mut self) -> Option<Pinned> {
        let (number, used) = self.order.pop_front()?;
        let is_last = self.known.get(&number).is_some_and(|read| read.used == used);
        if is_last { self.known.remove(&number).map(|read| read.pinned) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use millrace_db::{Database, Settings};

    use super::*;

    #[test]
    fn a_read_is_its_users_until_it_is_taken_or_its_time_is_up() {
        let database = Database::in_memory(Settings::default()).unwrap();
        let graph = database.ensure_graph("dql").unwrap();
        let reads = Reads::default();
        assert!(reads.shared().is_none());
        for number in 1..=3 {
            reads.note(number, "ann", graph.pin().unwrap());
        }
        assert!(reads.shared().is_some_and(|pinned| pinned.is_newest()));
        assert!(reads.find(1, "bob").is_none() && reads.take(1, "bob").is_none());
        assert!(reads.find(1, "ann").is_some() && reads.take(2, "ann").is_some());
        assert!(reads.take(2, "ann").is_none());
        reads.expire(Duration::from_secs(60));
        assert!(reads.find(3, "ann").is_some());
        reads.expire(Duration::ZERO);
        assert!(reads.find(1, "ann").is_none() && reads.find(3, "ann").is_none());
        assert!(reads.shared().is_none(), "no snapshot is kept");
    }

    #[test]
    fn the_oldest_are_forgotten_where_there_are_too_many() {
        let database = Database::in_memory(Settings::default()).unwrap();
        let graph = database.ensure_graph("dql").unwrap();
        let (reads, pinned) = (Reads::default(), graph.pin().unwrap());
        let most = DQL_READS_MAX as u64;
        for number in 1..=most {
            reads.note(number, "", pinned.clone());
        }
        assert!(reads.find(1, "").is_some(), "it is the newest now");
        reads.note(most + 1, "", pinned);
        assert!(reads.find(1, "").is_some() && reads.find(2, "").is_none());
        assert!(reads.find(most + 1, "").is_some());
    }
}
