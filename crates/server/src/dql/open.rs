//! Transactions with writes that wait for their clients, by number. Two requests of one wait for each other, as their
//! order may matter. One that waits for its client too long is aborted, and so is one whose statement failed.
//!
//! On a graph with serializable transactions those that have only read are here, too, as what they read decides
//! whether they may commit. Of these the oldest makes room where there are too many, or where memory is short.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use millrace_db::session::ExplicitTransaction;
use millrace_model::{Error, ErrorKind, MemoryBudget, Reservation, Result, UNCOUNTED_BYTES};
use tokio::sync::OwnedMutexGuard;

use super::User;
use crate::limits::DQL_TRANSACTIONS_MAX;
use crate::under_way::SocketNumber;

/// The transactions.
pub(super) struct Open {
    known: Mutex<BTreeMap<u64, Known>>,
    memory: MemoryBudget,
}

/// Whether a transaction has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writes {
    /// It is about to.
    Some,
    /// It has only read.
    NotYet,
}

struct Known {
    /// The first bytes of its write set, which that does not count by itself.
    memory: Reservation,
    user: User,
    writes: Writes,
    transaction: Arc<Transaction>,
}

/// One of them.
pub(super) struct Transaction {
    /// None once it has ended.
    inner: Arc<tokio::sync::Mutex<Option<ExplicitTransaction>>>,
    /// When it was used last.
    used: Mutex<Instant>,
    /// Its number among connections that have transactions.
    pub(super) socket: SocketNumber,
}

/// A transaction that a request has; others wait.
pub(super) type Taken = OwnedMutexGuard<Option<ExplicitTransaction>>;

impl Open {
    /// None yet, with a budget of which each takes a part.
    pub(super) fn within(memory: &MemoryBudget) -> Open {
        Open { known: Mutex::default(), memory: memory.clone() }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins one under a number. There is one of it already where two requests write under it for the first time at
    /// once: the second has that one.
    pub(super) fn begin(
        &self,
        (number, user): (u64, &User),
        socket: SocketNumber,
        writes: Writes,
    ) -> Result<Arc<Transaction>> {
        let mut all = self.all();
        if let Some(known) = all.get(&number) {
            return match known.user == *user {
                true => Ok(Arc::clone(&known.transaction)),
                false => Err(aborted()),
            };
        }
        let is_full = |all: &BTreeMap<u64, Known>| DQL_TRANSACTIONS_MAX <= all.len();
        let mut forgotten = None;
        let mut memory = self.memory.reserve(UNCOUNTED_BYTES);
        if is_full(&all) || memory.is_err() {
            // Numbers rise with time.
            let oldest = all.iter().find(|(_, own)| own.writes == Writes::NotYet);
            forgotten = oldest.map(|(number, _)| *number).and_then(|number| all.remove(&number));
        }
        if is_full(&all) {
            let detail = format!("{DQL_TRANSACTIONS_MAX} transactions are open. Please retry");
            let error = Error::new(ErrorKind::Unavailable, detail);
            return Err(error.with_help("commit or discard others first"));
        }
        // What was forgotten gives its own back.
        if let (Err(_), Some(known)) = (&memory, &mut forgotten) {
            known.memory.shrink(UNCOUNTED_BYTES);
            memory = self.memory.reserve(UNCOUNTED_BYTES);
        }
        let memory = match memory {
            Ok(memory) => memory,
            Err(error) => {
                drop(all);
                drop(forgotten);
                let detail = format!("{}. Please retry", error.detail);
                return Err(Error { kind: ErrorKind::Unavailable, detail, ..error });
            }
        };
        let inner = Arc::new(tokio::sync::Mutex::new(Some(ExplicitTransaction::begin(false))));
        let used = Mutex::new(Instant::now());
        let transaction = Arc::new(Transaction { inner, used, socket });
        let user = user.clone();
        all.insert(number, Known { memory, user, writes, transaction: Arc::clone(&transaction) });
        // Outside of the lock, as it may be rolled back by this.
        drop(all);
        drop(forgotten);
        Ok(transaction)
    }

    /// A transaction is about to write.
    pub(super) fn note_writes(&self, number: u64) {
        if let Some(known) = self.all().get_mut(&number) {
            known.writes = Writes::Some;
        }
    }

    /// The one of a number, if it is this user's.
    pub(super) fn find(&self, number: u64, user: &User) -> Option<Arc<Transaction>> {
        let all = self.all();
        all.get(&number).filter(|own| own.user == *user).map(|own| Arc::clone(&own.transaction))
    }

    /// Forgets one that has ended.
    pub(super) fn forget(&self, number: u64) {
        let known = self.all().remove(&number);
        // Outside of the lock, as it may be rolled back by this.
        drop(known);
    }

    /// Aborts those that have waited too long for their clients.
    pub(super) fn expire(&self, idle: Duration) {
        let mut all = self.all();
        let is_over = |own: &Known| own.transaction.has_waited(idle);
        let over: Vec<u64> =
            all.iter().filter(|(_, own)| is_over(own)).map(|(number, _)| *number).collect();
        let ended: Vec<_> = over.iter().filter_map(|number| all.remove(number)).collect();
        drop(all);
        drop(ended);
    }
}

impl Transaction {
    /// Waits until no other request has it; fails if it has ended.
    pub(super) async fn take(&self) -> Result<Taken> {
        let taken = Arc::clone(&self.inner).lock_owned().await;
        self.touch();
        if taken.is_some() { Ok(taken) } else { Err(aborted()) }
    }

