//! `Expand` and a keyless sum of the ids it reaches: each list is added up as a slice.
//!
//! No row is made for an edge. A large frontier is shared among threads by stretches; sums are
//! exact, so the split among threads does not show. Where vertices have external ids, these
//! are read for a batch of neighbours at a time.

use std::ops::ControlFlow;

use millrace_model::{Batch, Column, Error, ErrorKind, Result, VertexId};
use millrace_store::external_ids::is_textual;
use millrace_store::{Neighbours, Snapshot};
use rayon::prelude::*;

use super::hop::{Frontier, Waiting};
use crate::context::Guard;
use crate::folds::Sum;
use crate::operators::vertices::Vertices;
use crate::pipeline::{Operator, Scopes, Upstream};
use crate::run::Run;
use crate::traversal::{StoreWalk, Walk};
use crate::{limits, threads};

pub(crate) struct SumIds {
    from: usize,
    walk: Walk,
    /// Whether the sum is read later.
    live: bool,
    by_ordinal: Vec<Sum>,
    done: bool,
}

impl SumIds {
    pub(crate) fn new(from: usize, walk: Walk, live: bool) -> SumIds {
        SumIds { from, walk, live, by_ordinal: Vec::new(), done: false }
    }

    fn sum_of(&mut self, ordinal: u32) -> &mut Sum {
        let place = ordinal as usize;
        if self.by_ordinal.len() <= place {
            self.by_ordinal.resize_with(place + 1, Sum::default);
        }
        &mut self.by_ordinal[place]
    }

    /// Rows of several scopes: each row's own sum, then its scope's.
    fn add_in_scopes(&mut self, batch: &Batch, run: &Run<'_>) -> Result<()> {
        let vertices = Vertices::of(batch, self.from, "an expansion")?;
        let mut sums = vec![Sum::default(); vertices.ids.len()];
        if let Some(walk) = self.walk.resolve(run.context) {
            let (graph, guard) = (run.context.graph(), run.context.guard());
            each_list(walk, graph, guard, &vertices.ids, |place, total, count| {
                let weight = batch.weight(vertices.row(place) as usize);
                sums[place].add_ints(total, count, weight)
            })?;
        }
        for (place, sum) in sums.iter().enumerate() {
            let ordinal = batch.ordinal(vertices.row(place) as usize);
            self.sum_of(ordinal).absorb_ints(sum)?;
        }
        Ok(())
    }

    fn add(&mut self, frontier: &Frontier, run: &Run<'_>) -> Result<()> {
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(()) };
        let (graph, guard) = (run.context.graph(), run.context.guard());
        let sum = whole_sum(walk, graph, guard, frontier)?;
        self.sum_of(0).absorb_ints(&sum)
    }

    /// One row for each scope; null where nothing was reached.
    fn rows(&mut self, scopes: &Scopes) -> Result<Option<Batch>> {
        if std::mem::replace(&mut self.done, true) || scopes.len() == 0 {
            return Ok(None);
        }
        let none = Sum::default();
        let sum = |ordinal: u32| self.by_ordinal.get(ordinal as usize).unwrap_or(&none).total();
        let sums = scopes.iter().map(sum).collect::<Result<Vec<_>>>()?;
        let mut batch = Batch { len: sums.len(), ..Batch::default() };
        if self.live {
            batch.columns.push(Column::from_values(sums).into());
        }
        if 1 < scopes.bound() {
            batch.ordinals = Some(scopes.iter().collect::<Vec<_>>().into());
        }
        Ok(Some(batch))
    }
}

impl Operator for SumIds {
    fn begin(&mut self, _run: &Run<'_>) {
        self.by_ordinal.clear();
        self.done = false;
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        let mut waiting = Waiting::default();
        while !self.done {
            let Some(batch) = input.next(run)? else { break };
            if batch.ordinals.is_some() {
                self.add_in_scopes(&batch, run)?;
                continue;
            }
            waiting.push(batch, self.from)?;
            if limits::FRONTIER_ROWS_MAX <= waiting.len() {
                self.add(&waiting.take(), run)?;
            }
        }
        if 0 < waiting.len() {
            self.add(&waiting.take(), run)?;
        }
        self.rows(input.scopes())
    }
}

