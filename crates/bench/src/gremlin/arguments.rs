//! Arguments of `millrace bench gremlin`, and the settings that follow from them.

use std::path::PathBuf;
use std::time::Duration;

use millrace_model::Result;
use millrace_wire::gremlin::Format;
use millrace_wire::gremlin::graphson::Version;

use super::client::Address;
use super::limits;
use super::preset::Preset;
use super::thresholds::Thresholds;
use super::workload::Workload;
use crate::load::Schedule;
use crate::load::arguments::within;
use crate::load::limits::{RATE_MAX, SECONDS_MAX};

/// Arguments of `millrace bench gremlin`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Arguments {
    /// The server, any that speaks Gremlin's protocol of 3.x.
    #[arg(long, value_name = "URL", default_value = "ws://127.0.0.1:8182/gremlin")]
    pub url: String,
    /// One of the article's experiments; options beside it win.
    #[arg(long, value_name = "NAME")]
    pub preset: Option<Preset>,
    /// How requests are written.
    #[arg(long, value_name = "FORMAT", default_value = "graphbinary")]
    pub format: Serializer,
    /// The traversal source on the server, if g means another one there.
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
    /// Connections.
    #[arg(long, value_name = "COUNT")]
    pub connections: Option<usize>,
    /// Closed model: so many requests of a connection are under way at any time.
    #[arg(long, value_name = "COUNT")]
    pub in_flight: Option<usize>,
    /// Open model: so many requests a second, whether or not earlier ones were answered.
    #[arg(long, value_name = "PER_SECOND", conflicts_with = "in_flight")]
    pub rate: Option<f64>,
    /// Open model: the rate goes from --rate to this one, evenly or in --steps.
    #[arg(long, value_name = "PER_SECOND", conflicts_with = "in_flight")]
    pub ramp_to: Option<f64>,
    /// In how many steps of equal length the rate goes to --ramp-to.
    #[arg(long, value_name = "COUNT", requires = "ramp_to")]
    pub steps: Option<u32>,
    /// Raise the rate from --rate on, a run of --seconds each, until --p99-max-ms or --errors-max (0 if it
    /// is not given) breaks; then search between the last two rates.
    #[arg(long, requires = "p99_max_ms", conflicts_with_all = ["in_flight", "ramp_to"])]
    pub find_max: bool,
    /// Vertices that a request adds.
    #[arg(long, value_name = "COUNT")]
    pub batch: Option<usize>,
    /// Whether values are variables, or stand in the text, so that no two texts are equal.
    #[arg(long, value_name = "HOW")]
    pub script: Option<Script>,
    /// The last step of the traversal, which decides the results that are sent back.
    #[arg(long, value_name = "HOW")]
    pub end: Option<End>,
    /// A file with a script of your own, instead of adding vertices.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["batch", "script", "end"])]
    pub query: Option<PathBuf>,
    /// The variables of --query: a CSV file without quotes that has their names in its header; each
    /// request takes the next row.
    #[arg(long, value_name = "FILE", requires = "query")]
    pub bindings: Option<PathBuf>,
    /// How long is measured.
    #[arg(long, value_name = "SECONDS")]
    pub seconds: Option<f64>,
    /// How long requests are sent before that, which are not measured.
    #[arg(long, value_name = "SECONDS")]
    pub warm_up: Option<f64>,
    /// Which random values are sent.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Asks the server to give up on a request after so long.
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
    /// Also report the server's processor time for each request, by the names of its threads: the
    /// number of its process on this machine.
    #[arg(long, value_name = "PID")]
    pub server_pid: Option<u32>,
    /// Fail if the 99th percentile of latency is above.
    #[arg(long, value_name = "MS")]
    pub p99_max_ms: Option<f64>,
    /// Fail if there are more errors.
    #[arg(long, value_name = "COUNT")]
    pub errors_max: Option<u64>,
    /// Fail if there are fewer answers a second without an error.
    #[arg(long, value_name = "PER_SECOND")]
    pub rate_min: Option<f64>,
    /// Write a report with charts to this file: one HTML page that needs nothing else.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write all figures to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// How requests are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Serializer {
    /// GraphBinary 1.
    #[default]
    #[value(name = "graphbinary")]
    GraphBinary,
    /// GraphSON 3.
    #[value(name = "graphson")]
    GraphSon,
}

/// Where values of a script stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Script {
    /// In variables: every request has the same text.
    #[default]
    Parameterized,
    /// In the text: every request has another one.
    Literal,
}

/// How a traversal ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum End {
    /// `count()`: a number is sent back.
    Count,
    /// `iterate()`: nothing is sent back.
    #[default]
    Iterate,
    /// `id()`: the id of the last vertex is sent back.
    Ids,
    /// Nothing: the last vertex is sent back, with the properties that the server returns.
    None,
}

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
            Some(preset) => preset.beside(arguments),
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
