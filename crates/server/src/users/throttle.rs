//! Delays after failed logins: by address, by user, and by both together.
//!
//! The first [`LOGIN_FAILURES_FREE`] failures cost nothing; each further one doubles the time in which the
//! next try is refused without being looked at. A pair of user and address that logged in before is held up
//! by its own failures only: else guesses of a stranger could lock a user out, and behind a proxy, where
//! all clients have one address, one client all others.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::limits::{
    LOGIN_DELAY_FIRST, LOGIN_DELAY_MAX, LOGIN_ENTRIES_MAX, LOGIN_FAILURE_MEMORY,
    LOGIN_FAILURES_FREE,
};

/// Failures that are remembered.
#[derive(Default)]
pub(super) struct Throttle {
    names: RandomState,
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    failures: Table,
    /// Pairs that logged in; failures drive no entry out.
    successes: Table,
}

/// The key by which failures are counted. Names are hashed, so that an entry has one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Address(u64),
    User(u64),
    Pair(u64),
}

/// Where a login comes from, and its user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    address: Key,
    user: Key,
    pair: Key,
}

#[derive(Default)]
struct Table(HashMap<Key, Entry>);

struct Entry {
    count: u32,
    last: Instant,
}

impl Throttle {
    /// A login of a user from an address.
    pub(super) fn attempt(&self, user: &str, address: u64) -> Attempt {
        Attempt {
            address: Key::Address(address),
            user: Key::User(self.names.hash_one(user)),
            pair: Key::Pair(self.names.hash_one((user, address))),
        }
    }

    /// How long it is until a login is looked at; `None`: it is now.
    pub(super) fn wait(&self, attempt: Attempt, now: Instant) -> Option<Duration> {
        let Attempt { address, user, pair } = attempt;
        let tables = self.lock();
        let is_known = tables.successes.0.contains_key(&pair);
        let keys: &[Key] = if is_known { &[pair] } else { &[address, user, pair] };
        let waits = keys.iter().filter_map(|key| tables.failures.0.get(key)?.wait(now));
        waits.max()
    }

    /// A login failed.
    pub(super) fn failed(&self, attempt: Attempt, now: Instant) {
        let mut tables = self.lock();
        for key in [attempt.address, attempt.user, attempt.pair] {
            tables.failures.count(key, now);
        }
    }

    /// A login succeeded. The failures of its address and of its user stay: others made them, too.
    pub(super) fn succeeded(&self, attempt: Attempt, now: Instant) {
        let mut tables = self.lock();
        tables.failures.0.remove(&attempt.pair);
        tables.successes.count(attempt.pair, now);
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn count(&mut self, key: Key, now: Instant) {
        if LOGIN_ENTRIES_MAX <= self.0.len() && !self.0.contains_key(&key) {
            let oldest = self.0.iter().min_by_key(|(_, entry)| entry.last).map(|(key, _)| *key);
            oldest.and_then(|oldest| self.0.remove(&oldest));
        }
        let entry = self.0.entry(key).or_insert(Entry { count: 0, last: now });
        if entry.is_forgotten(now) {
            entry.count = 0;
        }
        entry.count = entry.count.saturating_add(1);
        entry.last = now;
    }
}

impl Entry {
    fn is_forgotten(&self, now: Instant) -> bool {
        LOGIN_FAILURE_MEMORY <= now.duration_since(self.last)
    }

    fn wait(&self, now: Instant) -> Option<Duration> {
        let doublings = self.count.checked_sub(LOGIN_FAILURES_FREE)?;
        let delay = LOGIN_DELAY_FIRST.saturating_mul(1 << doublings.min(16)).min(LOGIN_DELAY_MAX);
        let left = delay.saturating_sub(now.duration_since(self.last));
        (left != Duration::ZERO).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_sixth_try_waits_and_each_further_one_twice_as_long() {
        let (own, mut now) = (Throttle::default(), Instant::now());
        let attempt = own.attempt("ann", 1);
        for _ in 0..LOGIN_FAILURES_FREE {
            assert_eq!(own.wait(attempt, now), None);
            own.failed(attempt, now);
        }
        let mut delays = Vec::new();
        while delays.last() != Some(&LOGIN_DELAY_MAX) {
            let wait = own.wait(attempt, now).unwrap();
            assert_eq!(own.wait(attempt, now + wait), None, "it is over then");
            now += wait;
            own.failed(attempt, now);
            delays.push(wait);
        }
        let seconds: Vec<u64> = delays.iter().map(Duration::as_secs).collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 60]);
        // Much later all is as at first.
        now += LOGIN_FAILURE_MEMORY;
        own.failed(attempt, now);
        assert_eq!(own.wait(attempt, now), None);
    }

    #[test]
    fn failures_count_for_the_address_and_for_the_user() {
        let (own, now) = (Throttle::default(), Instant::now());
        for number in 0..LOGIN_FAILURES_FREE {
            own.failed(own.attempt(&format!("user {number}"), 1), now);
            own.failed(own.attempt("ann", 100 + u64::from(number)), now);
        }
        assert_eq!(own.wait(own.attempt("bob", 1), now), Some(SECOND), "one address, many names");
        assert_eq!(own.wait(own.attempt("ann", 2), now), Some(SECOND), "one name, many addresses");
        assert_eq!(own.wait(own.attempt("bob", 2), now), None);
    }

    #[test]
    fn a_user_known_at_an_address_is_delayed_by_own_failures_only() {
        let (own, now) = (Throttle::default(), Instant::now());
        let ann = own.attempt("ann", 1);
        own.succeeded(ann, now);
        for number in 0..LOGIN_FAILURES_FREE {
            own.failed(own.attempt("ann", 100 + u64::from(number)), now);
            own.failed(own.attempt("eve", 1), now);
        }
        assert_eq!(own.wait(ann, now), None, "strangers do not lock it out");
        (0..LOGIN_FAILURES_FREE).for_each(|_| own.failed(ann, now));
        assert_eq!(own.wait(ann, now), Some(SECOND), "its own guesses do");
        own.succeeded(ann, now + SECOND);
        assert_eq!(own.wait(ann, now + SECOND), None);
    }

    #[test]
    fn entries_are_bounded_and_the_oldest_goes() {
        let (own, now) = (Throttle::default(), Instant::now());
        let ann = own.attempt("ann", 0);
        own.failed(ann, now);
        for address in 1..LOGIN_ENTRIES_MAX as u64 {
            own.failed(own.attempt("ann", address), now + Duration::from_micros(address));
        }
        let tables = own.lock();
        assert_eq!(tables.failures.0.len(), LOGIN_ENTRIES_MAX);
        assert!(tables.failures.0.contains_key(&ann.user), "it fails all the time");
        assert!(!tables.failures.0.contains_key(&ann.pair), "it failed once, before all others");
    }
}
