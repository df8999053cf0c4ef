//! The edges between two vertices of each row.
//!
//! A long list is not searched where the other end has a shorter one: an edge of a node with a million edges is
//! found at its other end. Of a list's runs the sorted one is searched, and only the rest is walked.

use std::ops::{ControlFlow, Range};

use millrace_model::{EdgeId, Result, VertexId};
use millrace_store::{Neighbours, Run as StoreRun};

use crate::context::Context;
use crate::traversal::StoreWalk;

/// Lists up to this degree are searched whatever the other end has: its degree costs as much to read.
const SHORT_LIST: u64 = 64;

/// Edges with the places of the pairs that they join, ascending.
#[derive(Default)]
pub(crate) struct Between {
    pub(crate) pairs: Vec<u32>,
    /// The edges, where they are wanted.
    pub(crate) edges: Vec<EdgeId>,
}

impl Between {
    /// The edges of a walk from each source to the target beside it.
    pub(crate) fn find(
        walk: StoreWalk<'_>,
        context: &Context,
        (sources, targets): (&[VertexId], &[VertexId]),
        wants_edges: bool,
    ) -> Result<Between> {
        let mut found = Between::default();
        let from_targets = shorter_at_target(walk, context, sources, targets)?;
        if from_targets.is_empty() {
            found.search(walk, context, (sources, targets), |place| place, wants_edges)?;
            return Ok(found);
        }
        let mut from_sources: Vec<u32> = (0..sources.len() as u32).collect();
        from_sources.retain(|place| from_targets.binary_search(place).is_err());
        let pick = |ids: &[VertexId], places: &[u32]| -> Vec<VertexId> {
            places.iter().map(|&place| ids[place as usize]).collect()
        };
        let near = (&*pick(sources, &from_sources), &*pick(targets, &from_sources));
        found.search(walk, context, near, |at| from_sources[at as usize], wants_edges)?;
        let far = (&*pick(targets, &from_targets), &*pick(sources, &from_targets));
        let back = StoreWalk { direction: walk.direction.reverse(), ..walk };
        found.search(back, context, far, |at| from_targets[at as usize], wants_edges)?;
        if !from_sources.is_empty() {
            found.sort();
        }
        Ok(found)
    }

    /// Searches the lists of the first vertices for the second ones.
    fn search(
        &mut self,
        walk: StoreWalk<'_>,
        context: &Context,
        (own, others): (&[VertexId], &[VertexId]),
        place_of: impl Fn(u32) -> u32,
        wants_edges: bool,
    ) -> Result<()> {
        walk.expand(context.graph(), context.guard(), own, |at, run| {
            let other = others[at];
            if walk.sees_loops_again(&run) && own[at] == other {
                return Ok(ControlFlow::Continue(()));
            }
            for candidate in candidates(&run, other) {
                if run.neighbours.get(candidate) == other {
                    self.pairs.push(place_of(at as u32));
                    self.edges.extend(wants_edges.then(|| run.edge(candidate)));
                }
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Orders by place; edges of one place stay in the order of their list.
    fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.pairs.len() as u32).collect();
        order.sort_by_key(|&at| self.pairs[at as usize]);
        self.pairs = order.iter().map(|&at| self.pairs[at as usize]).collect();
        if !self.edges.is_empty() {
            self.edges = order.iter().map(|&at| self.edges[at as usize]).collect();
        }
    }
}

/// The places of pairs with a long list at the source and a shorter one at the target, ascending.
fn shorter_at_target(
    walk: StoreWalk<'_>,
    context: &Context,
    sources: &[VertexId],
    targets: &[VertexId],
) -> Result<Vec<u32>> {
    let StoreWalk { types, direction, .. } = walk;
    let mut degrees = Vec::with_capacity(sources.len());
    context.graph().degrees(sources, types, direction, &mut degrees)?;
    let mut long: Vec<u32> = (0..sources.len() as u32).collect();
    long.retain(|&place| SHORT_LIST < degrees[place as usize]);
    if long.is_empty() {
        return Ok(long);
    }
    let others: Vec<VertexId> = long.iter().map(|&place| targets[place as usize]).collect();
    let mut of_targets = Vec::with_capacity(others.len());
    context.graph().degrees(&others, types, direction.reverse(), &mut of_targets)?;
    let is_shorter =
        |(place, other): (u32, u64)| (other < degrees[place as usize]).then_some(place);
    Ok(long.into_iter().zip(of_targets).filter_map(is_shorter).collect())
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
