//! A hop of a whole frontier: `Expand` with the merge, count or dedup of the vertices it reaches.
//!
//! No row is made for an edge: each run of neighbours is one call with a slice, each neighbour one
//! addition. Large frontiers are shared among threads by stretches; a stretch's first additions
//! come after those of the stretch before, so the result is the same whatever the threads.

use std::ops::ControlFlow;
use std::sync::Arc;

use millrace_model::{Batch, Column, Result, VertexId};
use millrace_store::Snapshot;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::context::Guard;
use crate::operators::vertices::Vertices;
use crate::pipeline::{Upstream, Whole};
use crate::rows::{Collector, Tally};
use crate::run::{Charge, Run};
use crate::traversal::{Accumulator, StoreWalk, Walk};
use crate::{limits, threads};

/// The use of the weights of the vertices reached.
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
    ordered: bool,
    /// Whether another hop follows.
    whole: bool,
}

/// Rows of the input waiting to be expanded; a single batch is not copied.
#[derive(Default)]
pub(super) struct Waiting {
    rows: Collector,
}

/// Vertices with weights, ready to be expanded.
pub(super) struct Frontier {
    vertices: Arc<Column>,
    /// `None`: all 1.
    weights: Option<Arc<Vec<u64>>>,
}

impl Frontier {
    pub(super) fn vertices(&self) -> &[VertexId] {
        self.vertices.as_vertices().unwrap_or(&[])
    }

    pub(super) fn weights(&self) -> Option<&[u64]> {
        self.weights.as_ref().map(|weights| &weights[..])
    }
}

impl Waiting {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn push(&mut self, batch: Batch, from: usize) -> Result<()> {
        let vertices = Vertices::of(&batch, from, "an expansion")?;
        let column = match vertices.rows {
            None => batch.columns[from].clone(),
            Some(ref rows) => {
                let weights = rows.iter().map(|&row| batch.weight(row as usize)).collect();
                let len = rows.len();
                let columns = vec![Arc::new(Column::vertices(vertices.ids.into_owned()))];
                let weights = Some(Arc::new(weights));
                self.rows.push(Batch { len, columns, weights, ordinals: None });
                return Ok(());
            }
        };
        drop(vertices);
        self.rows.push(Batch { columns: vec![column], ..batch });
        Ok(())
    }

    pub(super) fn take(&mut self) -> Frontier {
        let mut batch = self.rows.finish(1);
        let vertices = batch.columns.pop().unwrap_or_default();
        Frontier { vertices, weights: batch.weights }
    }
}

impl Hop {
    pub(crate) fn new(
        from: usize,
        walk: Walk,
        result: HopResult,
        (to, count): (bool, bool),
        ordered: bool,
        whole: bool,
    ) -> Hop {
        Hop { from, walk, result, to, count, ordered, whole }
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
        let mut reached: Vec<(u32, VertexId)> = Vec::new();
        let mut sums = Tally::default();
        let mut next = Some(first);
        while let Some(batch) = next {
            let vertices = Vertices::of(&batch, self.from, "an expansion")?;
            let Some(walk) = self.walk.resolve(run.context) else { break };
            let guard = run.context.guard();
            walk.expand(run.context.graph(), guard, &vertices.ids, |place, edges| {
                let row = vertices.row(place) as usize;
                let (ordinal, weight) = (batch.ordinal(row), batch.weight(row));
                let again = walk.sees_loops_again(&edges);
                for at in 0..edges.len() {
                    let vertex = edges.neighbours.get(at);
                    if again && vertex == vertices.ids[place] {
                        continue;
                    }
                    let fresh = reached.len() as u32;
                    let found = *places.entry((ordinal, vertex)).or_insert(fresh);
                    if found == fresh {
                        reached.push((ordinal, vertex));
                        sums.push(weight);
                    } else {
                        sums.add(found as usize, weight);
                    }
                }
                Ok(ControlFlow::Continue(()))
            })?;
            charge.set(reached.len() as u64 * 48, run)?;
            next = input.next(run)?;
        }
        let mut order: Vec<u32> = (0..reached.len() as u32).collect();
        order.sort_by_key(|&place| reached[place as usize].0);
        let (ordinals, vertices) = order.iter().map(|&place| reached[place as usize]).unzip();
        self.rows(vertices, sums.take(&order), Some(ordinals), charge, run)
    }

