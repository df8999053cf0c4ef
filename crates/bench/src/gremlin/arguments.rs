//! Arguments of `millrace bench gremlin`.

use std::path::PathBuf;

use millrace_db::settings::measures::{millis_of_flag, seconds_of_flag, whole_millis_of_flag};

use super::preset::Preset;
use super::workload::{End, Script};

/// Arguments of `millrace bench gremlin`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Arguments {
    /// The server: any that speaks the Gremlin protocol of TinkerPop 3.x.
    #[arg(long, value_name = "URL", default_value = "ws://127.0.0.1:8182/gremlin")]
    pub url: String,
    /// One of the article's experiments; other options override it.
    #[arg(long, value_name = "NAME")]
    pub preset: Option<Preset>,
    /// How requests are written.
    #[arg(long, value_name = "FORMAT", default_value = "graphbinary")]
    pub format: Serializer,
    /// The traversal source on the server, if it is not g.
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
    /// Connections.
    #[arg(long, value_name = "COUNT")]
    pub connections: Option<usize>,
    /// Closed model: the number of requests in flight on each connection.
    #[arg(long, value_name = "COUNT")]
    pub in_flight: Option<usize>,
    /// Open model: requests per second, whether or not earlier ones were answered.
    #[arg(long, value_name = "PER_SECOND", conflicts_with = "in_flight")]
    pub rate: Option<f64>,
    /// Open model: the rate goes from --rate to this one, evenly or in --steps.
    #[arg(long, value_name = "PER_SECOND", conflicts_with = "in_flight")]
    pub ramp_to: Option<f64>,
    /// The number of steps of equal length in which the rate goes to --ramp-to.
    #[arg(long, value_name = "COUNT", requires = "ramp_to")]
    pub steps: Option<u32>,
    /// Raise the rate from --rate on, a run of --seconds each, until --p99-max-ms or --errors-max (0 if it
    /// is not given) breaks; then search between the last two rates.
    #[arg(long, requires = "p99_max_ms", conflicts_with_all = ["in_flight", "ramp_to"])]
    pub find_max: bool,
    /// Vertices that a request adds.
    #[arg(long, value_name = "COUNT")]
    pub batch: Option<usize>,
    /// Whether values are variables, or are in the text, so that no two texts are equal.
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
    /// How long to measure.
    #[arg(long, value_name = "SECONDS|TIME", value_parser = seconds_of_flag)]
    pub seconds: Option<f64>,
    /// How long to send requests before that, unmeasured.
    #[arg(long, value_name = "SECONDS|TIME", value_parser = seconds_of_flag)]
    pub warm_up: Option<f64>,
    /// The seed of the random values.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Ask the server to give up on a request after this time.
    #[arg(long, value_name = "MS|TIME", value_parser = whole_millis_of_flag)]
    pub timeout_ms: Option<u64>,
    /// Also report the server's processor time for each request, by the names of its threads: the
    /// number of its process on this machine.
    #[arg(long, value_name = "PID")]
    pub server_pid: Option<u32>,
    /// Fail if the 99th percentile of latency is above this.
    #[arg(long, value_name = "MS|TIME", value_parser = millis_of_flag)]
    pub p99_max_ms: Option<f64>,
    /// Fail if there are more errors than this.
    #[arg(long, value_name = "COUNT")]
    pub errors_max: Option<u64>,
    /// Fail if there are fewer answers without an error per second.
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
