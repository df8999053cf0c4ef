//! Counting while a run goes on: every sender and receiver reports its counts.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::outcome::{ErrorCount, Outcome, Second};
use crate::measure::Histogram;

/// Counts of a run under way.
pub(crate) struct Tally {
    /// When measuring begins: requests due before belong to the warm-up.
    began: Instant,
    /// How long requests are due then; without it, until the last has ended.
    measured: Option<Duration>,
    counts: Mutex<Counts>,
    idle: Condvar,
}

#[derive(Default)]
struct Counts {
    /// Connections that still send.
    senders: usize,
    active: u64,
    active_max: u64,
    requests: u64,
    warm_up_requests: u64,
    answered: u64,
    answered_in_time: u64,
    errors: BTreeMap<String, ErrorCount>,
    latencies: Histogram,
    seconds: Vec<Second>,
    behind_max: Duration,
    /// When the last request ended.
    last: Option<Instant>,
}

/// How a request ended.
pub(crate) enum End<'a> {
    /// With results.
    Answered,
    /// With a code of the protocol, or a word of ours, and the message.
    Failed(&'a str, &'a str),
    /// It waited until the end.
    Unanswered,
}

impl Tally {
    pub(crate) fn new(began: Instant, measured: Option<Duration>, senders: usize) -> Tally {
        let counts = Mutex::new(Counts { senders, ..Counts::default() });
        Tally { began, measured, counts, idle: Condvar::new() }
    }