/// The sum over a frontier, by threads if it is large.
fn whole_sum(
    walk: StoreWalk<'_>,
    graph: &dyn Snapshot,
    guard: &Guard,
    frontier: &Frontier,
) -> Result<Sum> {
    let (vertices, weights) = (frontier.vertices(), frontier.weights());
    let rows = vertices.len();
    let stretch_sum = |start: usize, end: usize| {
        let mut sum = Sum::default();
        each_list(walk, graph, guard, &vertices[start..end], |place, total, count| {
            let weight = weights.map_or(1, |weights| weights[start + place]);
            sum.add_ints(total, count, weight)
        })?;
        Ok(sum)
    };
    let taken = if rows < limits::PARALLEL_ROWS_MIN { None } else { threads::take() };
    let Some(taken) = taken else { return stretch_sum(0, rows) };
    let stretch = rows.div_ceil(threads::count());
    let parts: Result<Vec<Sum>> = taken.install(|| {
        let starts: Vec<usize> = (0..rows).step_by(stretch).collect();
        let part = |start: usize| stretch_sum(start, (start + stretch).min(rows));
        starts.into_par_iter().map(part).collect()
    });
    parts?.iter().try_fold(Sum::default(), |mut whole, part| {
        whole.absorb_ints(part)?;
        Ok(whole)
    })
}

/// Calls `add` with the place in the frontier of each list, the sum of its ids and how many they are.
fn each_list(
    walk: StoreWalk<'_>,
    graph: &dyn Snapshot,
    guard: &Guard,
    frontier: &[VertexId],
    mut add: impl FnMut(usize, i128, u64) -> Result<()>,
) -> Result<()> {
    // Asked of none, it says whether any vertex has an external id.
    let own_ids = graph.external_ids(&[])?.is_some();
    walk.expand(graph, guard, frontier, |place, run| {
        walk.pieces(&run, frontier[place], |piece| {
            let total = if own_ids { external_total(graph, piece)? } else { total(piece)? };
            add(place, total, piece.len() as u64)
        })?;
        Ok(ControlFlow::Continue(()))
    })
}

/// The sum of ids that are slots.
#[inline]
fn total(piece: Neighbours<'_>) -> Result<i128> {
    match piece {
        Neighbours::Narrow(ids) => Ok(i128::from(ids.iter().map(|&id| u64::from(id)).sum::<u64>())),
        Neighbours::Wide(ids) => ids.iter().try_fold(0, |sum, vertex| Ok(sum + int(vertex.0)?)),
    }
}

/// The sum of the external ids of vertices.
fn external_total(graph: &dyn Snapshot, piece: Neighbours<'_>) -> Result<i128> {
    let mut sum = 0;
    for start in (0..piece.len()).step_by(limits::BATCH_ROWS_MAX) {
        let end = piece.len().min(start + limits::BATCH_ROWS_MAX);
        let vertices: Vec<VertexId> = (start..end).map(|at| piece.get(at)).collect();
        let external = graph.external_ids(&vertices)?;
        let external = external.unwrap_or_else(|| vertices.iter().map(|vertex| vertex.0).collect());
        sum = external.into_iter().try_fold(sum, |sum, id| Ok(sum + int(id)?))?;
    }
    Ok(sum)
}

fn int(id: u64) -> Result<i128> {
    if is_textual(id) {
        let detail = "a sum expects numbers but got a string: the id of a vertex is a text";
        return Err(Error::new(ErrorKind::BadQuery, detail));
    }
    let detail = || format!("id {id} does not fit a signed 64-bit integer");
    let int = i64::try_from(id).map_err(|_| Error::new(ErrorKind::BadInput, detail()))?;
    Ok(i128::from(int))
}
