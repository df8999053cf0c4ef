//! Transactions that have only read: their numbers, and the snapshots that they see.
//!
//! A client that reads and then writes does so under the number of its first read, so each read is remembered, and its
//! snapshot is kept. Neighbours share a snapshot as long as nothing is committed. Bounded in number, in time, and by the
//! memory budget: what is forgotten is aborted, and its client runs again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use millrace_db::Pinned;
use millrace_model::{MemoryBudget, Reservation};

use super::User;
use crate::limits::{
    DQL_READ_BYTES, DQL_READS_COUNTED_TOGETHER, DQL_READS_MAX, DQL_STALE_READ_MAX,
};

/// The transactions.
pub(super) struct Reads {
    table: Mutex<Table>,
    memory: MemoryBudget,
}

#[derive(Default)]
struct Table {
    known: HashMap<u64, Read>,
    /// Numbers in the order of their last use, each with the time of it; one that was used again stands there twice.
    order: VecDeque<(u64, Instant)>,
    /// That of a namespace.
    newest: Option<(u64, Pinned)>,
    /// What they have of the memory budget.
    reserved: Option<Reservation>,
}

struct Read {
    user: User,
    pinned: Pinned,
    used: Instant,
}

impl Reads {
    /// None yet, with a budget of which they take parts.
    pub(super) fn within(memory: &MemoryBudget) -> Reads {
        Reads { table: Mutex::default(), memory: memory.clone() }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The snapshot of a namespace that other reads have, if it is still the newest.
    pub(super) fn shared(&self, namespace: u64) -> Option<Pinned> {
        let (_, newest) = self.table().newest.clone().filter(|(own, _)| *own == namespace)?;
        Some(newest).filter(Pinned::is_newest)
    }

    /// Remembers a read.
    pub(super) fn note(&self, number: u64, user: &User, pinned: Pinned) {
        let used = Instant::now();
        let mut table = self.table();
        table.newest = Some((user.namespace, pinned.clone()));
        table.order.push_back((number, used));
        table.known.insert(number, Read { user: user.clone(), pinned, used });
        // Dropped outside of the lock: with the last of its copies a snapshot gives versions back.
        let mut forgotten = Vec::new();
        while DQL_READS_MAX < table.order.len() || !table.count(&self.memory) {
            forgotten.extend(table.forget_first());
        }
        drop(table);
        drop(forgotten);
    }

    /// The snapshot that a user's transaction sees, and it counts as used.
    pub(super) fn find(&self, number: u64, user: &User) -> Option<Pinned> {
        let used = Instant::now();
        let mut table = self.table();
        let read = table.known.get_mut(&number).filter(|read| read.user == *user)?;
        read.used = used;
        let pinned = read.pinned.clone();
        table.order.push_back((number, used));
        let mut forgotten = Vec::new();
        while DQL_READS_MAX < table.order.len() || !table.count(&self.memory) {
            forgotten.extend(table.forget_first());
        }
        drop(table);
        drop(forgotten);
        Some(pinned)
    }

    /// Takes a transaction that is going to write, or that ends.
    pub(super) fn take(&self, number: u64, user: &User) -> Option<Pinned> {
        let mut table = self.table();
        table.known.get(&number).filter(|read| read.user == *user)?;
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
            forgotten.extend(table.newest.take().map(|(_, pinned)| pinned));
        }
        table.count(&self.memory);
        drop(table);
        drop(forgotten);
    }
}

impl Table {
    /// Takes the memory of all of them from the budget, or gives some back; whether there is as much.
    fn count(&mut self, memory: &MemoryBudget) -> bool {
        let steps = self.order.len() / DQL_READS_COUNTED_TOGETHER;
        let wanted = (steps * DQL_READS_COUNTED_TOGETHER) as u64 * DQL_READ_BYTES;
        let counted = self.reserved.as_ref().map_or(0, Reservation::bytes);
        match &mut self.reserved {
            Some(own) if wanted <= counted => {
                own.shrink(counted - wanted);
                true
            }
            Some(own) => own.grow(wanted - counted).is_ok(),
            None if wanted == 0 => true,
            none => memory.reserve(wanted).map(|own| *none = Some(own)).is_ok(),
        }
    }

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

    fn user(name: &str) -> User {
        User { name: name.to_owned(), namespace: 0 }
    }

    #[test]
    fn a_read_is_its_users_until_it_is_taken_or_its_time_is_up() {
        let database = Database::in_memory(Settings::default()).unwrap();
        let graph = database.ensure_graph("dql").unwrap();
        let reads = Reads::within(&MemoryBudget::unbounded());
        assert!(reads.shared(0).is_none());
        for number in 1..=3 {
            reads.note(number, &user("ann"), graph.pin().unwrap());
        }
        assert!(reads.shared(0).is_some_and(|pinned| pinned.is_newest()));
        assert!(reads.shared(7).is_none(), "that of another namespace");
        assert!(reads.find(1, &user("bob")).is_none() && reads.take(1, &user("bob")).is_none());
        assert!(reads.find(1, &user("ann")).is_some() && reads.take(2, &user("ann")).is_some());
        assert!(reads.take(2, &user("ann")).is_none());
        reads.expire(Duration::from_secs(60));
        assert!(reads.find(3, &user("ann")).is_some());
        reads.expire(Duration::ZERO);
        assert!(reads.find(1, &user("ann")).is_none() && reads.find(3, &user("ann")).is_none());
        assert!(reads.shared(0).is_none(), "no snapshot is kept");
    }

    #[test]
    fn the_oldest_are_forgotten_where_there_are_too_many() {
        let database = Database::in_memory(Settings::default()).unwrap();
        let graph = database.ensure_graph("dql").unwrap();
        let memory = MemoryBudget::unbounded();
        let (reads, pinned) = (Reads::within(&memory), graph.pin().unwrap());
        let most = DQL_READS_MAX as u64;
        for number in 1..=most {
            reads.note(number, &user(""), pinned.clone());
        }
        assert!(reads.find(1, &user("")).is_some(), "it is the newest now");
        reads.note(most + 1, &user(""), pinned);
        assert!(reads.find(1, &user("")).is_some() && reads.find(2, &user("")).is_none());
        assert!(reads.find(most + 1, &user("")).is_some());
        assert_eq!(memory.used(), most * DQL_READ_BYTES);
        assert_eq!(reads.table().order.len(), DQL_READS_MAX, "one that is used again counts, too");
        reads.expire(Duration::ZERO);
        assert_eq!(memory.used(), 0);
    }

    #[test]
    fn where_the_budget_has_no_room_the_oldest_are_forgotten() {
        let database = Database::in_memory(Settings::default()).unwrap();
        let graph = database.ensure_graph("dql").unwrap();
        let together = DQL_READS_COUNTED_TOGETHER as u64;
        let memory = MemoryBudget::new(2 * together * DQL_READ_BYTES);
        let (reads, pinned) = (Reads::within(&memory), graph.pin().unwrap());
        for number in 1..=4 * together {
            reads.note(number, &user(""), pinned.clone());
        }
        assert_eq!(memory.used(), memory.bytes_max());
        let oldest = together + 2;
        let are_there = [1, oldest - 1, oldest, 4 * together];
        let are_there = are_there.map(|number| reads.find(number, &user("")).is_some());
        assert_eq!(are_there, [false, false, true, true]);
    }
}
