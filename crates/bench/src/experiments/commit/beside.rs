//! `commit.beside`: small commits while a transaction of ten million edges is written and commits.
//!
//! Small commits are sent from the moment the large transaction begins until it is visible.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use millrace_db::store::{Isolation, Transaction};
use millrace_model::{Result, VertexId};

use super::check::Degrees;
use super::ends::Ends;
use super::open_model::{milliseconds, send};
use crate::data::io_error;
use crate::experiments::graph::{GraphPlan, OpenGraph, Shape};
use crate::experiments::measurement::{Conditions, settings};
use crate::limit;
use crate::machine::joined;
use crate::process::Meter;
use crate::report::{Row, Unit};

/// Edges of the large transaction at full size.
const LARGE_EDGES: f64 = 1e7;

/// Edges it creates with one call.
const LARGE_PART: u64 = 50_000;

/// Small commits due in a second.
const RATE: f64 = 1_000.0;

/// How long a lone writer is measured before.
const QUIET: Duration = Duration::from_secs(5);

const SMALL_SEED: u64 = 3_001;
const LARGE_SEED: u64 = 3_002;

pub(in crate::experiments) fn beside(conditions: &Conditions) -> Result<Row> {
    let plan = GraphPlan::sized(conditions, Shape::Random, false);
    let copy = plan.copied(conditions, "commit.beside")?;
    let graph = OpenGraph::open(copy.path(), settings())?;
    let mut expected = Degrees::of(&graph)?;
    let quiet = conditions.seconds.map_or(QUIET, Duration::from_secs_f64).min(QUIET);
    let file = copy.path().join("lone.writer");
    let lone = limit::lone_writer(&file, quiet).map_err(|error| io_error(&file, &error))?;
    let edges = (LARGE_EDGES * conditions.scale) as u64;
    let meter = Meter::start();
    let small = Ends::random(&graph.vertices, SMALL_SEED);
    let large = Ends::random(&graph.vertices, LARGE_SEED);
    let done = AtomicBool::new(false);
    let (sent, written, seconds) = thread::scope(|scope| {
        let writing = scope.spawn(|| {
            let written = write_large(&graph, large.clone(), edges);
            done.store(true, Ordering::Relaxed);
            written.map(|written| (written, meter.seconds()))
        });
        let sent = send(&graph, small.clone(), RATE, &done);
        let (written, seconds): (f64, f64) = joined(writing)?;
        sent.map(|sent| (sent, written, seconds))
    })?;
    let row = Row::new(milliseconds(&sent.latencies, 99.9), Unit::Milliseconds)
        .beside(milliseconds(&lone, 99.9))
        .with_figures(sent.figures())
        .with("large_transaction", seconds, Unit::Seconds)
        .with("its_commit", seconds - written, Unit::Seconds)
        .with("checkpoints", graph.metric("millrace_checkpoints_total"), Unit::Count)
        .with_figures(meter.figures());
    expected.add(small, sent.count);
    expected.add(large, edges);
    expected.require(&graph)?;
    graph.close();
    Ok(row)
}

/// Writes and commits the large transaction; the seconds until its commit began.
fn write_large(graph: &OpenGraph, mut ends: Ends, edges: u64) -> Result<f64> {
    let began = Instant::now();
    let transaction = Transaction::begin(Arc::clone(&graph.store), Isolation::Snapshot)?;
    for first in (0..edges).step_by(LARGE_PART as usize) {
        let part = first..edges.min(first + LARGE_PART);
        let (sources, targets): (Vec<VertexId>, Vec<VertexId>) =
            part.map(|_| ends.sample()).unzip();
        transaction.create_edges(graph.edge_type, &sources, &targets, &[])?;
    }
    let written = began.elapsed().as_secs_f64();
    transaction.commit()?.wait()?;
    Ok(written)
}
