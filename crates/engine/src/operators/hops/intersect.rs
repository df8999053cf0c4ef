//! `Intersect`: each row, once for every common neighbour of several of its vertices, by id.
//!
//! For each arm the neighbours of the batch's distinct vertices are gathered once, in order of ids
//! with how many edges lead to each. A row then starts from its shortest list and looks its entries
//! up in the others: side by side in one of like length, by halving in one that is much longer.
//! Two arms without an order have a faster way (`marks`).

mod marks;
mod short;

use std::cmp::Ordering;
use std::ops::ControlFlow;

use millrace_model::{Batch, Column, Result, VertexId};
use millrace_plan::op::Demand;
use millrace_plan::{IntersectArm, op};
use rustc_hash::FxHashMap;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::EdgeTypes;
use crate::limits;
use crate::operators::vertices::Vertices;
use crate::pipeline::{BatchPieces, Keep, Operator, Upstream, add, next_piece};
use crate::rows::{batch_bytes, multiplied, overflow};
use crate::run::{Charge, Run};
use crate::traversal::Walk;
use marks::{FoundRows, Marks};

pub(crate) struct Intersect {
    /// The slot of each arm's vertex, and the way from it.
    arms: Vec<(usize, Walk)>,
    /// Whether the neighbour is read later.
    to: bool,
    /// Whether a row stands for all choices of edges: equal rows stay together, which shows
    /// where a full order is demanded.
    weighted: bool,
    keep: Keep,
    /// Whether rows may come in any order, so that two arms may be marked.
    free: bool,
    marks: Marks,
    pending: Option<BatchPieces>,
    charge: Charge,
}

/// Row, neighbour and weight, until they are a batch.
const ROW_BYTES: u64 = 20;

/// A neighbour, and how many edges lead to it.
type Found = (VertexId, u64);

/// The neighbours of the distinct vertices of one arm.
struct Lists {
    /// The list of each row; none where there is no vertex.
    of_row: Vec<Option<u32>>,
    starts: Vec<usize>,
    found: Vec<Found>,
}

impl Lists {
    fn of(&self, row: usize) -> &[Found] {
        let Some(list) = self.of_row[row] else { return &[] };
        &self.found[self.starts[list as usize]..self.starts[list as usize + 1]]
    }
}

impl Intersect {
    /// Where `free`, rows are weighted too.
    fn new(
        arms: Vec<(usize, Walk)>,
        to: bool,
        (weighted, free): (bool, bool),
        keep: Keep,
    ) -> Intersect {
        let (marks, charge) = (Marks::default(), Charge::default());
        Intersect { arms, to, weighted, keep, free, marks, pending: None, charge }
    }

    fn join(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        if self.free && self.arms.len() == 2 && Marks::fit(run) {
            let (arms, marks, charge) = (&mut self.arms, &mut self.marks, &mut self.charge);
            let found = marks::found(arms, marks, batch, self.to, charge, run)?;
            return self.rows(batch, found, run);
        }
        let found = self.sorted(batch, run)?;
        self.rows(batch, found, run)
    }

    /// By the sorted neighbours of all distinct vertices.
    fn sorted(&mut self, batch: &Batch, run: &Run<'_>) -> Result<FoundRows> {
        let charge = &mut self.charge;
        let lists: Vec<Lists> = self
            .arms
            .iter_mut()
            .map(|(slot, walk)| gather(batch, *slot, walk, charge, run))
            .collect::<Result<_>>()?;
        let (mut rows, mut vertices, mut times) = (Vec::new(), Vec::new(), Vec::new());
        let mut checked = 0;
        for row in 0..batch.len {
            for (vertex, count) in common(lists.iter().map(|lists| lists.of(row)).collect())? {
                let (copies, weight) = if self.weighted { (1, count) } else { (count, 1) };
                self.charge.grow(copies.saturating_mul(ROW_BYTES), run)?;
                rows.resize(rows.len() + copies as usize, row as u32);
                vertices.resize(rows.len(), vertex);
                times.resize(rows.len(), weight);
            }
            if limits::BATCH_ROWS_MAX < rows.len() - checked {
                checked = rows.len();
                run.context.guard().check()?;
            }
        }
        Ok(FoundRows { rows, vertices, times })
    }

    fn rows(&mut self, batch: &Batch, found: FoundRows, run: &Run<'_>) -> Result<Batch> {
        let FoundRows { rows, vertices, times } = found;
        let mut result = self.keep.take(batch, &rows);
        if self.to {
            add(&mut result, Column::vertices(vertices));
        }
        let by = times.iter().any(|&times| times != 1).then_some(&times[..]);
        let result = multiplied(result, by, run.context.guard())?;
        self.charge.set(batch_bytes(&result), run)?;
        Ok(result)
    }
}

