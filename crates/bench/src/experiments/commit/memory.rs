//! The `memory` rows: bytes for each edge once every list was visited in both directions.
//!
//! The rows count memory that no file backs, less that of an empty database opened by the same process
//! before. Segments are read into own memory, so the loaded parts of them count. The rows with inserts
//! hold checkpoints back, so that all inserts are in memory beside the base.

use millrace_db::Database;
use millrace_model::{Error, ErrorKind, Result};

use super::ends::Ends;
use super::walk::visit_all;
use crate::data::Scratch;
use crate::experiments::graph::{GraphPlan, OpenGraph, Shape, without_checkpoints};
use crate::experiments::measurement::{Conditions, settings};
use crate::process::{self, Meter};
use crate::report::{Row, Unit};

/// Edges inserted at full size.
const INSERTS: f64 = 5e6;

/// Edges of one transaction.
const INSERT_BATCH: u64 = 1_000;

const SEED: u64 = 4_001;

pub(in crate::experiments) fn memory(conditions: &Conditions) -> Result<Row> {
    measure(conditions, "memory", false, 0.0)
}

pub(in crate::experiments) fn memory_weight(conditions: &Conditions) -> Result<Row> {
    measure(conditions, "memory.weight", true, 0.0)
}

pub(in crate::experiments) fn memory_inserts(conditions: &Conditions) -> Result<Row> {
    measure(conditions, "memory.inserts", false, INSERTS)
}

pub(in crate::experiments) fn memory_weight_inserts(conditions: &Conditions) -> Result<Row> {
    measure(conditions, "memory.weight.inserts", true, INSERTS)
}

fn measure(conditions: &Conditions, name: &str, weighted: bool, inserts: f64) -> Result<Row> {
    let plan = GraphPlan::sized(conditions, Shape::Random, weighted);
    let copy = plan.copied(conditions, name)?;
    let empty = empty_bytes(conditions, name)?;
    let meter = Meter::start();
    let graph = OpenGraph::open(copy.path(), without_checkpoints())?;
    let inserts = (inserts * conditions.scale) as u64;
    let mut ends = Ends::random(&graph.vertices, SEED);
    graph.insert(&mut || ends.sample(), inserts, INSERT_BATCH, weighted)?;
    let (edges, sum) = visit_all(&graph, weighted)?;
    std::hint::black_box(sum);
    let bytes = anonymous_bytes()? - empty;
    if edges != plan.edge_count() + inserts {
        let detail =
            format!("{edges} edges were visited, {} + {inserts} are there", plan.edge_count());
        return Err(Error::new(ErrorKind::Bug, detail));
    }
    let row = Row::new(bytes / edges as f64, Unit::BytesPerEdge)
        .with("edges", edges as f64, Unit::Count)
        .with("memory", bytes, Unit::Bytes)
        .with("empty_database", empty, Unit::Bytes)
        .with_figures(meter.figures());
    graph.close();
    Ok(row)
}

/// Anonymous memory of an empty database, in bytes.
fn empty_bytes(conditions: &Conditions, name: &str) -> Result<f64> {
    let folder = Scratch::empty(&conditions.data, &format!("{name}.empty"))?;
    let database = Database::open(folder.path(), settings())?;
    let graph = database.create_graph("empty")?;
    let bytes = anonymous_bytes()?;
    database.close();
    drop(graph);
    Ok(bytes)
}

fn anonymous_bytes() -> Result<f64> {
    process::anonymous_bytes().ok_or_else(|| {
        let detail = "the system does not report the memory of a process";
        Error::new(ErrorKind::Unsupported, detail).with_help("run this row on Linux")
    })
}
