//! The JSON a program reads: latencies in milliseconds, everything unrounded.

use serde_json::{Map, Value, json};

use super::super::settings::Settings;
use super::conditions;
use crate::load::RequestTime;
use crate::load::json::{errors, judgements, latency, second};
use crate::load::latency::millis;
use crate::load::{Measured, Outcome, Step};
use crate::machine::Machine;

/// All figures.
pub(in super::super) fn json(settings: &Settings, measured: &Measured) -> String {
    let outcome = &measured.outcome;
    let conditions = conditions(settings).into_iter();
    let conditions: Map<String, Value> =
        conditions.map(|(name, value)| (name.to_owned(), value.into())).collect();
    let steps = measured.steps.iter().map(Step::json);
    let report = json!({
        "client": Machine::here().json(),
        "conditions": conditions,
        "summary": summary(outcome),
        "errors": errors(&outcome.errors),
        "thresholds": judgements(&measured.judgements),
        "met": measured.judgements.iter().all(|judgement| judgement.met),
        "rate_max": measured.rate_max,
        "search": steps.collect::<Vec<_>>(),
        "seconds": outcome.seconds.iter().map(second).collect::<Vec<_>>(),
    });
    format!("{report:#}\n")
}

fn summary(outcome: &Outcome) -> Value {
    json!({
        "requests": outcome.requests,
        "answered": outcome.answered,
        "errors": outcome.error_count(),
        "answered_per_second": outcome.rate(),
        "latency_ms": latency(&outcome.latencies),
        "active_max": outcome.active_max,
        "sender_behind_max_ms": millis(outcome.sender_behind_max),
        "warm_up_requests": outcome.warm_up_requests,
        "client_cpu_seconds": outcome.client_cpu_seconds,
        "server_cpu_us_per_request": outcome.server_time.as_ref().map(server_time),
    })
}

fn server_time(time: &RequestTime) -> Value {
    let threads = time.parts.iter().map(|(name, time)| (name.clone(), (*time).into()));
    json!({ "whole": time.whole, "threads": threads.collect::<Map<String, Value>>() })
}
