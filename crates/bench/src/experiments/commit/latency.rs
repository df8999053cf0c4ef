//! `commit.latency`: the latency of commits while checkpoints and a full scan run beside them.
//!
//! ```text
//!   quiet: a lone writer of 4 KiB ──> the reference
//!   the same beside plain code that computes and writes ──> the machine's own share of the latency
//!   then, together: 20,000 commits a second │ a checkpoint every few seconds │ scan after scan
//!   the lone writer again: whether the disk is as fast as before
//! ```

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use millrace_model::Result;

use super::bystander::Bystander;
use super::check::Degrees;
use super::ends::Ends;
use super::open_model::{Sent, milliseconds, send};
use super::walk::walk;
use crate::data::io_error;
use crate::experiments::graph::{GraphPlan, OpenGraph, Shape};
use crate::experiments::measurement::{Conditions, settings};
use crate::limit;
use crate::machine::joined;
use crate::measure::Histogram;
use crate::process::Meter;
use crate::report::{Row, Unit};

/// How long commits are sent.
const SECONDS: f64 = 60.0;

/// Each measurement of a lone writer takes this part of the time.
const LONE_SHARE: f64 = 0.15;

/// Commits due in a second.
const RATE: f64 = 20_000.0;

/// Checkpoints are asked for so many times at least, one after the other.
const CHECKPOINTS: f64 = 6.0;

/// With fewer checkpoints or scans than this, the row is faulty: the load that its name promises was missing.
const BESIDE_MIN: f64 = 2.0;

const SEED: u64 = 2_001;

/// How often a thread that waits looks whether it should go on.
const LOOK: Duration = Duration::from_millis(5);

pub(in crate::experiments) fn latency(conditions: &Conditions) -> Result<Row> {
    let plan = GraphPlan::sized(conditions, Shape::Random, false);
    let copy = plan.copied(conditions, "commit.latency")?;
    let graph = OpenGraph::open(copy.path(), settings())?;
    let mut expected = Degrees::of(&graph)?;
    let span = Duration::from_secs_f64(conditions.seconds.unwrap_or(SECONDS));
    let file = copy.path().join("lone.writer");
    let measured = |writer: fn(&Path, Duration) -> io::Result<Histogram>| {
        writer(&file, span.mul_f64(LONE_SHARE)).map_err(|error| io_error(&file, &error))
    };
    let (lone, beside) = (measured(limit::lone_writer)?, measured(limit::lone_writer_beside)?);
    let meter = Meter::start();
    let ends = Ends::random(&graph.vertices, SEED);
    let (sent, scans, bystander) = send_beside(&graph, ends.clone(), span)?;
    let checkpoints = graph.metric("millrace_checkpoints_total");
    let log_write_max = graph.metric("millrace_log_write_seconds_max") * 1e3;
    let row = Row::new(milliseconds(&sent.latencies, 99.9), Unit::Milliseconds)
        .beside(milliseconds(&lone, 99.9))
        .with_figures(sent.figures())
        .with_figures(bystander.figures(&sent))
        .with("log_write_mean", log_write_mean(&graph), Unit::Milliseconds)
        .with("log_write_max", log_write_max, Unit::Milliseconds)
        .with("log_slow_writes", graph.metric("millrace_log_slow_writes_total"), Unit::Count)
        .with("writers_slowed", graph.metric("millrace_writers_slowed_total"), Unit::Count)
        .with("writers_stalled", graph.metric("millrace_writers_stalled_total"), Unit::Count)
        .with("checkpoints", checkpoints, Unit::Count)
        .with("scans", scans, Unit::Count)
        .with("lone_writer_p50", milliseconds(&lone, 50.0), Unit::Milliseconds)
        .with("lone_writer_beside_p99.9", milliseconds(&beside, 99.9), Unit::Milliseconds)
        .with_figures(meter.figures());
    expected.add(ends, sent.count);
    expected.require(&graph)?;
    graph.close();
    let after = milliseconds(&measured(limit::lone_writer)?, 99.9);
    let row = row.with("lone_writer_after_p99.9", after, Unit::Milliseconds);
    let short = conditions.seconds.is_none() && checkpoints.min(scans) < BESIDE_MIN;
    let fault = short.then(|| format!("{checkpoints} checkpoints and {scans} scans ran beside"));
    Ok(Row { fault, ..row })
}

/// The mean time of a write of the log with its sync, in milliseconds.
fn log_write_mean(graph: &OpenGraph) -> f64 {
    let [seconds, syncs] =
        ["write_seconds", "syncs"].map(|what| graph.metric(&format!("millrace_log_{what}_total")));
    seconds / syncs.max(1.0) * 1e3
}

/// Sends commits while scans and checkpoints run. Returns the commits, the number of complete scans,
/// and the measurements of a thread that only slept.
fn send_beside(graph: &OpenGraph, ends: Ends, span: Duration) -> Result<(Sent, f64, Bystander)> {
    let (done, scans) = (AtomicBool::new(false), AtomicU64::new(0));
    let (sent, bystander) = thread::scope(|scope| {
        let scanning = scope.spawn(|| scan_until(graph, &done, &scans));
        let checkpointing = scope.spawn(|| checkpoint_until(graph, span, &done));
        let timing = scope.spawn(|| Bystander::end_after(span, &done));
        let sent = send(graph, ends, RATE, &done);
        let bystander = joined(timing);
        (joined(scanning).and(joined(checkpointing)).and(sent), bystander)
    });
    Ok((sent?, scans.load(Ordering::Relaxed) as f64, bystander))
}

fn scan_until(graph: &OpenGraph, done: &AtomicBool, scans: &AtomicU64) -> Result<()> {
    while !done.load(Ordering::Relaxed) {
        let snapshot = graph.store.snapshot()?;
        if walk(graph, &*snapshot, done)?.whole {
            scans.fetch_add(1, Ordering::Relaxed);
        }
    }
    Ok(())
}

fn checkpoint_until(graph: &OpenGraph, span: Duration, done: &AtomicBool) -> Result<()> {
    let every = span.div_f64(CHECKPOINTS + 1.0);
    let mut due = Instant::now() + every;
    while !done.load(Ordering::Relaxed) {
        if Instant::now() < due {
            thread::sleep(LOOK);
            continue;
        }
        graph.database.checkpoint()?;
        due = Instant::now().max(due + every);
    }
    Ok(())
}
