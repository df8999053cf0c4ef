//! Values of one key each, spread over few keys or many: what a value takes in memory as it was written, on disk behind
//! a checkpoint, and in memory as it was read from there.
//!
//! A partition has 65,536 nodes, so each of many keys has a few values in each of several partitions. What a
//! partition keeps for a key, used or not, shows here as a product.

use std::fs;
use std::path::Path;

use millrace_db::Database;
use millrace_model::{Error, ErrorKind, Result, Value};

use super::law::{Costs, row_of, sizes};
use super::sized_graph::{SizedGraph, number};
use crate::data::io_error;
use crate::experiments::measurement::{Conditions, settings};
use crate::measure::seconds;
use crate::report::{Row, Unit};

/// Keys.
const SIZES: &[u64] = &[10, 1_000, 10_000];

/// Nodes at full scale: four partitions.
const NODES: f64 = 262_144.0;

/// Nodes that one statement makes.
const PART: u64 = 4_096;

pub(super) fn spread(conditions: &Conditions) -> Result<Row> {
    let nodes = ((NODES * conditions.scale) as u64).max(PART);
    let [mut writing, mut reading] =
        ["writing", "reading"].map(|name| Costs::new(name, Unit::Nanoseconds));
    let [mut written, mut disk, mut read] =
        ["memory_written", "disk", "memory_read"].map(|name| Costs::new(name, Unit::BytesEach));
    for size in sizes(conditions, SIZES) {
        let each = |amount: f64| amount / nodes as f64;
        let mut graph = SizedGraph::start(conditions, "growth.spread", size)?;
        let before = graph.memory_bytes().ok_or_else(no_figures)?;
        let taken = seconds(&mut || add_nodes(&mut graph, nodes))?;
        writing.add(size, each(taken * 1e9));
        written.add(size, each(graph.memory_bytes().ok_or_else(no_figures)? - before));
        let folder = graph.stop();
        let database = Database::open(folder.path(), settings())?;
        database.checkpoint()?;
        database.close();
        drop(database);
        disk.add(size, each(segment_bytes(folder.path())?));
        let mut graph = SizedGraph::over(conditions, folder, size)?;
        let before = graph.memory_bytes().ok_or_else(no_figures)?;
        let taken = seconds(&mut || {
            let text = "MATCH (n:Item) UNWIND keys(n) AS key RETURN sum(n[key])";
            graph.must_give(text, &[], nodes * (nodes - 1) / 2)
        })?;
        reading.add(size, each(taken * 1e9));
        read.add(size, each(graph.memory_bytes().ok_or_else(no_figures)? - before));
    }
    Ok(row_of(&[writing, written, disk, reading, read]).with("nodes", nodes as f64, Unit::Count))
}

/// Nodes with one property each, its key another from node to node.
fn add_nodes(graph: &mut SizedGraph, nodes: u64) -> Result<()> {
    for first in (0..nodes).step_by(PART as usize) {
        let row = |node: u64| {
            let key = Value::from(format!("k{}", node % graph.size).as_str());
            Value::map(vec![(key, number(node))])
        };
        let rows = Value::list((first..nodes.min(first + PART)).map(row).collect());
        graph.ask("UNWIND $rows AS row CREATE (n:Item) SET n = row", &[("rows", rows)])?;
    }
    Ok(())
}

/// Bytes of the files that a checkpoint writes.
fn segment_bytes(folder: &Path) -> Result<f64> {
    let failed = |error| io_error(folder, &error);
    let mut bytes = 0;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.path().extension().is_some_and(|end| end == "mseg") {
            bytes += entry.metadata().map_err(failed)?.len();
        }
    }
    Ok(bytes as f64)
}

fn no_figures() -> Error {
    Error::new(ErrorKind::Unsupported, "this system does not report the memory of a process")
}
