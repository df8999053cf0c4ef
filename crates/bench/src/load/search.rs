//! The highest rate that a server keeps: raised by a quarter until a threshold breaks, then searched
//! for between the last two rates.

use millrace_model::Result;

use super::limits;
use super::outcome::Outcome;

/// By how much the rate is raised.
const RAISE: f64 = 1.25;

/// How close the two rates are when the search ends.
const CLOSE: f64 = 1.05;

/// One threshold and the value measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Its option.
    pub name: &'static str,
    /// The value required.
    pub wanted: f64,
    /// The value measured.
    pub found: f64,
    /// Whether that is enough.
    pub met: bool,
}

impl Judgement {
    /// A value that may be at most so large.
    pub(crate) fn at_most(name: &'static str, wanted: f64, found: f64) -> Judgement {
        Judgement { name, wanted, found, met: found <= wanted }
    }

    /// A value that must be at least so large.
    pub(crate) fn at_least(name: &'static str, wanted: f64, found: f64) -> Judgement {
        Judgement { name, wanted, found, met: wanted <= found }
    }
}

/// The measurement of one run, or of the best run of a search.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) outcome: Outcome,
    pub(crate) judgements: Vec<Judgement>,
    pub(crate) steps: Vec<Step>,
    /// The highest rate that met all thresholds, if this was a search and one did.
    pub(crate) rate_max: Option<f64>,
}

/// One run of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) rate: f64,
    pub(crate) answered_per_second: f64,
    pub(crate) p99_ms: f64,
    pub(crate) errors: u64,
    pub(crate) met: bool,
}

impl Measured {
    /// One run by itself.
    pub(crate) fn of(outcome: Outcome, judgements: Vec<Judgement>) -> Measured {
        Measured { outcome, judgements, steps: Vec::new(), rate_max: None }
    }

    fn met(&self) -> bool {
        self.judgements.iter().all(|judgement| judgement.met)
    }
}

impl Step {
    /// A line of a report.
    pub(crate) fn line(&self) -> String {
        let Step { rate, answered_per_second, p99_ms, errors, met } = self;
        let word = if *met { "met" } else { "BROKEN" };
        format!(
            "{rate:.1}/s asked, {answered_per_second:.1}/s answered, p99 {p99_ms:.2} ms, {errors} errors: {word}"
        )
    }

    /// The same for programs.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "rate": self.rate,
            "answered_per_second": self.answered_per_second,
            "p99_ms": self.p99_ms,
            "errors": self.errors,
            "met": self.met,
        })
    }
}

/// Searches. The result is that of the run with the highest rate that met all thresholds, or of the
/// first run if that broke one.
pub(crate) fn search(
    first: f64,
    at_rate: &mut dyn FnMut(f64) -> Result<Measured>,
    on_step: &mut dyn FnMut(&Step),
) -> Result<Measured> {
    let mut steps = Vec::new();
    let mut best: Option<(f64, Measured)> = None;
    let mut broke: Option<(f64, Measured)> = None;
    let mut rate = first;
    while steps.len() < limits::SEARCH_RUNS_MAX && rate <= limits::RATE_MAX {
        let measured = at_rate(rate)?;
        let step = step(rate, &measured);
        on_step(&step);
        steps.push(step);
        match step.met {
            true => best = Some((rate, measured)),
            false => broke = Some((rate, measured)),
        }
        rate = match (&best, &broke) {
            (Some((low, _)), None) => low * RAISE,
            (Some((low, _)), Some((high, _))) if low * CLOSE < *high => (low * high).sqrt(),
            _ => break,
        };
    }
    let rate_max = best.as_ref().map(|(rate, _)| *rate);
    let (_, measured) = match best.or(broke) {
        Some(found) => found,
        None => (first, at_rate(first)?),
    };
    Ok(Measured { steps, rate_max, ..measured })
}

fn step(rate: f64, measured: &Measured) -> Step {
    let outcome = &measured.outcome;
    Step {
        rate,
        answered_per_second: outcome.rate(),
        p99_ms: outcome.latencies.percentile(99.0).as_secs_f64() * 1e3,
        errors: outcome.error_count(),
        met: measured.met(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(first: f64, limit: f64) -> Measured {
        let mut at_rate = |rate: f64| {
            let met = rate <= limit;
            let judgement = Judgement { name: "--p99-max-ms", wanted: 1.0, found: rate, met };
            let (outcome, judgements) = (Outcome::default(), vec![judgement]);
            Ok(Measured::of(outcome, judgements))
        };
        search(first, &mut at_rate, &mut |_| {}).unwrap()
    }

    #[test]
    fn a_search_ends_within_a_twentieth_below_the_limit() {
        let found = searched(100.0, 777.0);
        let rate = found.rate_max.unwrap();
        assert!(rate <= 777.0 && 777.0 < rate * CLOSE, "{rate}");
        assert_eq!(found.judgements[0].found, rate, "what is reported is the run of that rate");
        assert!(found.judgements[0].met);
        assert!(found.steps.windows(2).any(|pair| pair[1].rate < pair[0].rate), "it searched back");
    }

    #[test]
    fn a_first_rate_that_breaks_is_reported_and_is_no_maximum() {
        let found = searched(100.0, 50.0);
        assert_eq!((found.rate_max, found.steps.len()), (None, 1));
        assert!(!found.met());
    }
}
