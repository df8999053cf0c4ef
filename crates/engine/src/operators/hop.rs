//! A hop of a whole frontier: `Expand` with the merge, count or dedup of what it reaches.
//!
//! No row is made for an edge: each run of neighbours is one call with a slice, each neighbour one
//! addition. Large frontiers are shared among threads by stretches; a stretch's first touches come
//! after those of the stretch before, so the result is the same whatever the threads.

use std::ops::ControlFlow;

use millrace_model::{Batch, Column, Result, VertexId};
use millrace_store::Snapshot;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::neighbours::{StoreWalk, Walk};
use super::vertices::Vertices;
use super::whole::Whole;
use crate::context::Guard;
use crate::folds::counts_column;
use crate::frontier::Accumulator;
use crate::limits;
use crate::pipeline::Upstream;
use crate::rows::overflow;
use crate::run::{Charge, Run};
use crate::threads;

/// What becomes of the weights of the vertices reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HopResult {
    /// They are the weights of the rows: a merging barrier.
    Weights,
    /// They are a count column beside the vertex.
    Count,
    /// They are forgotten: distinct vertices.
    Distinct,
}

pub(crate) struct Hop {
    from: usize,
    walk: Walk,
    result: HopResult,
    /// Whether the vertex reached, and its count, are read later.
    to: bool,
    count: bool,
    kept_order: bool,
}

/// Rows of the input waiting to be expanded.
#[derive(Default)]
struct Frontier {
    vertices: Vec<VertexId>,
    /// Empty: all 1.
    weights: Vec<u64>,
}

impl Frontier {
    fn push(&mut self, vertices: &Vertices<'_>, batch: &Batch) {
        if batch.weights.is_some() || !self.weights.is_empty() {
            self.weights.resize(self.vertices.len(), 1);
            let places = 0..vertices.ids.len();
            self.weights.extend(places.map(|at| batch.weight(vertices.row(at) as usize)));
        }
        self.vertices.extend_from_slice(&vertices.ids);
    }

    fn clear(&mut self) {
        self.vertices.clear();
        self.weights.clear();
    }
}

impl Hop {
    pub(crate) fn new(
        from: usize,
        walk: Walk,
        result: HopResult,
        (to, count): (bool, bool),
        kept_order: bool,
    ) -> Hop {
        Hop { from, walk, result, to, count, kept_order }
    }

    /// The same where there is more than one scope: the ordinal is a leading key of a map.
    fn reach_in_scopes(
        &mut self,
        first: Batch,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let mut places: FxHashMap<(u32, VertexId), u32> = FxHashMap::default();
        let mut reached: Vec<(u32, VertexId, u64)> = Vec::new();
        let mut next = Some(first);
        while let Some(batch) = next {
            let vertices = Vertices::of(&batch, self.from, "an expansion")?;
            let Some(walk) = self.walk.resolve(run.context) else { break };
            let guard = run.context.guard();
            walk.expand(run.context.graph(), guard, &vertices.ids, |place, edges| {
                let row = vertices.row(place) as usize;
                let (ordinal, weight) = (batch.ordinal(row), batch.weight(row));
                for at in 0..edges.len() {
                    if walk.is_second_sight(&edges, vertices.ids[place], at) {
                        continue;
                    }
                    let vertex = edges.neighbours.get(at);
                    let fresh = reached.len() as u32;
                    let found = *places.entry((ordinal, vertex)).or_insert(fresh);
                    if found == fresh {
                        reached.push((ordinal, vertex, weight));
                    } else {
                        let sum = &mut reached[found as usize].2;
                        *sum = sum.checked_add(weight).ok_or_else(overflow)?;
                    }
                }
                Ok(ControlFlow::Continue(()))
            })?;
            charge.set(reached.len() as u64 * 48, run)?;
            next = input.next(run)?;
        }
        reached.sort_by_key(|&(ordinal, _, _)| ordinal);
        let vertices = reached.iter().map(|&(_, vertex, _)| vertex).collect();
        let weights = reached.iter().map(|&(_, _, weight)| weight).collect();
        let ordinals = reached.iter().map(|&(ordinal, _, _)| ordinal).collect();
        self.rows(vertices, weights, Some(ordinals))
    }

