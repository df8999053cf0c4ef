//! How long to wait before the next attempt: twice as long each time, with jitter, so that a thousand servers do not
//! come back to their broker in one second.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use millrace_model::random::SplitMix64;

use crate::limits::{BACKOFF_MAX, BACKOFF_MIN};

pub(crate) struct Backoff {
    random: SplitMix64,
    next: Duration,
}

impl Backoff {
    pub(crate) fn new(number: usize) -> Backoff {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = now.as_nanos() as u64 ^ u64::from(std::process::id()) << 32 ^ number as u64;
        Backoff { random: SplitMix64::new(seed), next: BACKOFF_MIN }
    }

    /// The next wait: from half of the current bound to all of it.
    pub(crate) fn next(&mut self) -> Duration {
        let bound = self.next;
        self.next = (bound * 2).min(BACKOFF_MAX);
        let half_ms = bound.as_millis() as u64 / 2;
        Duration::from_millis(half_ms + self.random.next_u64() % half_ms.max(1))
    }

    /// An attempt succeeded.
    pub(crate) fn reset(&mut self) {
        self.next = BACKOFF_MIN;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_half_a_minute_and_begin_anew_after_a_success() {
        let mut backoff = Backoff::new(0);
        let waits: Vec<Duration> = (0..40).map(|_| backoff.next()).collect();
        assert!(waits.iter().all(|wait| *wait <= BACKOFF_MAX && BACKOFF_MIN / 2 <= *wait));
        assert!(waits[20..].iter().all(|wait| BACKOFF_MAX / 2 <= *wait), "{waits:?}");
        assert_ne!(waits[20..30], waits[30..40], "no jitter");
        backoff.reset();
        assert!(backoff.next() <= BACKOFF_MIN);
    }
}
