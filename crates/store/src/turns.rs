//! Turns: who lost too many races queues for what it lost them on, and meanwhile the others wait.
//!
//! ```text
//!   key ──> queue of turns; the first is *granted* once it is first in all of its queues
//!   a commit that changes a key somebody else has the turn for waits until the turn ends,
//!   or lapses; one that has a turn itself is sent back instead, to queue for that key too
//! ```
//!
//! So whoever waits at a commit holds nothing, whoever holds does not wait, and a turn enters all
//! of its queues at once: nobody waits in a circle. This is also the fence of a vertex that is
//! deleted while edges rain on it: its deletion takes the turn of the vertex's lists.
//!
//! What a reader would get wrong: a turn is no lock. Snapshots, and commits of other things, never
//! ask for it, and a commit that passed before the turn was granted may still win.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use millrace_model::{Error, ErrorKind, LostRace, Phase, Position, Result};
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::limits::{TURN_KEYS_MAX, TURN_MAX};

/// The number of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TurnId(u64);

/// The queues of a store.
#[derive(Default)]
pub struct Turns {
    /// How many turns are granted: what every commit looks at.
    granted: AtomicUsize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    last: u64,
    queues: HashMap<u64, VecDeque<TurnId>>,
    granted: HashMap<TurnId, Instant>,
}

/// A turn that is granted; dropping it lets the next one in.
pub struct Turn {
    turns: Arc<Turns>,
    id: TurnId,
    keys: Box<[u64]>,
    /// Commits up to here may have been first before the turn was granted: a transaction begins
    /// once they are visible.
    pub position: Position,
}

impl Turn {
    /// Its number, for [`WriteBatch::turn`](crate::WriteBatch::turn).
    pub fn id(&self) -> TurnId {
        self.id
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.turns.state.lock();
        self.turns.leave(&mut state, self.id, &self.keys);
    }
}

impl Turns {
    /// Waits for the turn on all of these keys. `newest` gives the last position there is.
    pub fn take(
        self: &Arc<Self>,
        keys: &[u64],
        deadline: Option<Instant>,
        newest: impl FnOnce() -> Position,
    ) -> Result<Turn> {
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        keys.dedup();
        if TURN_KEYS_MAX < keys.len() {
            let detail = format!("a turn is for at most {TURN_KEYS_MAX} keys");
            return Err(Error::new(ErrorKind::LimitReached, detail).in_phase(Phase::Commit));
        }
        let mut state = self.state.lock();
        state.last += 1;
        let id = TurnId(state.last);
        keys.iter().for_each(|key| state.queues.entry(*key).or_default().push_back(id));
        while !state.is_first(id, &keys) {
            if !self.wait(&mut state, deadline) {
                self.leave(&mut state, id, &keys);
                let detail = "the deadline passed in the queue for what others change, too";
                return Err(Error::new(ErrorKind::DeadlineExceeded, detail).in_phase(Phase::Commit));
            }
        }
        state.granted.insert(id, Instant::now());
        self.granted.store(state.granted.len(), Ordering::SeqCst);
        drop(state);
        let keys = keys.into_boxed_slice();
        let mut turn = Turn { turns: Arc::clone(self), id, keys, position: Position(0) };
        turn.position = newest();
        Ok(turn)
    }

    /// Waits until nobody else has the turn for a key that a commit changes. A commit with a turn
    /// of its own, or one that may not wait, is sent back.
    pub fn pass(
        &self,
        own: Option<TurnId>,
        may_wait: bool,
        keys: &(impl Iterator<Item = u64> + Clone),
    ) -> Result<()> {
        if !self.any() {
            return Ok(());
        }
        let mut state = self.state.lock();
        while let Some(key) = state.taken(own, keys.clone()) {
            if own.is_some() || !may_wait {
                return Err(in_turn(key));
            }
            self.wait(&mut state, None);
        }
        Ok(())
    }

    /// Whether a turn is granted at all.
    pub fn any(&self) -> bool {
        self.granted.load(Ordering::SeqCst) != 0
    }

    /// Waits for a change, or until a turn lapses. Says whether the deadline is still to come.
    fn wait(&self, state: &mut MutexGuard<'_, State>, deadline: Option<Instant>) -> bool {
        let now = Instant::now();
        if deadline.is_some_and(|deadline| deadline <= now) {
            return false;
        }
        let left = deadline.map_or(TURN_MAX, |deadline| deadline - now);
        let lapse = state.granted.values().map(|since| *since + TURN_MAX).min();
        let lapse = lapse.map_or(TURN_MAX, |lapse| lapse.saturating_duration_since(now));
        self.changed.wait_for(state, left.min(lapse).max(Duration::from_millis(1)));
        self.lapse(state);
        true
    }

