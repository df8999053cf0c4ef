//! `scan.dirty`: all lists of a graph that took random inserts since its last checkpoint, beside
//! those of the same graph without them, in turn.

use std::sync::atomic::AtomicBool;

use millrace_model::{Error, ErrorKind, Result};

use super::ends::Ends;
use super::walk::{Walked, walk};
use crate::experiments::graph::{GraphPlan, OpenGraph, Shape, without_checkpoints};
use crate::experiments::measurement::Conditions;
use crate::measure;
use crate::process::Meter;
use crate::report::{Row, Unit};

/// Edges inserted at full size.
const INSERTS: f64 = 1e6;

/// Edges of one transaction.
const INSERT_BATCH: u64 = 1_000;

const SEED: u64 = 6_001;

pub(in crate::experiments) fn scan_dirty(conditions: &Conditions) -> Result<Row> {
    let plan = GraphPlan::sized(conditions, Shape::Random, false);
    let clean_copy = plan.copied(conditions, "scan.clean")?;
    let dirty_copy = plan.copied(conditions, "scan.dirty")?;
    let clean = OpenGraph::open(clean_copy.path(), without_checkpoints())?;
    let dirty = OpenGraph::open(dirty_copy.path(), without_checkpoints())?;
    let inserts = (INSERTS * conditions.scale) as u64;
    let ends = Ends::random(&dirty.vertices, SEED);
    let meter = Meter::start();
    let mut samples = ends.clone();
    dirty.insert(&mut || samples.sample(), inserts, INSERT_BATCH, false)?;
    check(&clean, &dirty, ends, inserts)?;
    let run = |graph: &OpenGraph| walk_now(graph).map(|_| ());
    let medians = measure::side_by_side(conditions.seconds, || run(&dirty), || run(&clean))?;
    let row = Row::new(medians.value * 1e3, Unit::Milliseconds)
        .beside(medians.reference * 1e3)
        .with("edges", (plan.edge_count() + inserts) as f64, Unit::Count)
        .with_figures(meter.figures());
    clean.close();
    dirty.close();
    Ok(row)
}

fn walk_now(graph: &OpenGraph) -> Result<Walked> {
    walk(graph, &*graph.store.snapshot()?, &AtomicBool::new(false))
}

/// Fails unless the dirty graph is the clean one with the inserted edges.
fn check(clean: &OpenGraph, dirty: &OpenGraph, mut ends: Ends, inserts: u64) -> Result<()> {
    let mut expected = walk_now(clean)?;
    for _ in 0..inserts {
        let (source, target) = ends.sample();
        expected.neighbours += source.0 + target.0;
        expected.entries += 2;
    }
    let found = walk_now(dirty)?;
    if found == expected {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Bug, format!("the lists are {found:?}, expected {expected:?}")))
}
