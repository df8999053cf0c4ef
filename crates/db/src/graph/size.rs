//! The number of vertices and edges of a graph.

use millrace_model::Result;
use millrace_model::compare::CompareMode;
use millrace_plan::{Fold, PlanBuilder, Runner, ScanSource, op};

/// The size of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphSize {
    /// The number of vertices.
    pub vertices: u64,
    /// The number of edges.
    pub edges: u64,
}

/// Counts vertices and edges.
pub(crate) fn graph_size(runner: &mut dyn Runner) -> Result<GraphSize> {
    Ok(GraphSize {
        vertices: count(runner, ScanSource::Vertices(None))?,
        edges: count(runner, ScanSource::Edges(None))?,
    })
}

fn count(runner: &mut dyn Runner, source: ScanSource) -> Result<u64> {
    let mut plan = PlanBuilder::new(CompareMode::Plain);
    let to = plan.column("x");
    plan.push(op::Scan { source, to });
    let count = plan.aggregate(&[], "count", Fold::Count);
    let plan = runner.prepare(&plan.finish(vec![count]))?;
    let batch = runner.run(plan, &[])?;
    let value = batch.columns.first().and_then(|column| column.get(0));
    let count = value.and_then(|value| value.as_int()).unwrap_or(0);
    Ok(u64::try_from(count).unwrap_or(0))
}
