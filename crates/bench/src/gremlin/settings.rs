//! The settings of a run, derived from its arguments.

use std::time::Duration;

use millrace_model::Result;
use millrace_wire::gremlin::Format;
use millrace_wire::gremlin::graphson::Version;

use super::arguments::{Arguments, Serializer};
use super::client::Address;
use super::limits;
use super::preset::Preset;
use super::thresholds::Thresholds;
use super::workload::Workload;
use crate::load::Schedule;
use crate::load::arguments::within;
use crate::load::limits::{RATE_MAX, SECONDS_MAX};

/// When requests are sent.
#[derive(Clone, Debug)]
pub(super) enum Model {
    /// When one of so many of a connection was answered.
    Closed { in_flight: usize },
    /// When they are due.
    Open(Schedule),
}

/// The settings of a run, derived from the arguments.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) address: Address,
    pub(super) format: Format,
    pub(super) source: Option<String>,
    pub(super) timeout_ms: Option<u64>,
    pub(super) server_pid: Option<u32>,
    pub(super) connections: usize,
    pub(super) model: Model,
    pub(super) finds_max: bool,
    pub(super) workload: Workload,
    pub(super) warm_up: Duration,
    pub(super) measured: Duration,
    pub(super) seed: u64,
    pub(super) thresholds: Thresholds,
    pub(super) preset: Option<Preset>,
}

/// The first rate of a search that names none.
const FIRST_RATE: f64 = 100.0;

impl Settings {
    pub(super) fn of(arguments: &Arguments) -> Result<Settings> {
        let arguments = &match arguments.preset {
            Some(preset) => with_preset(preset, arguments),
            None => arguments.clone(),
        };
        let connections = arguments.connections.unwrap_or(4);
        within("--connections", connections as f64, 1.0, limits::CONNECTIONS_MAX as f64)?;
        let (seconds, warm_up) =
            (arguments.seconds.unwrap_or(30.0), arguments.warm_up.unwrap_or(5.0));
        within("--seconds", seconds, 0.1, SECONDS_MAX)?;
        within("--warm-up", warm_up, 0.0, SECONDS_MAX)?;
        let thresholds = Thresholds {
            p99_max_ms: arguments.p99_max_ms,
            errors_max: arguments.errors_max.or(arguments.find_max.then_some(0)),
            rate_min: arguments.rate_min,
        };
        Ok(Settings {
            address: Address::parse(&arguments.url)?,
            format: match arguments.format {
                Serializer::GraphBinary => Format::GraphBinary,
                Serializer::GraphSon => Format::GraphSon(Version::V3),
            },
            source: arguments.source.clone(),
            timeout_ms: arguments.timeout_ms,
            server_pid: arguments.server_pid,
            connections,
            model: model(arguments, warm_up, seconds)?,
            finds_max: arguments.find_max,
            workload: workload(arguments)?,
            warm_up: Duration::from_secs_f64(warm_up),
            measured: Duration::from_secs_f64(seconds),
            seed: arguments.seed,
            thresholds,
            preset: arguments.preset,
        })
    }
}

fn model(arguments: &Arguments, warm_up: f64, seconds: f64) -> Result<Model> {
    let first = arguments.rate.or(arguments.find_max.then_some(FIRST_RATE));
    let Some(rate) = first.or(arguments.ramp_to.map(|_| 1.0)) else {
        let in_flight = arguments.in_flight.unwrap_or(16);
        within("--in-flight", in_flight as f64, 1.0, limits::IN_FLIGHT_MAX as f64)?;
        return Ok(Model::Closed { in_flight });
    };
    within("--rate", rate, 0.001, RATE_MAX)?;
    let schedule = Schedule::constant(rate, warm_up);
    Ok(Model::Open(match (arguments.ramp_to, arguments.steps) {
        (None, _) => schedule.then_constant(rate, seconds),
        (Some(last), steps) => {
            within("--ramp-to", last, 0.001, RATE_MAX)?;
            match steps {
                None => schedule.then_ramp(rate, last, seconds),
                Some(steps) => {
                    within("--steps", steps.into(), 2.0, limits::STEPS_MAX.into())?;
                    schedule.then_steps(rate, last, steps, seconds)
                }
            }
        }
    }))
}

fn workload(arguments: &Arguments) -> Result<Workload> {
    if let Some(query) = &arguments.query {
        return Workload::of_files(query, arguments.bindings.as_deref());
    }
    let batch = arguments.batch.unwrap_or(10);
    within("--batch", batch as f64, 1.0, limits::BATCH_MAX as f64)?;
    let script = arguments.script.unwrap_or_default();
    Ok(Workload::insert(batch, script, arguments.end.unwrap_or_default()))
}

/// A preset's arguments, where they do not say otherwise.
fn with_preset(preset: Preset, given: &Arguments) -> Arguments {
    let (rate, ramp_to, script) = preset.rates_and_script();
    let mut arguments = given.clone();
    let is_insert = given.query.is_none();
    arguments.batch = given.batch.or(is_insert.then_some(10));
    arguments.script = given.script.or(is_insert.then_some(script));
    arguments.seconds = given.seconds.or(Some(300.0));
    arguments.connections = given.connections.or(Some(8));
    if given.in_flight.is_none() {
        arguments.rate = given.rate.or(Some(rate));
        let keeps_ramp = given.rate.is_none() && !given.find_max;
        arguments.ramp_to = given.ramp_to.or(ramp_to.filter(|_| keeps_ramp));
    }
    arguments
}