    fn rows(
        &self,
        vertices: Vec<VertexId>,
        sums: Tally,
        ordinals: Option<Vec<u32>>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        match self.result {
            HopResult::Weights => {
                let weighed = sums.into_rows(ROW_BYTES, run.context.guard())?;
                if weighed.places.is_some() {
                    charge.grow(weighed.weights.len() as u64 * ROW_BYTES, run)?;
                }
                let ordinals = ordinals.map(|ordinals| weighed.pick(ordinals));
                let mut batch = self.reached(weighed.pick(vertices), ordinals);
                batch.weights = Some(weighed.weights.into());
                Ok(batch)
            }
            HopResult::Count => {
                let mut batch = self.reached(vertices, ordinals);
                if self.count {
                    batch.columns.push(sums.column(0..sums.len())?.into());
                }
                Ok(batch)
            }
            HopResult::Distinct => Ok(self.reached(vertices, ordinals)),
        }
    }

    fn reached(&self, vertices: Vec<VertexId>, ordinals: Option<Vec<u32>>) -> Batch {
        let mut batch = Batch { len: vertices.len(), ..Batch::default() };
        if self.to {
            batch.columns.push(Column::vertices(vertices).into());
        }
        batch.ordinals = ordinals.map(Into::into);
        batch
    }
}

/// A vertex and a weight.
const ROW_BYTES: u64 = 16;

/// Expands a frontier into an accumulator, by threads if it is large.
fn expand(
    walk: &mut Walk,
    accumulator: &mut Accumulator,
    frontier: &Frontier,
    run: &Run<'_>,
) -> Result<()> {
    let Some(walk) = walk.resolve(run.context) else { return Ok(()) };
    let (graph, guard) = (run.context.graph(), run.context.guard());
    let (vertices, weights) = (frontier.vertices(), frontier.weights());
    let rows = vertices.len();
    if rows == 0 {
        return Ok(());
    }
    let taken = if rows < limits::PARALLEL_ROWS_MIN { None } else { threads::take() };
    let Some(taken) = taken else {
        return expand_stretch(walk, accumulator, (vertices, weights), graph, guard);
    };
    let stretch = rows.div_ceil(threads::count());
    let space = graph.id_space();
    let empty = &*accumulator;
    let parts: Result<Vec<Accumulator>> = taken.install(|| {
        let starts: Vec<usize> = (0..rows).step_by(stretch).collect();
        let part = |start: usize| {
            let mut part = empty.fellow(space);
            let range = start..(start + stretch).min(rows);
            let weights = weights.map(|weights| &weights[range.clone()]);
            expand_stretch(walk, &mut part, (&vertices[range], weights), graph, guard)?;
            Ok(part)
        };
        starts.into_par_iter().map(part).collect()
    });
    parts?.iter_mut().for_each(|part| accumulator.absorb(part));
    Ok(())
}

fn expand_stretch(
    walk: StoreWalk<'_>,
    accumulator: &mut Accumulator,
    (vertices, weights): (&[VertexId], Option<&[u64]>),
    graph: &dyn Snapshot,
    guard: &Guard,
) -> Result<()> {
    walk.expand(graph, guard, vertices, |row, run| {
        let weight = weights.map_or(1, |weights| weights[row]);
        walk.pieces(&run, vertices[row], |piece| {
            accumulator.add_run(piece, weight);
            Ok(())
        })?;
        Ok(ControlFlow::Continue(()))
    })
}

impl Whole for Hop {
    fn gives_whole(&self) -> bool {
        self.whole
    }

    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let space = run.context.graph().id_space();
        let distinct = self.result == HopResult::Distinct;
        let accumulator = &mut Accumulator::new(space, self.ordered, distinct);
        let mut frontier = Waiting::default();
        while let Some(batch) = input.next(run)? {
            if batch.ordinals.is_some() {
                return self.reach_in_scopes(batch, input, charge, run);
            }
            frontier.push(batch, self.from)?;
            if limits::FRONTIER_ROWS_MAX <= frontier.len() {
                expand(&mut self.walk, accumulator, &frontier.take(), run)?;
                charge.set(accumulator.bytes(), run)?;
            }
        }
        expand(&mut self.walk, accumulator, &frontier.take(), run)?;
        let (vertices, sums) = accumulator.drain();
        charge.set(accumulator.bytes() + vertices.len() as u64 * ROW_BYTES, run)?;
        self.rows(vertices, sums, None, charge, run)
    }
}
