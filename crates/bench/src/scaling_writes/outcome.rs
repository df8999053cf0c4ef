//! What the experiment found.

use std::time::Duration;

use super::database::Found;
use super::variant::Variant;
use crate::load::{Judgement, Measured, Outcome};
use crate::machine::Machine;
use crate::measure::median;

/// All that was measured.
pub(super) struct Experiment {
    pub(super) machine: Machine,
    /// Names and values.
    pub(super) conditions: Vec<(&'static str, String)>,
    pub(super) variants: Vec<Measurement>,
    /// What was left out, and how to get it.
    pub(super) notes: Vec<String>,
    pub(super) judgements: Vec<Judgement>,
    /// Whether a broken threshold fails the command.
    pub(super) is_judged: bool,
}

/// One variant.
pub(super) struct Measurement {
    pub(super) variant: Variant,
    /// The closed model: few users, then many.
    pub(super) closed: Vec<Run>,
    pub(super) open: Option<Measured>,
    pub(super) crashes: Vec<Crash>,
}

/// Users of the closed model.
pub(super) struct Run {
    pub(super) users: usize,
    pub(super) requests: u64,
    pub(super) outcome: Outcome,
    pub(super) arrival: Arrival,
    /// Seconds of processor time of each process.
    pub(super) processors: Vec<(&'static str, f64)>,
}

/// The nodes of a run in the database, once all had arrived or no more came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arrival {
    /// Requests that were answered.
    pub(super) answered: u64,
    pub(super) found: Found,
    /// From the first request until the last node was there.
    pub(super) span: Duration,
}

/// One crash of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crash {
    /// How long after the first answer.
    pub(super) after: Duration,
    /// Requests that were answered.
    pub(super) answered: u64,
    /// Nodes that were found, of different requests.
    pub(super) found: u64,
    /// Answered, and not found.
    pub(super) lost: u64,
    /// Found, and not answered: their users do not know.
    pub(super) unanswered: u64,
    /// Nodes that were found more than once.
    pub(super) repeated: u64,
}

impl Arrival {
    /// Nodes that were answered and did not arrive.
    pub(super) fn missing(&self) -> u64 {
        self.answered.saturating_sub(self.found.distinct)
    }

    /// Nodes that arrived in a second.
    pub(super) fn rate(&self) -> f64 {
        self.found.distinct as f64 / self.span.as_secs_f64().max(f64::EPSILON)
    }
}

impl Crash {
    /// Compares what was answered with what was found; both are sorted.
    pub(super) fn of(after: Duration, answered: &[u64], found: &[u64]) -> Crash {
        let mut distinct = found.to_vec();
        distinct.dedup();
        let both =
            answered.iter().filter(|number| distinct.binary_search(number).is_ok()).count() as u64;
        Crash {
            after,
            answered: answered.len() as u64,
            found: distinct.len() as u64,
            lost: answered.len() as u64 - both,
            unanswered: distinct.len() as u64 - both,
            repeated: (found.len() - distinct.len()) as u64,
        }
    }
}

/// The crashes of a variant in figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Crashes {
    pub(super) count: usize,
    pub(super) lost_median: f64,
    pub(super) lost_max: u64,
    pub(super) lost: u64,
    pub(super) unanswered: u64,
    pub(super) repeated: u64,
}

impl Measurement {
    /// Its crashes; none if there were none.
    pub(super) fn crashes(&self) -> Option<Crashes> {
        let crashes = &self.crashes;
        let lost = crashes.iter().map(|crash| crash.lost);
        Some(Crashes {
            count: crashes.len(),
            lost_max: lost.clone().max()?,
            lost_median: median(lost.clone().map(|lost| lost as f64).collect()),
            lost: lost.sum(),
            unanswered: crashes.iter().map(|crash| crash.unanswered).sum(),
            repeated: crashes.iter().map(|crash| crash.repeated).sum(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_loses_what_was_answered_and_is_not_there() {
        let after = Duration::from_millis(5);
        let crash = Crash::of(after, &[1, 2, 3, 5], &[2, 3, 3, 3, 4]);
        let expected = Crash { after, answered: 4, found: 3, lost: 2, unanswered: 1, repeated: 2 };
        assert_eq!(crash, expected);
        assert_eq!(Crash::of(after, &[], &[]).lost, 0);
    }
}
