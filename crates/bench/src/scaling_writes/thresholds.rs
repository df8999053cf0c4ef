//! The thresholds of the experiment: one node a request must need neither an accumulator nor a queue.

use super::outcome::{Experiment, Measurement, Run};
use super::variant::Variant;
use crate::load::Judgement;
use crate::load::latency::millis;

/// By how much the variant with 100 requests a batch may be faster than one node a request.
const SHARE_MIN: f64 = 0.5;

/// Judges what was measured, as far as it was.
pub(super) fn judge(variants: &[Measurement]) -> Vec<Judgement> {
    let few = |variant: Variant| {
        let measurement = variants.iter().find(|measurement| measurement.variant == variant)?;
        measurement.closed.first()
    };
    let rate = |run: &Run| run.outcome.rate();
    let max = |run: &Run| millis(run.outcome.latencies.max());
    let node = few(Variant::Node);
    let share = node.zip(few(Variant::Nodes100)).map(|(node, hundred)| {
        let share = rate(node) / rate(hundred).max(f64::EPSILON);
        Judgement::at_least("node: requests/s as a share of nodes-100", SHARE_MIN, share)
    });
    let longest = node.zip(few(Variant::Nodes5000)).map(|(node, batches)| {
        Judgement::at_most("node: max below nodes-5000, ms", max(batches), max(node))
    });
    let crashes = |variant: Variant| {
        variants.iter().find(|measurement| measurement.variant == variant)?.crashes()
    };
    let lost = crashes(Variant::Node)
        .map(|crashes| Judgement::at_most("node: lost in crashes", 0.0, crashes.lost as f64));
    let runs = variants.iter().flat_map(|measurement| &measurement.closed);
    let missing: u64 = runs.map(|run| run.arrival.missing()).sum();
    let missing = Judgement::at_most("missing without a crash", 0.0, missing as f64);
    [share, longest, lost, Some(missing)].into_iter().flatten().collect()
}

impl Experiment {
    /// Whether every threshold that counts was met.
    pub(super) fn is_met(&self) -> bool {
        !self.is_judged || self.judgements.iter().all(|judgement| judgement.met)
    }
}
