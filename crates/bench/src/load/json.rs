//! The parts of a report for programs: latencies in milliseconds, everything unrounded.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::latency::{PERCENTILES, millis, percentile};
use super::{ErrorCount, Judgement, Second};
use crate::measure::Histogram;

/// Percentiles; null where nothing was measured.
pub(crate) fn latency(latencies: &Histogram) -> Value {
    if latencies.count() == 0 {
        return Value::Null;
    }
    let percentiles = PERCENTILES
        .map(|(name, percent)| (name.to_owned(), Value::from(percentile(latencies, percent))));
    let max = ("max".to_owned(), Value::from(millis(latencies.max())));
    Value::Object(percentiles.into_iter().chain([max]).collect())
}

/// Errors by code.
pub(crate) fn errors(errors: &BTreeMap<String, ErrorCount>) -> Value {
    let error = errors
        .iter()
        .map(|(code, error)| (code.clone(), json!({ "count": error.count, "first": error.first })));
    Value::Object(error.collect())
}

/// One second of a run.
pub(crate) fn second(second: &Second) -> Value {
    json!({
        "requests": second.requests,
        "answered": second.answered,
        "errors": second.errors,
        "active": second.active,
        "latency_ms": latency(&second.latencies),
    })
}

/// Thresholds and whether they were met.
pub(crate) fn judgements(judgements: &[Judgement]) -> Value {
    let judged = judgements.iter().map(|judgement| {
        json!({
            "option": judgement.name,
            "wanted": judgement.wanted,
            "found": judgement.found,
            "met": judgement.met,
        })
    });
    Value::Array(judged.collect())
}
