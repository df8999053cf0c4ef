//! `recover`: a writer is killed when its log is full; from opening the folder until the first
//! write is acknowledged.
//!
//! ```text
//!   a process of its own: one-edge commits, checkpoints held back ──> log long enough ──> goes on
//!   this one:                                          answer <── kill -9 ──> open, write, check
//! ```
//!
//! The writer has one client, so commits have the order of its samples. The recovered commits must be a
//! prefix of that order, and must include every acknowledged commit.

use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Instant;

use millrace_model::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use super::check::Degrees;
use super::ends::Ends;
use super::in_flight::{Client, IN_FLIGHT};
use crate::experiments::graph::{GraphPlan, OpenGraph, Shape, without_checkpoints};
use crate::experiments::measurement::{Conditions, settings};
use crate::jobs::{Job, Worker};
use crate::process::Meter;
use crate::report::{Row, Unit};

/// Bytes of the log's files at full size: its bound, at which writers are held.
const LOG_BYTES: f64 = 512e6;

/// The part of them that is records at least; the rest is padding, and a file made ahead of need.
const RECORDS_SHARE: f64 = 0.4;

/// A writer that is not killed stops when its records are this multiple of the intended log.
const UNKILLED_FACTOR: f64 = 2.0;

const SEED: u64 = 5_001;

/// The job of the writer that will be killed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FillLog {
    folder: PathBuf,
    log_bytes: f64,
}

/// It answers, once the log is long enough, how much was acknowledged.
impl Job for FillLog {
    const NAME: &'static str = "FillLog";
}

impl FillLog {
    /// Commits until it is killed; `on_full` hears how much was acknowledged once the log is full. An
    /// error if it never is killed: the process that started it has gone.
    pub(crate) fn run(&self, on_full: &mut dyn FnMut(u64) -> Result<()>) -> Result<Infallible> {
        let graph = OpenGraph::open(&self.folder, without_checkpoints())?;
        let ends = Ends::random(&graph.vertices, SEED);
        let mut client = Client::new(&graph, ends, IN_FLIGHT);
        let mut is_full = false;
        loop {
            let acknowledged = client.turn()?;
            let records = graph.metric("millrace_log_written_bytes_total");
            let files = graph.metric("millrace_log_bytes");
            let filled = RECORDS_SHARE * self.log_bytes <= records && self.log_bytes <= files;
            if !is_full && filled {
                is_full = true;
                on_full(acknowledged)?;
            }
            if UNKILLED_FACTOR * self.log_bytes <= records {
                return Err(Error::new(ErrorKind::Cancelled, "the writer was not killed"));
            }
        }
    }
}

pub(in crate::experiments) fn recover(conditions: &Conditions) -> Result<Row> {
    let plan = GraphPlan::sized(conditions, Shape::Random, false);
    let copy = plan.copied(conditions, "recover")?;
    let graph = OpenGraph::open(copy.path(), settings())?;
    let mut expected = Degrees::of(&graph)?;
    let fill = FillLog { folder: copy.path().to_owned(), log_bytes: LOG_BYTES * conditions.scale };
    graph.close();
    let mut writer = Worker::start(&conditions.program, &fill)?;
    let acknowledged: u64 = writer.answer()?;
    writer.kill();
    let meter = Meter::start();
    let began = Instant::now();
    let graph = OpenGraph::open(copy.path(), settings())?;
    let opened = began.elapsed().as_secs_f64() * 1e3;
    let mut fresh = Ends::random(&graph.vertices, SEED + 1);
    graph.insert(&mut || fresh.clone().sample(), 1, 1, false)?;
    let written = began.elapsed().as_secs_f64() * 1e3;
    let processor = meter.processor_seconds().unwrap_or(f64::NAN);
    let row = Row::new(written, Unit::Milliseconds)
        .with("open", opened, Unit::Milliseconds)
        .with("first_write", written - opened, Unit::Milliseconds)
        .with("processor_time", processor, Unit::Seconds)
        .with("commits_acknowledged", acknowledged as f64, Unit::Count)
        .with_figures(meter.figures());
    let found = graph.store.snapshot()?.count_edges(Some(graph.edge_type))?;
    let recovered = found.saturating_sub(expected.edges() + 1);
    if recovered < acknowledged {
        let detail = format!("{acknowledged} commits were acknowledged, {recovered} recovered");
        return Err(Error::new(ErrorKind::Bug, detail));
    }
    expected.add(Ends::random(&graph.vertices, SEED), recovered);
    fresh.sample();
    expected.add(Ends::random(&graph.vertices, SEED + 1), 1);
    expected.require(&graph)?;
    graph.close();
    Ok(row.with("commits_recovered", recovered as f64, Unit::Count))
}