    /// Ends turns that took too long: their holders go on, and may lose.
    fn lapse(&self, state: &mut State) {
        let over = |since: &Instant| TURN_MAX <= since.elapsed();
        let lapsed: Vec<TurnId> =
            state.granted.iter().filter(|(_, since)| over(since)).map(|(id, _)| *id).collect();
        for id in lapsed {
            let keys: Vec<u64> = state.queues.keys().copied().collect();
            self.leave(state, id, &keys);
        }
    }

    fn leave(&self, state: &mut State, id: TurnId, keys: &[u64]) {
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
    fn is_first(&self, id: TurnId, keys: &[u64]) -> bool {
        keys.iter().all(|key| self.queues.get(key).and_then(|queue| queue.front()) == Some(&id))
    }

    /// A key that another turn is granted for.
    fn taken(&self, own: Option<TurnId>, mut keys: impl Iterator<Item = u64>) -> Option<u64> {
        keys.find(|key| {
            let first = self.queues.get(key).and_then(|queue| queue.front());
            first.is_some_and(|id| Some(*id) != own && self.granted.contains_key(id))
        })
    }
}

/// Somebody else has the turn.
fn in_turn(key: u64) -> Error {
    Error::new(ErrorKind::Conflict, "another transaction has its turn")
        .with_help("run the transaction again")
        .in_phase(Phase::Commit)
        .with_lost_race(LostRace { winner: Position(0), key })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    fn take(turns: &Arc<Turns>, keys: &[u64]) -> Turn {
        turns.take(keys, None, || Position(7)).unwrap()
    }

    fn soon() -> Option<Instant> {
        Some(Instant::now() + Duration::from_millis(5))
    }

    #[test]
    fn turns_of_one_key_follow_one_another_and_those_of_others_do_not_wait() {
        let turns = Arc::new(Turns::default());
        let first = take(&turns, &[1, 2]);
        assert_eq!(first.position, Position(7));
        let _other = take(&turns, &[3]);
        let late = turns.take(&[2], soon(), || Position(0)).map(drop).unwrap_err();
        assert_eq!(late.kind, ErrorKind::DeadlineExceeded);
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let turn = take(&turns, &[2, 4]);
                sender.send(()).unwrap();
                drop(turn);
            });
            assert!(receiver.try_recv().is_err(), "the first still has it");
            drop(first);
            waiting.join().unwrap();
        });
        receiver.recv().unwrap();
        assert_eq!(turns.state.lock().queues.len(), 1, "only the other is left");
    }

    #[test]
    fn a_commit_waits_for_the_turn_of_others_and_one_with_a_turn_is_sent_back() {
        let turns = Arc::new(Turns::default());
        turns.pass(None, true, &[1, 2].into_iter()).unwrap();
        let turn = take(&turns, &[1]);
        turns.pass(None, true, &[2, 3].into_iter()).unwrap();
        turns.pass(Some(turn.id()), true, &[1].into_iter()).unwrap();
        let other = take(&turns, &[2]);
        let back = turns.pass(Some(other.id()), true, &[2, 1].into_iter()).unwrap_err();
        assert_eq!(back.kind, ErrorKind::Conflict);
        assert_eq!(back.lost_race, Some(LostRace { winner: Position(0), key: 1 }));
        assert!(turns.pass(None, false, &[1].into_iter()).is_err(), "where nobody may wait");
        thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.pass(None, true, &[1].into_iter()));
            drop(turn);
            waiting.join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_turn_that_takes_too_long_lapses() {
        let turns = Arc::new(Turns::default());
        let turn = take(&turns, &[1]);
        let long_ago = Instant::now().checked_sub(TURN_MAX).expect("the clock is old enough");
        turns.state.lock().granted.insert(turn.id(), long_ago);
        turns.pass(None, true, &[1].into_iter()).unwrap();
        assert!(!turns.any());
        drop(take(&turns, &[1]));
        drop(turn);
        assert!(turns.state.lock().queues.is_empty());
    }

    #[test]
    fn crossed_turns_never_wait_in_a_circle() {
        let turns = Arc::new(Turns::default());
        thread::scope(|scope| {
            for keys in [[1, 2], [2, 3], [3, 1], [2, 1]] {
                let turns = &turns;
                scope.spawn(move || (0..200).for_each(|_| drop(take(turns, &keys))));
            }
        });
        assert!(turns.state.lock().queues.is_empty());
    }
}