    /// A connection sends nothing more.
    pub(crate) fn sender_ended(&self) {
        self.counts().senders -= 1;
        self.idle.notify_all();
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request is under way, from the moment it was due.
    pub(crate) fn began(&self, due: Instant, now: Instant) {
        let mut counts = self.counts();
        counts.active += 1;
        counts.active_max = counts.active_max.max(counts.active);
        if self.is_measured(due) {
            counts.behind_max = counts.behind_max.max(now.saturating_duration_since(due));
            counts.requests += 1;
            self.second(&mut counts, due).requests += 1;
        } else {
            counts.warm_up_requests += 1;
        }
        self.look(&mut counts, now);
    }

    /// A request has ended.
    pub(crate) fn ended(&self, due: Instant, now: Instant, end: &End<'_>) {
        let mut counts = self.counts();
        self.look(&mut counts, now);
        counts.active -= 1;
        counts.last = counts.last.max(Some(now));
        if self.is_measured(due) {
            self.count(&mut counts, due, now, end);
        }
        if counts.active == 0 {
            self.idle.notify_all();
        }
    }

    fn count(&self, counts: &mut Counts, due: Instant, now: Instant, end: &End<'_>) {
        let latency = now.saturating_duration_since(due);
        let (code, said) = match end {
            End::Answered => {
                counts.answered += 1;
                counts.answered_in_time +=
                    u64::from(self.measured.is_none_or(|measured| now <= self.began + measured));
                self.second(counts, now).answered += 1;
                return self.latency(counts, due, latency);
            }
            End::Failed(code, said) => (*code, *said),
            End::Unanswered => {
                self.latency(counts, due, latency);
                ("unanswered", "there was no answer until the end")
            }
        };
        let error = counts.errors.entry(code.to_owned()).or_default();
        if error.count == 0 {
            error.first = said.to_owned();
        }
        error.count += 1;
        self.second(counts, now).errors += 1;
    }

    fn latency(&self, counts: &mut Counts, due: Instant, latency: Duration) {
        counts.latencies.record(latency);
        self.second(counts, due).latencies.record(latency);
    }

    fn is_measured(&self, due: Instant) -> bool {
        self.began <= due
    }

    /// The second of a moment that is not before the beginning.
    fn second<'a>(&self, counts: &'a mut Counts, moment: Instant) -> &'a mut Second {
        let at = moment.saturating_duration_since(self.began).as_secs() as usize;
        while counts.seconds.len() <= at {
            // Nothing happened in between, so the number of requests under way was the same.
            let active = counts.active;
            counts.seconds.push(Second { active, ..Second::default() });
        }
        &mut counts.seconds[at]
    }

    /// Notes how many are under way.
    fn look(&self, counts: &mut Counts, now: Instant) {
        if self.is_measured(now) {
            let active = counts.active;
            let second = self.second(counts, now);
            second.active = second.active.max(active);
        }
    }

    /// Waits until nothing is sent and nothing is under way; false if that is not so when the moment
    /// comes.
    pub(crate) fn wait_idle_until(&self, moment: Instant) -> bool {
        let mut counts = self.counts();
        while 0 < counts.active || 0 < counts.senders {
            let left = moment.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.idle.wait_timeout(counts, left);
            counts = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// The counts as the outcome of the run.
    pub(crate) fn outcome(self, cpu: Option<f64>) -> Outcome {
        let counts = self.counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        let until_last = || {
            counts.last.map_or(Duration::ZERO, |last| last.saturating_duration_since(self.began))
        };
        Outcome {
            measured: self.measured.unwrap_or_else(until_last),
            requests: counts.requests,
            answered: counts.answered,
            answered_in_time: counts.answered_in_time,
            errors: counts.errors,
            latencies: counts.latencies,
            seconds: counts.seconds,
            active_max: counts.active_max,
            sender_behind_max: counts.behind_max,
            warm_up_requests: counts.warm_up_requests,
            client_cpu_seconds: cpu,
            server_time: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_count_from_when_they_were_due_and_the_warm_up_is_left_out() {
        let start = Instant::now();
        let at = |millis: u64| start + Duration::from_millis(millis);
        let tally = Tally::new(at(1_000), Some(Duration::from_secs(3)), 1);
        tally.began(at(900), at(900));
        tally.began(at(1_100), at(1_700));
        tally.began(at(1_200), at(1_700));
        tally.ended(at(900), at(2_500), &End::Answered);
        tally.ended(at(1_100), at(4_100), &End::Answered);
        tally.ended(at(1_200), at(4_200), &End::Failed("597", "no such step"));
        let outcome = tally.outcome(None);
        assert_eq!((outcome.requests, outcome.answered, outcome.warm_up_requests), (2, 1, 1));
        assert_eq!(outcome.active_max, 3);
        assert_eq!(outcome.sender_behind_max, Duration::from_millis(600));
        assert_eq!(outcome.latencies.max(), Duration::from_secs(3));
        let errors: Vec<_> = outcome.errors.iter().collect();
        let first = "no such step".to_owned();
        assert_eq!(errors, [(&"597".to_owned(), &ErrorCount { count: 1, first })]);
        let shown =
            |second: &Second| (second.requests, second.answered, second.errors, second.active);
        let seconds: Vec<_> = outcome.seconds.iter().map(shown).collect();
        assert_eq!(seconds, [(2, 0, 0, 3), (0, 0, 0, 3), (0, 0, 0, 2), (0, 1, 1, 2)]);
        assert_eq!(outcome.seconds[0].latencies.count(), 1);
        assert_eq!(outcome.rate(), 0.0, "the answer came when nothing was sent any more");
    }

    #[test]
    fn an_unanswered_request_is_an_error_that_counts_its_wait() {
        let start = Instant::now();
        let tally = Tally::new(start, Some(Duration::from_secs(1)), 0);
        tally.began(start, start);
        assert!(!tally.wait_idle_until(start));
        tally.ended(start, start + Duration::from_secs(30), &End::Unanswered);
        assert!(tally.wait_idle_until(start));
        let outcome = tally.outcome(Some(0.5));
        assert_eq!((outcome.answered, outcome.error_count()), (0, 1));
        assert_eq!(outcome.latencies.percentile(50.0), Duration::from_secs(30));
    }
}
