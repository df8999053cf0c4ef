//! The conflict queue: after too many write conflicts a transaction queues for the contended keys,
//! and conflicting commits wait until it has finished.
//!
//! ```text
//!   key ──> queue of tickets; the first is *granted* once it is first in all of its queues
//!   a commit that changes a key of another's granted ticket waits until the ticket is dropped
//!   or lapses; one with a ticket of its own is sent back, to queue for that key too
//! ```
//!
//! A commit that waits holds nothing, a transaction with a granted ticket does not wait, and a
//! ticket enters all of its queues at once: so there is no deadlock. The queue also fences a vertex
//! that is deleted while other transactions add edges to it: the deletion holds a ticket for the
//! vertex's lists.
//!
//! The queue of a graph lies where its commits are ordered. A transaction that runs elsewhere has its
//! ticket taken there, and makes one here from the number ([`ConflictTicket::new`]).
//!
//! A ticket is no lock. Snapshots and commits of other keys never look at it, and a commit that
//! passed before the ticket was granted may still come first.
//!
//! Queues of keys enter. What a key stands for is not known here, nor is a transaction.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use millrace_model::{Error, ErrorKind, LogPosition, Phase, Result, WriteConflict};
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::base::limits::{TICKET_KEYS_MAX, TICKET_MAX};
use crate::changes::ConflictTicketId;

/// The queues of a store.
#[derive(Default)]
pub struct ConflictQueue {
    /// How many tickets are granted: what every commit looks at.
    granted: AtomicUsize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    last: u64,
    queues: HashMap<u64, VecDeque<ConflictTicketId>>,
    granted: HashMap<ConflictTicketId, Instant>,
}

/// A ticket that is granted; dropping it lets the next one in.
pub struct ConflictTicket {
    id: ConflictTicketId,
    /// Commits up to here may have been first before the ticket was granted: a transaction begins
    /// once they are visible.
    pub position: LogPosition,
    _entry: Box<dyn Send + Sync>,
}

impl ConflictTicket {
    /// A ticket with an entry in some queue: of this process, or of another that is asked to remove
    /// it. The ticket ends when `entry` is dropped, which it does last.
    pub fn new(
        id: ConflictTicketId,
        position: LogPosition,
        entry: impl Send + Sync + 'static,
    ) -> ConflictTicket {
        ConflictTicket { id, position, _entry: Box::new(entry) }
    }

    /// Its number, for [`WriteBatch::ticket`](crate::WriteBatch::ticket).
    pub fn id(&self) -> ConflictTicketId {
        self.id
    }
}

/// An entry in a queue of this process.
struct QueueEntry {
    queue: Arc<ConflictQueue>,
    id: ConflictTicketId,
    keys: Box<[u64]>,
}

impl Drop for QueueEntry {
    fn drop(&mut self) {
        let mut state = self.queue.state.lock();
        self.queue.leave(&mut state, self.id, &self.keys);
    }
}

impl ConflictQueue {
    /// Empty queues whose tickets have numbers above `number`. Queues that follow one another in
    /// different processes take ranges of their own, so that no ticket of one passes as one of
    /// another.
    pub fn numbered_after(number: u64) -> ConflictQueue {
        let state = State { last: number, ..State::default() };
        ConflictQueue { state: Mutex::new(state), ..ConflictQueue::default() }
    }

    /// Waits for a ticket for all of these keys. `newest` gives the last position there is.
    pub fn take(
        self: &Arc<Self>,
        keys: &[u64],
        deadline: Option<Instant>,
        newest: impl FnOnce() -> LogPosition,
    ) -> Result<ConflictTicket> {
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        keys.dedup();
        if TICKET_KEYS_MAX < keys.len() {
            let detail = format!("a ticket is for at most {TICKET_KEYS_MAX} keys");
            return Err(Error::new(ErrorKind::LimitReached, detail).in_phase(Phase::Commit));
        }
        let mut state = self.state.lock();
        state.last += 1;
        let id = ConflictTicketId(state.last);
        keys.iter().for_each(|key| state.queues.entry(*key).or_default().push_back(id));
        while !state.is_first(id, &keys) {
            if !self.wait(&mut state, deadline) {
                self.leave(&mut state, id, &keys);
                let detail = "the deadline passed in the conflict queue";
                return Err(Error::new(ErrorKind::DeadlineExceeded, detail).in_phase(Phase::Commit));
            }
        }
        state.granted.insert(id, Instant::now());
        self.granted.store(state.granted.len(), Ordering::SeqCst);
        drop(state);
        let entry = QueueEntry { queue: Arc::clone(self), id, keys: keys.into_boxed_slice() };
        Ok(ConflictTicket::new(id, newest(), entry))
    }