    /// Its client has been heard of.
    pub(super) fn touch(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Whether no request has it, and none had it for so long.
    fn has_waited(&self, idle: Duration) -> bool {
        let used = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
        idle <= used.elapsed() && self.inner.try_lock().is_ok()
    }
}

/// The error of a transaction that is not known, or not any more: its client runs it again.
pub(super) fn aborted() -> Error {
    Error::new(ErrorKind::Conflict, "the transaction has ended, or was idle too long")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> User {
        User { name: name.to_owned(), namespace: 0 }
    }

    #[test]
    fn one_is_its_users_until_it_ends_or_waits_too_long() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let open = Open::within(&MemoryBudget::unbounded());
        let socket = SocketNumber(1);
        let first = open.begin((7, &user("ann")), socket, Writes::Some).unwrap();
        assert!(Arc::ptr_eq(&first, &open.begin((7, &user("ann")), socket, Writes::Some).unwrap()));
        assert!(open.begin((7, &user("bob")), socket, Writes::Some).is_err());
        assert!(open.find(7, &user("bob")).is_none());
        let taken = runtime.block_on(first.take()).unwrap();
        open.expire(Duration::ZERO);
        assert!(open.find(7, &user("ann")).is_some(), "a request has it");
        drop(taken);
        open.expire(Duration::from_secs(60));
        assert!(open.find(7, &user("ann")).is_some());
        open.expire(Duration::ZERO);
        assert!(open.find(7, &user("ann")).is_none());
        let next = open.begin((8, &user("")), socket, Writes::Some).unwrap();
        *runtime.block_on(next.take()).unwrap() = None;
        let ended = runtime.block_on(next.take()).err().map(|error| error.kind);
        assert_eq!(ended, Some(ErrorKind::Conflict));
    }

    #[test]
    fn there_is_a_bound() {
        let memory = MemoryBudget::unbounded();
        let open = Open::within(&memory);
        let begin = |number| open.begin((number, &user("")), SocketNumber(1), Writes::Some);
        for number in 0..DQL_TRANSACTIONS_MAX as u64 {
            begin(number).unwrap();
        }
        let refused = begin(u64::MAX).err().unwrap();
        assert_eq!(refused.kind, ErrorKind::Unavailable);
        assert_eq!(memory.used(), DQL_TRANSACTIONS_MAX as u64 * UNCOUNTED_BYTES);
        open.forget(3);
        assert!(begin(u64::MAX).is_ok());
    }

    #[test]
    fn one_that_has_only_read_makes_room() {
        let open = Open::within(&MemoryBudget::unbounded());
        let begin = |number, writes| open.begin((number, &user("")), SocketNumber(1), writes);
        for number in 0..DQL_TRANSACTIONS_MAX as u64 {
            let writes = if number < 3 { Writes::NotYet } else { Writes::Some };
            begin(number, writes).unwrap();
        }
        open.note_writes(0);
        begin(u64::MAX - 1, Writes::Some).unwrap();
        begin(u64::MAX, Writes::NotYet).unwrap();
        let are_there = [0, 1, 2].map(|number| open.find(number, &user("")).is_some());
        assert_eq!(are_there, [true, false, false]);
    }

    #[test]
    fn each_is_a_part_of_the_memory_budget() {
        let memory = MemoryBudget::new(3 * UNCOUNTED_BYTES);
        let open = Open::within(&memory);
        let begin = |number, writes| open.begin((number, &user("")), SocketNumber(1), writes);
        begin(1, Writes::Some).unwrap();
        begin(2, Writes::NotYet).unwrap();
        begin(3, Writes::Some).unwrap();
        assert_eq!(memory.used(), memory.bytes_max());
        begin(4, Writes::Some).unwrap();
        assert!(open.find(2, &user("")).is_none(), "one that has only read makes room");
        let refused = begin(5, Writes::Some).err().unwrap();
        assert_eq!(refused.kind, ErrorKind::Unavailable);
        assert!(refused.detail.contains("memory.max"), "{refused}");
        assert!(refused.detail.ends_with("Please retry"), "{refused}");
        open.forget(1);
        begin(5, Writes::Some).unwrap();
    }
}
