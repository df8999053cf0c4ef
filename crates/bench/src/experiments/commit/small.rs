//! `commit.small` and `commit.hub`: one-edge transactions in process, by tickets, while checkpoints
//! come and go.
//!
//! The limit beside them is plain code that writes a log of the same bytes for each edge, one sync
//! for whatever gathered, and appends to arrays.

use std::ops::Range;
use std::time::Duration;

use millrace_model::Result;

use super::check::Degrees;
use super::ends::Ends;
use super::in_flight::{IN_FLIGHT, fly};
use crate::data::io_error;
use crate::experiments::graph::{GraphPlan, OpenGraph, Shape};
use crate::experiments::measurement::{Conditions, settings};
use crate::limit::{self, GroupLog};
use crate::process::Meter;
use crate::report::{Row, Unit};

/// How long the rows are measured.
const SECONDS: f64 = 60.0;

/// The limit is measured for this part of the time.
const LIMIT_SHARE: f64 = 0.1;

/// Checkpoints without which the figure is not that of a store at work.
const CHECKPOINTS_MIN: f64 = 2.0;

const CHECKPOINTS: &str = "checkpoints";
const LOG_BYTES_EACH: &str = "log_bytes_each";

/// The seeds of the clients' random ends, one for each thread that commits.
const SEEDS: [u64; 2] = [1_001, 1_002];

/// Random ends in a graph of degree 100.
pub(in crate::experiments) fn small(conditions: &Conditions) -> Result<Row> {
    measure(conditions, "commit.small", Shape::Random, Ends::random)
}

/// All into one vertex that has as many edges as there are vertices.
pub(in crate::experiments) fn hub(conditions: &Conditions) -> Result<Row> {
    measure(conditions, "commit.hub", Shape::Hub, Ends::into_hub)
}

fn measure(
    conditions: &Conditions,
    name: &str,
    shape: Shape,
    ends: fn(&Range<u64>, u64) -> Ends,
) -> Result<Row> {
    let copy = GraphPlan::sized(conditions, shape, false).copied(conditions, name)?;
    let graph = OpenGraph::open(copy.path(), settings())?;
    let ends = SEEDS.map(|seed| ends(&graph.vertices, seed));
    let mut expected = Degrees::of(&graph)?;
    let seconds = conditions.seconds.unwrap_or(SECONDS);
    let (row, committed) = commit_for(&graph, &ends, Duration::from_secs_f64(seconds))?;
    for (ends, committed) in ends.iter().zip(committed) {
        expected.add(ends.clone(), committed);
    }
    expected.require(&graph)?;
    let log = GroupLog {
        record_bytes: row.figure(LOG_BYTES_EACH).unwrap_or_default() as usize,
        in_flight: IN_FLIGHT as u64,
        vertices: graph.vertices.end,
    };
    graph.close();
    let mut ends = ends[0].clone();
    let sample = || {
        let (source, target) = ends.sample();
        (source.0 as u32, target.0 as u32)
    };
    let file = copy.path().join("limit.log");
    let reference =
        limit::group_log(&log, &file, Duration::from_secs_f64(seconds * LIMIT_SHARE), sample);
    let reference = reference.map_err(|error| io_error(&file, &error))?;
    let few = row.figure(CHECKPOINTS).is_some_and(|checkpoints| checkpoints < CHECKPOINTS_MIN);
    let short = few && conditions.seconds.is_none();
    let fault = short.then(|| "there were fewer than two checkpoints".to_owned());
    Ok(Row { fault, ..row.beside(reference) })
}

/// Lets the clients commit. Returns the row without its reference, and the commits of each client.
fn commit_for(graph: &OpenGraph, ends: &[Ends], span: Duration) -> Result<(Row, Vec<u64>)> {
    let meter = Meter::start();
    let counted = || {
        let names = ["millrace_log_written_bytes_total", "millrace_log_syncs_total"];
        names.map(|name| graph.metric(name))
    };
    let before = counted();
    let flown = fly(graph, ends, span)?;
    let after = counted();
    let committed = flown.committed.iter().sum::<u64>() as f64;
    let log_bytes = (after[0] - before[0]) / committed;
    let commits_a_sync = committed / (after[1] - before[1]);
    let processor = meter.processor_seconds().map_or(f64::NAN, |used| used / committed * 1e6);
    let row = Row::new(flown.in_time as f64 / flown.seconds, Unit::PerSecond)
        .with_figures(meter.figures())
        .with(CHECKPOINTS, graph.metric("millrace_checkpoints_total"), Unit::Count)
        .with("changes_in_memory", graph.metric("millrace_delta_bytes"), Unit::Bytes)
        .with("commits_a_sync", commits_a_sync.round(), Unit::Count)
        .with(LOG_BYTES_EACH, log_bytes.round(), Unit::Count)
        .with("processor_time_each", processor, Unit::Microseconds);
    Ok((row, flown.committed))
}