    /// Waits until no other transaction has a granted ticket for a key of a commit. A commit that may not wait is sent
    /// back, and so is one with a ticket of its own, if the other is older: of two that each have a ticket for a key of
    /// the other, one gets through, however many keys they have.
    pub fn pass(
        &self,
        own: Option<ConflictTicketId>,
        may_wait: bool,
        keys: &(impl Iterator<Item = u64> + Clone),
    ) -> Result<()> {
        if !self.any() {
            return Ok(());
        }
        let mut state = self.state.lock();
        while let Some(key) = state.taken(own, keys.clone()) {
            if own.is_some() || !may_wait {
                return Err(with_ticket(key));
            }
            self.wait(&mut state, None);
        }
        Ok(())
    }

    /// Whether a ticket is granted at all.
    pub fn any(&self) -> bool {
        self.granted.load(Ordering::SeqCst) != 0
    }

    /// Waits for a change, or until a ticket lapses. Says whether the deadline is still to come.
    fn wait(&self, state: &mut MutexGuard<'_, State>, deadline: Option<Instant>) -> bool {
        let now = Instant::now();
        if deadline.is_some_and(|deadline| deadline <= now) {
            return false;
        }
        let left = deadline.map_or(TICKET_MAX, |deadline| deadline - now);
        let lapse = state.granted.values().map(|since| *since + TICKET_MAX).min();
        let lapse = lapse.map_or(TICKET_MAX, |lapse| lapse.saturating_duration_since(now));
        self.changed.wait_for(state, left.min(lapse).max(Duration::from_millis(1)));
        self.lapse(state);
        true
    }

    /// Ends tickets that took too long: their holders go on, and may lose.
    fn lapse(&self, state: &mut State) {
        let over = |since: &Instant| TICKET_MAX <= since.elapsed();
        let lapsed: Vec<ConflictTicketId> =
            state.granted.iter().filter(|(_, since)| over(since)).map(|(id, _)| *id).collect();
        for id in lapsed {
            let keys: Vec<u64> = state.queues.keys().copied().collect();
            self.leave(state, id, &keys);
        }
    }

    fn leave(&self, state: &mut State, id: ConflictTicketId, keys: &[u64]) {
        for key in keys {
            let Some(queue) = state.queues.get_mut(key) else { continue };
            queue.retain(|other| *other != id);
            if queue.is_empty() {
                state.queues.remove(key);
            }
        }
        state.granted.remove(&id);
        self.granted.store(state.granted.len(), Ordering::SeqCst);
        self.changed.notify_all();
    }
}

impl State {
    fn is_first(&self, id: ConflictTicketId, keys: &[u64]) -> bool {
        keys.iter().all(|key| self.queues.get(key).and_then(|queue| queue.front()) == Some(&id))
    }

    /// A key that another ticket is granted for; an older one, if the commit has one of its own.
    fn taken(
        &self,
        own: Option<ConflictTicketId>,
        mut keys: impl Iterator<Item = u64>,
    ) -> Option<u64> {
        // One of a queue before this one, or that took too long, is no ticket here.
        let own = own.filter(|own| self.granted.contains_key(own));
        keys.find(|key| {
            let first = self.queues.get(key).and_then(|queue| queue.front());
            let comes_first = |id: &ConflictTicketId| own.is_none_or(|own| id.0 < own.0);
            first.is_some_and(|id| comes_first(id) && self.granted.contains_key(id))
        })
    }
}

