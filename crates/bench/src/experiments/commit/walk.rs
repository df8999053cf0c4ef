//! Walks over all lists of a graph in both directions.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use millrace_db::store::{Elements, Neighbours, Run, Snapshot};
use millrace_model::{Direction, EdgeId, Result, VertexId};

use crate::experiments::graph::OpenGraph;

/// Vertices of one request for lists.
const FRONTIER: usize = 1_024;

/// The sums of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Walked {
    /// Entries of lists: each edge twice.
    pub(super) entries: u64,
    /// The sum of all neighbours' ids.
    pub(super) neighbours: u64,
    /// Whether it came to the end.
    pub(super) whole: bool,
}

/// Expands all lists and adds up the neighbours; ends early once `stop` is set.
pub(super) fn walk(
    graph: &OpenGraph,
    snapshot: &dyn Snapshot,
    stop: &AtomicBool,
) -> Result<Walked> {
    let mut walked = Walked::default();
    let types = [graph.edge_type];
    let mut frontier = Vec::with_capacity(FRONTIER);
    for first in graph.vertices.clone().step_by(FRONTIER) {
        if stop.load(Ordering::Relaxed) {
            return Ok(walked);
        }
        frontier.clear();
        frontier.extend((first..graph.vertices.end).take(FRONTIER).map(VertexId));
        let mut sink = |_row: usize, run: Run<'_>| {
            walked.entries += run.len() as u64;
            walked.neighbours += match run.neighbours {
                Neighbours::Narrow(ids) => ids.iter().map(|id| u64::from(*id)).sum::<u64>(),
                Neighbours::Wide(ids) => ids.iter().map(|id| id.0).sum(),
            };
            ControlFlow::Continue(())
        };
        snapshot.expand(&frontier, Some(&types), Direction::Both, &mut sink)?;
    }
    Ok(Walked { whole: true, ..walked })
}

/// Visits everything that a traversal can: all neighbours and edges in both directions and, if asked
/// for, the weight of each edge. Returns the number of edges, and the sum of all ids and weights.
pub(super) fn visit_all(graph: &OpenGraph, weighted: bool) -> Result<(u64, f64)> {
    let snapshot = graph.store.snapshot()?;
    let types = [graph.edge_type];
    let (mut entries, mut sum) = (0, 0.0);
    let mut edges: Vec<EdgeId> = Vec::new();
    let vertices: Vec<VertexId> = graph.vertices.clone().map(VertexId).collect();
    for frontier in vertices.chunks(FRONTIER) {
        edges.clear();
        let mut sink = |_row: usize, run: Run<'_>| {
            for index in 0..run.len() {
                sum += run.neighbours.get(index).0 as f64 + run.edge(index).0 as f64;
                if run.direction == Direction::Out {
                    edges.push(run.edge(index));
                }
            }
            entries += run.len() as u64;
            ControlFlow::Continue(())
        };
        snapshot.expand(frontier, Some(&types), Direction::Both, &mut sink)?;
        if let Some(key) = graph.weight.filter(|_| weighted) {
            let columns = snapshot.gather(Elements::Edges(&edges), &[key])?;
            sum += columns.iter().map(|column| column.len() as f64).sum::<f64>();
        }
    }
    Ok((entries / 2, sum))
}