fn gather(
    batch: &Batch,
    slot: usize,
    walk: &mut Walk,
    charge: &mut Charge,
    run: &Run<'_>,
) -> Result<Lists> {
    let vertices = Vertices::of(batch, slot, "an intersection")?;
    let (mut places, mut distinct) = (FxHashMap::default(), Vec::new());
    let mut of_row = vec![None; batch.len];
    for (at, &vertex) in vertices.ids.iter().enumerate() {
        let place = *places.entry(vertex).or_insert_with(|| {
            distinct.push(vertex);
            distinct.len() as u32 - 1
        });
        of_row[vertices.row(at) as usize] = Some(place);
    }
    let mut pairs: Vec<(u32, VertexId)> = Vec::new();
    if let Some(walk) = walk.resolve(run.context) {
        walk.expand(run.context.graph(), run.context.guard(), &distinct, |place, edges| {
            let before = pairs.len();
            walk.pieces(&edges, distinct[place], |piece| {
                pairs.extend((0..piece.len()).map(|at| (place as u32, piece.get(at))));
                Ok(())
            })?;
            let pair_bytes = size_of::<(u32, VertexId)>() + size_of::<Found>();
            charge.grow(((pairs.len() - before) * pair_bytes) as u64, run)?;
            Ok(ControlFlow::Continue(()))
        })?;
    }
    pairs.sort_unstable();
    Ok(counted(of_row, distinct.len(), &pairs))
}

/// Pairs in order, as lists with each neighbour once.
fn counted(of_row: Vec<Option<u32>>, lists: usize, pairs: &[(u32, VertexId)]) -> Lists {
    let (mut starts, mut found): (Vec<usize>, Vec<Found>) = (vec![0], Vec::new());
    for same in pairs.chunk_by(|left, right| left == right) {
        let (place, vertex) = same[0];
        starts.resize(place as usize + 1, found.len());
        found.push((vertex, same.len() as u64));
    }
    starts.resize(lists + 1, found.len());
    Lists { of_row, starts, found }
}

/// The intersection of the lists, the counts multiplied.
fn common(mut lists: Vec<&[Found]>) -> Result<Vec<Found>> {
    lists.sort_by_key(|list| list.len());
    let Some((shortest, others)) = lists.split_first() else { return Ok(Vec::new()) };
    let mut common = shortest.to_vec();
    for other in others {
        let mut rest: &[Found] = other;
        let mut both = Vec::with_capacity(common.len());
        for (vertex, count) in common {
            rest = skip_below(rest, vertex);
            if let Some((found, times)) = rest.first()
                && *found == vertex
            {
                both.push((vertex, count.checked_mul(*times).ok_or_else(overflow)?));
            }
        }
        common = both;
    }
    Ok(common)
}

/// The list from a vertex on: by steps that double, then by halving, so that a near one is found at
/// once and a far one soon.
fn skip_below(list: &[Found], vertex: VertexId) -> &[Found] {
    let is_below = |found: &Found| found.0.cmp(&vertex) == Ordering::Less;
    let mut step = 1;
    while step < list.len() && is_below(&list[step - 1]) {
        step *= 2;
    }
    let (near, far) = (step / 2, step.min(list.len()));
    &list[near + list[near..far].partition_point(is_below)..]
}

impl Operator for Intersect {
    fn begin(&mut self, run: &Run<'_>) {
        self.pending = None;
        self.charge.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if let Some(batch) = next_piece(&mut self.pending, run) {
                return Ok(Some(batch));
            }
            self.charge.release(run);
            let Some(batch) = input.next(run)? else { return Ok(None) };
            self.pending = Some(BatchPieces::new(self.join(&batch, run)?));
        }
    }
}

impl Compile for op::Intersect {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let arm = |arm: &IntersectArm| {
            let walk = Walk::new(EdgeTypes::new(arm.types.as_deref()), arm.direction, arm.loops);
            Ok((compiler.slot(place.layout, arm.from)?, walk))
        };
        let arms = self.arms.iter().map(arm).collect::<Result<_>>()?;
        let weighted = compiler.plan.merging && place.demand != Demand::Full;
        let free = weighted && place.demand == Demand::Free;
        Ok((Box::new(Intersect::new(arms, to, (weighted, free), keep)), after))
    }
}