/// Another transaction has the ticket.
fn with_ticket(key: u64) -> Error {
    Error::new(ErrorKind::Conflict, "another transaction has its ticket")
        .with_help("run the transaction again")
        .in_phase(Phase::Commit)
        .with_write_conflict(WriteConflict { winner: LogPosition(0), key })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    fn take(tickets: &Arc<ConflictQueue>, keys: &[u64]) -> ConflictTicket {
        tickets.take(keys, None, || LogPosition(7)).unwrap()
    }

    fn soon() -> Option<Instant> {
        Some(Instant::now() + Duration::from_millis(5))
    }

    #[test]
    fn turns_of_one_key_follow_one_another_and_those_of_others_do_not_wait() {
        let tickets = Arc::new(ConflictQueue::default());
        let first = take(&tickets, &[1, 2]);
        assert_eq!(first.position, LogPosition(7));
        let _other = take(&tickets, &[3]);
        let late = tickets.take(&[2], soon(), || LogPosition(0)).map(drop).unwrap_err();
        assert_eq!(late.kind, ErrorKind::DeadlineExceeded);
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let ticket = take(&tickets, &[2, 4]);
                sender.send(()).unwrap();
                drop(ticket);
            });
            assert!(receiver.try_recv().is_err(), "the first still has it");
            drop(first);
            waiting.join().unwrap();
        });
        receiver.recv().unwrap();
        assert_eq!(tickets.state.lock().queues.len(), 1, "only the other is left");
    }

    #[test]
    fn a_commit_waits_for_the_turn_of_others_and_one_with_a_turn_is_sent_back() {
        let tickets = Arc::new(ConflictQueue::default());
        tickets.pass(None, true, &[1, 2].into_iter()).unwrap();
        let ticket = take(&tickets, &[1]);
        tickets.pass(None, true, &[2, 3].into_iter()).unwrap();
        tickets.pass(Some(ticket.id()), true, &[1].into_iter()).unwrap();
        let other = take(&tickets, &[2]);
        let back = tickets.pass(Some(other.id()), true, &[2, 1].into_iter()).unwrap_err();
        assert_eq!(back.kind, ErrorKind::Conflict);
        assert_eq!(
            back.write_conflict,
            Some(Box::new(WriteConflict { winner: LogPosition(0), key: 1 }))
        );
        assert!(tickets.pass(None, false, &[1].into_iter()).is_err(), "where nobody may wait");
        thread::scope(|scope| {
            let waiting = scope.spawn(|| tickets.pass(None, true, &[1].into_iter()));
            drop(ticket);
            waiting.join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_turn_that_takes_too_long_lapses() {
        let tickets = Arc::new(ConflictQueue::default());
        let ticket = take(&tickets, &[1]);
        let long_ago = Instant::now().checked_sub(TICKET_MAX).expect("the clock is old enough");
        tickets.state.lock().granted.insert(ticket.id(), long_ago);
        tickets.pass(None, true, &[1].into_iter()).unwrap();
        assert!(!tickets.any());
        drop(take(&tickets, &[1]));
        drop(ticket);
        assert!(tickets.state.lock().queues.is_empty());
    }

    #[test]
    fn a_ticket_taken_elsewhere_counts_here_by_its_number_and_ends_with_its_entry() {
        let queue = Arc::new(ConflictQueue::numbered_after(1 << 40));
        // What another process holds for the transaction, and what the transaction has.
        let there = take(&queue, &[1]);
        let (id, position) = (ConflictTicketId(there.id().0), there.position);
        let here = ConflictTicket::new(id, position, there);
        queue.pass(Some(here.id()), true, &[1].into_iter()).unwrap();
        assert_eq!(here.position, LogPosition(7));
        // One of a queue before this one is no ticket for the key.
        let before = Arc::new(ConflictQueue::default());
        let old = take(&before, &[1]);
        let back = queue.pass(Some(old.id()), true, &[1].into_iter()).unwrap_err();
        assert_eq!(back.kind, ErrorKind::Conflict);
        drop(here);
        assert!(!queue.any());
    }

    #[test]
    fn of_two_commits_with_tickets_for_keys_of_each_other_the_older_gets_through() {
        let tickets = Arc::new(ConflictQueue::default());
        let (older, younger) = (take(&tickets, &[1]), take(&tickets, &[2]));
        tickets.pass(Some(older.id()), true, &[1, 2].into_iter()).unwrap();
        let back = tickets.pass(Some(younger.id()), true, &[1, 2].into_iter()).unwrap_err();
        assert_eq!(back.kind, ErrorKind::Conflict);
        drop(older);
        tickets.pass(Some(younger.id()), true, &[1, 2].into_iter()).unwrap();
    }

    #[test]
    fn crossed_turns_never_wait_in_a_circle() {
        let tickets = Arc::new(ConflictQueue::default());
        thread::scope(|scope| {
            for keys in [[1, 2], [2, 3], [3, 1], [2, 1]] {
                let tickets = &tickets;
                scope.spawn(move || (0..200).for_each(|_| drop(take(tickets, &keys))));
            }
        });
        assert!(tickets.state.lock().queues.is_empty());
    }
}
