//! `ExpandInto`: each row, once for every edge between two of its vertices, in list order.
//!
//! Of a list's runs the sorted one is searched, and only the rest is walked.

use std::ops::{ControlFlow, Range};

use millrace_model::{Batch, Column, EdgeId, Result, VertexId};
use millrace_plan::op;
use millrace_store::{Neighbours, Run as StoreRun};

use super::Compile;
use super::create::both_ends;
use super::keep::{Keep, add};
use super::neighbours::Walk;
use crate::names::EdgeTypes;
use crate::pipeline::{Operator, Upstream};
use crate::prepare::{Compiler, Place, Placed};
use crate::run::Run;

pub(crate) struct ExpandInto {
    from: usize,
    into: usize,
    walk: Walk,
    /// Whether the edge is read later.
    edge: bool,
    keep: Keep,
}

impl ExpandInto {
    fn join(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Option<Batch>> {
        let (bound, sources, targets) = both_ends(batch, self.from, self.into)?;
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(None) };
        let (mut rows, mut edges): (Vec<u32>, Vec<EdgeId>) = (Vec::new(), Vec::new());
        walk.expand(run.context.graph(), run.context.guard(), &sources, |place, found| {
            let (own, other) = (sources[place], targets[place]);
            if walk.sees_loops_again(&found) && own == other {
                return Ok(ControlFlow::Continue(()));
            }
            for at in candidates(&found, other) {
                if found.neighbours.get(at) == other {
                    rows.push(bound[place]);
                    edges.extend(self.edge.then(|| found.edge(at)));
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if rows.is_empty() {
            return Ok(None);
        }
        let mut result = self.keep.take(batch, &rows);
        if self.edge {
            add(&mut result, Column::edges(edges));
        }
        Ok(Some(result))
    }
}

/// Where in a run a neighbour may be.
fn candidates(run: &StoreRun<'_>, other: VertexId) -> Range<usize> {
    if !run.sorted {
        return 0..run.len();
    }
    match run.neighbours {
        Neighbours::Narrow(ids) => {
            let start = ids.partition_point(|&id| u64::from(id) < other.0);
            start..start + ids[start..].partition_point(|&id| u64::from(id) == other.0)
        }
        Neighbours::Wide(ids) => {
            let start = ids.partition_point(|&id| id < other);
            start..start + ids[start..].partition_point(|&id| id == other)
        }
    }
}

impl Operator for ExpandInto {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        while let Some(batch) = input.next(run)? {
            if let Some(result) = self.join(&batch, run)? {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }
}

impl Compile for op::ExpandInto {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [edge]) = place.keep_and([self.edge]);
        let walk = Walk::new(EdgeTypes::new(self.types.as_deref()), self.direction, self.loops);
        let from = compiler.slot(place.layout, self.from)?;
        let into = compiler.slot(place.layout, self.into)?;
        Ok((Box::new(ExpandInto { from, into, walk, edge, keep }), after))
    }
}