    fn rows(
        &self,
        vertices: Vec<VertexId>,
        weights: Vec<u64>,
        ordinals: Option<Vec<u32>>,
    ) -> Result<Batch> {
        let mut batch = Batch { len: vertices.len(), ..Batch::default() };
        if self.to {
            batch.columns.push(Column::vertices(vertices).into());
        }
        batch.ordinals = ordinals.map(Into::into);
        match self.result {
            HopResult::Weights => batch.weights = Some(weights.into()),
            HopResult::Count if self.count => {
                batch.columns.push(counts_column(weights)?.into());
            }
            HopResult::Count | HopResult::Distinct => {}
        }
        Ok(batch)
    }
}

/// Expands a frontier into an accumulator, by threads if it is large.
fn expand(
    walk: &mut Walk,
    accumulator: &mut Accumulator,
    frontier: &Frontier,
    run: &Run<'_>,
) -> Result<()> {
    let Some(walk) = walk.resolve(run.context) else { return Ok(()) };
    let (graph, guard) = (run.context.graph(), run.context.guard());
    let rows = frontier.vertices.len();
    if rows == 0 {
        return Ok(());
    }
    let threads = threads::count();
    if rows < limits::PARALLEL_ROWS_MIN || threads == 1 {
        return expand_stretch(walk, accumulator, frontier, 0..rows, graph, guard);
    }
    let stretch = rows.div_ceil(threads);
    let space = graph.id_space();
    let kept_order = accumulator.keeps_order();
    let parts: Result<Vec<Accumulator>> = threads::pool().install(|| {
        let starts: Vec<usize> = (0..rows).step_by(stretch).collect();
        let part = |start: usize| {
            let mut part = Accumulator::new(space, kept_order);
            let range = start..(start + stretch).min(rows);
            expand_stretch(walk, &mut part, frontier, range, graph, guard)?;
            Ok(part)
        };
        starts.into_par_iter().map(part).collect()
    });
    parts?.iter_mut().try_for_each(|part| accumulator.absorb(part))
}

fn expand_stretch(
    walk: StoreWalk<'_>,
    accumulator: &mut Accumulator,
    frontier: &Frontier,
    range: std::ops::Range<usize>,
    graph: &dyn Snapshot,
    guard: &Guard,
) -> Result<()> {
    let start = range.start;
    let vertices = &frontier.vertices[range];
    let weights = frontier.weights.get(start..);
    let weights = weights.filter(|weights| !weights.is_empty());
    walk.expand(graph, guard, vertices, |row, run| {
        let weight = weights.map_or(1, |weights| weights[row]);
        walk.pieces(&run, vertices[row], |piece| accumulator.add_run(piece, weight))?;
        Ok(ControlFlow::Continue(()))
    })
}

impl Whole for Hop {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let space = run.context.graph().id_space();
        let accumulator = &mut Accumulator::new(space, self.kept_order);
        let mut frontier = Frontier::default();
        while let Some(batch) = input.next(run)? {
            if batch.ordinals.is_some() {
                return self.reach_in_scopes(batch, input, charge, run);
            }
            frontier.push(&Vertices::of(&batch, self.from, "an expansion")?, &batch);
            if limits::FRONTIER_ROWS_MAX <= frontier.vertices.len() {
                expand(&mut self.walk, accumulator, &frontier, run)?;
                charge.set(accumulator.bytes(), run)?;
                frontier.clear();
            }
        }
        expand(&mut self.walk, accumulator, &frontier, run)?;
        let (vertices, weights) = accumulator.drain();
        charge.set(accumulator.bytes() + vertices.len() as u64 * 16, run)?;
        self.rows(vertices, weights, None)
    }
}
