//! The thresholds of a run, and whether it met them.

use crate::load::{Judgement, Outcome};

/// The thresholds of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Thresholds {
    pub(super) p99_max_ms: Option<f64>,
    pub(super) errors_max: Option<u64>,
    pub(super) rate_min: Option<f64>,
}

impl Thresholds {
    pub(super) fn judge(&self, outcome: &Outcome) -> Vec<Judgement> {
        let p99 = outcome.latencies.percentile(99.0).as_secs_f64() * 1e3;
        let errors = outcome.error_count() as f64;
        let rate = outcome.rate();
        let judged = [
            self.p99_max_ms.map(|wanted| Judgement::at_most("--p99-max-ms", wanted, p99)),
            self.errors_max.map(|wanted| Judgement::at_most("--errors-max", wanted as f64, errors)),
            self.rate_min.map(|wanted| Judgement::at_least("--rate-min", wanted, rate)),
        ];
        judged.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::ErrorCount;
    use std::time::Duration;

    #[test]
    fn each_threshold_is_judged_by_its_own_figure() {
        let (measured, answered_in_time) = (Duration::from_secs(2), 60);
        let mut outcome = Outcome { measured, answered_in_time, ..Outcome::default() };
        outcome.latencies.record(Duration::from_millis(40));
        outcome.errors.insert("597".into(), ErrorCount { count: 2, first: String::new() });
        let thresholds = |p99: f64, errors: u64, rate: f64| Thresholds {
            p99_max_ms: Some(p99),
            errors_max: Some(errors),
            rate_min: Some(rate),
        };
        let met = |thresholds: Thresholds| {
            let judged = thresholds.judge(&outcome).into_iter();
            judged.map(|judgement| judgement.met).collect::<Vec<_>>()
        };
        assert_eq!(met(thresholds(41.0, 2, 30.0)), [true, true, true]);
        assert_eq!(met(thresholds(39.0, 1, 30.1)), [false, false, false]);
        assert!(met(Thresholds::default()).is_empty());
    }
}
