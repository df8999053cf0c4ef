//! Exactly once in effect: the keys of applied messages, in the commit that applies them and in memory.
//!
//! ```text
//!   notes queue.NAME.keys.CONSUMER.NUMBER ──load──> applied ──admit──> which of a batch are new, now in flight
//!        ▲                                             ▲                   │ commit with the notes of `Series`
//!        └─────────────────────────────────────────────┴───── release ─────┘
//! ```
//!
//! Consumers share what was applied and what is in flight; a consumer whose batch has a key that is in flight elsewhere
//! waits for that commit, holding none of its own keys meanwhile. Each consumer has a series of notes of its own, so that
//! two of them never write one note.
//!
//! It knows keys and notes. What a message does never enters.

mod series;

use std::collections::BTreeMap;
use std::time::Duration;

use millrace_db::Graph;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::base64;
use parking_lot::{Condvar, Mutex};
use rustc_hash::FxHashSet;

use crate::deliveries::Stop;
use crate::messages::Key;
use crate::settings::QueueSettings;
use series::KEY_BYTES;
pub(crate) use series::{CHANGED_ELSEWHERE, Series};

/// How often a wait for keys in flight looks whether the queue is to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// The notes of a consumer, by number: the keys of each.
type Notes = BTreeMap<u64, Vec<Key>>;

/// The keys of a queue.
pub(crate) struct Keys {
    prefix: String,
    consumers: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    applied: FxHashSet<Key>,
    in_flight: FxHashSet<Key>,
    /// Dead letters that the broker confirmed, and whose acknowledgement it may not have.
    dead: FxHashSet<Key>,
    /// Raised by each load, so that every series is read again.
    generation: u64,
    is_loaded: bool,
    /// What a load found, until its series takes it.
    found: BTreeMap<usize, Notes>,
}

/// Which messages of a batch are to be applied; their keys are in flight until they are settled.
pub(crate) struct Admitted {
    /// Positions in the batch.
    pub(crate) positions: Vec<usize>,
    /// Their keys.
    pub(crate) keys: Vec<Key>,
}

impl Keys {
    pub(crate) fn new(settings: &QueueSettings) -> Keys {
        Keys {
            prefix: format!("queue.{}.keys.", settings.name),
            consumers: settings.consumers,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Reads the keys of a graph unless they are there.
    pub(crate) fn load(&self, graph: &Graph) -> Result<()> {
        let mut state = self.state.lock();
        if state.is_loaded {
            return Ok(());
        }
        // Under the lock: a commit that is visible to this snapshot, or is not, adds its keys afterwards.
        let mut found: BTreeMap<usize, Notes> = BTreeMap::new();
        let mut applied = FxHashSet::default();
        for (name, text) in graph.notes(&self.prefix)? {
            let numbers = name[self.prefix.len()..].split_once('.');
            let numbers = numbers.and_then(|(consumer, number)| {
                Some((consumer.parse::<usize>().ok()?, number.parse::<u64>().ok()?))
            });
            let keys = base64::decode(&text).filter(|bytes| bytes.len().is_multiple_of(KEY_BYTES));
            let (Some((consumer, number)), Some(bytes)) = (numbers, keys) else {
                let detail = format!("the note {name} has no keys of messages");
                return Err(Error::new(ErrorKind::Corrupt, detail));
            };
            let keys: Vec<Key> = bytes.as_chunks().0.iter().map(|key| Key(*key)).collect();
            applied.extend(keys.iter().copied());
            found.entry(consumer).or_default().insert(number, keys);
        }
        state.applied = applied;
        state.found = found;
        state.generation += 1;
        state.is_loaded = true;
        Ok(())
    }

    /// The keys in memory may not be those of the graph: they are read again before the next batch.
    pub(crate) fn forget(&self) {
        self.state.lock().is_loaded = false;
    }

    /// Brings a series to the state of the last load.
    pub(crate) fn refresh(&self, series: &mut Series) {
        let mut state = self.state.lock();
        if series.generation == state.generation {
            return;
        }
        let own = state.found.remove(&series.consumer).unwrap_or_default();
        // Series of consumers that are no more are the oldest of the first one.
        let is_first = series.consumer == 0;
        let mut orphans = BTreeMap::new();
        if is_first {
            orphans = state.found.split_off(&self.consumers);
        }
        series.reset(state.generation, own, orphans);
    }

    /// Which messages are new, by their keys; waits while another consumer applies one of them. `None`: the queue stops.
    pub(crate) fn admit(&self, batch: &[Option<Key>], stop: &Stop) -> Option<Admitted> {
        let mut state = self.state.lock();
        loop {
            let is_free = |key: &Option<Key>| {
                key.is_none_or(|key| {
                    !state.in_flight.contains(&key) || state.applied.contains(&key)
                })
            };
            if batch.iter().all(is_free) {
                break;
            }
            if stop.is_set() {
                return None;
            }
            self.changed.wait_for(&mut state, STOP_INTERVAL);
        }
        let mut admitted = Admitted { positions: Vec::new(), keys: Vec::new() };
        for (position, key) in batch.iter().enumerate() {
            if let Some(key) = key {
                if state.applied.contains(key) || !state.in_flight.insert(*key) {
                    continue;
                }
                admitted.keys.push(*key);
            }
            admitted.positions.push(position);
        }
        Some(admitted)
    }

    /// The keys are in flight no longer: they are applied, or to be tried again.
    pub(crate) fn release(&self, keys: &[Key], is_applied: bool) {
        let mut state = self.state.lock();
        for key in keys {
            state.in_flight.remove(key);
            if is_applied {
                state.applied.insert(*key);
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Keys that no note has any more.
    pub(crate) fn evict(&self, keys: &[Key]) {
        let mut state = self.state.lock();
        for key in keys {
            state.applied.remove(key);
        }
    }

    /// The letter of a key is confirmed, and not yet acknowledged.
    pub(crate) fn note_dead(&self, keys: &[Key], is_acknowledged: bool) {
        let mut state = self.state.lock();
        for key in keys {
            match is_acknowledged {
                true => state.dead.remove(key),
                false => state.dead.insert(*key),
            };
        }
    }

    /// Whether a letter of this key was confirmed, and its acknowledgement may be lost.
    pub(crate) fn is_dead(&self, key: Option<Key>) -> bool {
        key.is_some_and(|key| self.state.lock().dead.contains(&key))
    }
}
