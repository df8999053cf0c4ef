//! The JSON a program reads: latencies in milliseconds, everything unrounded.

use serde_json::{Map, Value, json};

use super::super::outcome::{Arrival, Crash, Experiment, Measurement, Run};
use crate::load::json::{errors, judgements, latency, second};
use crate::load::latency::millis;
use crate::load::{Measured, Outcome, Step};

/// All figures.
pub(in super::super) fn json(experiment: &Experiment) -> String {
    let conditions = experiment.conditions.iter();
    let conditions: Map<String, Value> =
        conditions.map(|(name, value)| ((*name).to_owned(), value.clone().into())).collect();
    let variants: Vec<Value> = experiment.variants.iter().map(variant).collect();
    let report = json!({
        "machine": experiment.machine.json(),
        "conditions": conditions,
        "variants": variants,
        "notes": experiment.notes,
        "thresholds": judgements(&experiment.judgements),
        "judged": experiment.is_judged,
        "met": experiment.judgements.iter().all(|judgement| judgement.met),
    });
    format!("{report:#}\n")
}

fn variant(measurement: &Measurement) -> Value {
    let variant = measurement.variant;
    json!({
        "variant": variant.name(),
        "meaning": variant.meaning(),
        "path": variant.path(),
        "closed": measurement.closed.iter().map(run).collect::<Vec<_>>(),
        "open": measurement.open.as_ref().map(open),
        "crashes": measurement.crashes.iter().map(crash).collect::<Vec<_>>(),
    })
}

fn run(run: &Run) -> Value {
    let processors = run.processors.iter();
    let processors: Map<String, Value> =
        processors.map(|(name, seconds)| ((*name).to_owned(), (*seconds).into())).collect();
    json!({
        "users": run.users,
        "requests_per_user": run.requests,
        "summary": summary(&run.outcome),
        "arrived": arrival(&run.arrival),
        "processor_seconds": processors,
        "errors": errors(&run.outcome.errors),
        "seconds": run.outcome.seconds.iter().map(second).collect::<Vec<_>>(),
    })
}

fn summary(outcome: &Outcome) -> Value {
    json!({
        "requests": outcome.requests,
        "answered": outcome.answered,
        "errors": outcome.error_count(),
        "measured_seconds": outcome.measured.as_secs_f64(),
        "answered_per_second": outcome.rate(),
        "mean_ms": millis(outcome.latencies.mean()),
        "latency_ms": latency(&outcome.latencies),
    })
}

fn arrival(arrival: &Arrival) -> Value {
    json!({
        "answered": arrival.answered,
        "nodes": arrival.found.nodes,
        "distinct": arrival.found.distinct,
        "missing": arrival.missing(),
        "seconds": arrival.span.as_secs_f64(),
        "nodes_per_second": arrival.rate(),
    })
}

fn open(open: &Measured) -> Value {
    json!({
        "rate_max": open.rate_max,
        "summary": summary(&open.outcome),
        "errors": errors(&open.outcome.errors),
        "search": open.steps.iter().map(Step::json).collect::<Vec<_>>(),
    })
}

fn crash(crash: &Crash) -> Value {
    json!({
        "after_ms": millis(crash.after),
        "answered": crash.answered,
        "found": crash.found,
        "lost": crash.lost,
        "unanswered": crash.unanswered,
        "twice": crash.repeated,
    })
}
