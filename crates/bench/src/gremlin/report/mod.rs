//! The outcome of a run, for a person on a terminal ([`text`]), for programs ([`json`]) and as a page
//! with charts ([`html`]).

mod html;
mod json;
mod text;

pub(super) use html::html;
pub(super) use json::json;
pub(super) use text::text;

use std::borrow::Cow;

use super::settings::{Model, Settings};
use crate::load::Outcome;
use crate::load::RequestTime;
use crate::load::latency::{PERCENTILES, millis, percentile};

/// The settings of the run in words: name and value.
fn conditions(settings: &Settings) -> Vec<(&'static str, String)> {
    let model = match &settings.model {
        Model::Closed { in_flight } => format!("closed, {in_flight} requests of each connection"),
        Model::Open(_) if settings.finds_max => "open, the highest rate is searched for".into(),
        Model::Open(schedule) => format!("open, {}", schedule.shown()),
    };
    let mut conditions = vec![
        ("server", settings.address.url.clone()),
        ("format", settings.format.mime().to_owned()),
        ("connections", settings.connections.to_string()),
        ("model", model),
        ("warm-up", format!("{} s", settings.warm_up.as_secs_f64())),
        ("measured", format!("{} s", settings.measured.as_secs_f64())),
        ("requests", settings.workload.shown.clone()),
        ("seed", settings.seed.to_string()),
    ];
    conditions.extend(settings.preset.map(|preset| ("preset", preset.name().to_owned())));
    conditions
}

/// The figures of a run: name, value, unit.
fn figures(outcome: &Outcome) -> Vec<(Cow<'static, str>, f64, &'static str)> {
    let mut figures = vec![
        ("requests", outcome.requests as f64, ""),
        ("answers", outcome.answered as f64, ""),
        ("errors", outcome.error_count() as f64, ""),
        ("answers a second", outcome.rate(), "1/s"),
    ];
    let latencies = &outcome.latencies;
    figures.extend(PERCENTILES.map(|(name, percent)| (name, percentile(latencies, percent), "ms")));
    figures.push(("max", millis(latencies.max()), "ms"));
    figures.push(("most active requests", outcome.active_max as f64, ""));
    figures.push(("sender behind at most", millis(outcome.sender_behind_max), "ms"));
    figures.extend(outcome.client_cpu_seconds.map(|cpu| ("client processor time", cpu, "s")));
    let mut figures: Vec<_> =
        figures.into_iter().map(|(name, value, unit)| (Cow::from(name), value, unit)).collect();
    if let Some(RequestTime { whole, parts }) = &outcome.server_time {
        figures.push(("server's time a request".into(), *whole, "us"));
        let part = |(name, time): &(String, f64)| (format!("  {name}").into(), *time, "us");
        figures.extend(parts.iter().map(part));
    }
    figures
}
