//! `Neighbours`: each row, once for every vertex that edges of its vertex lead to, ascending.
//!
//! A list that is one ascending run is passed on as it is, but for repeated entries; any other is sorted when its row ends.
//! The walk stops between two rows when the output is full, so a batch is longer than asked by the list of one vertex.

use std::ops::ControlFlow;

use millrace_model::{Batch, Column, Result, VertexId};
use millrace_plan::{Loops, op};
use millrace_store::{Neighbours as RunNeighbours, Run as StoreRun};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::EdgeTypes;
use crate::limits::FLAT_ROWS_UNASKED_MAX;
use crate::operators::vertices::Vertices;
use crate::pipeline::{BatchSize, Keep, Operator, Upstream, add};
use crate::run::{Charge, Run};
use crate::traversal::Walk;

/// Bytes of a row of the output: the row it comes from, and the neighbour.
const ROW_BYTES: u64 = (size_of::<u32>() + size_of::<VertexId>()) as u64;

pub(crate) struct Neighbours {
    from: usize,
    walk: Walk,
    /// Whether the new column is read later.
    to: bool,
    keep: Keep,
    size: BatchSize,
    batch: Option<Batch>,
    /// Where to go on in the frontier.
    next: usize,
    charge: Charge,
}

impl Neighbours {
    /// The next rows of a batch; `None` when all its lists were walked.
    fn walk(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Option<Batch>> {
        let vertices = Vertices::of(batch, self.from, "an expansion")?;
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(None) };
        let (graph, guard) = (run.context.graph(), run.context.guard());
        let frontier = &vertices.ids[self.next.min(vertices.ids.len())..];
        if frontier.is_empty() {
            return Ok(None);
        }
        let (start, charge) = (self.next, &mut self.charge);
        charge.release(run);
        let mut found = Found { room: self.size.next(guard), ..Found::default() };
        walk.expand(graph, guard, frontier, |at, list| {
            if at != found.at {
                found.end(vertices.row(start + found.at));
                found.at = at;
                if found.room <= found.to.len() {
                    found.is_full = true;
                    return Ok(ControlFlow::Break(()));
                }
            }
            let len = (found.to.len() + list.len()) as u64;
            if FLAT_ROWS_UNASKED_MAX <= len {
                charge.set(len * ROW_BYTES, run)?;
            }
            found.take(&list);
            Ok(ControlFlow::Continue(()))
        })?;
        self.next = match found.is_full {
            true => start + found.at,
            false => {
                found.end(vertices.row(start + found.at));
                vertices.ids.len()
            }
        };
        if found.rows.is_empty() {
            return Ok(None);
        }
        let mut result = self.keep.take(batch, &found.rows);
        if self.to {
            add(&mut result, Column::vertices(found.to));
        }
        Ok(Some(result))
    }
}

/// Neighbours found by one walk.
#[derive(Default)]
struct Found {
    /// How many are wanted.
    room: usize,
    rows: Vec<u32>,
    to: Vec<VertexId>,
    /// The list under way: its number in the frontier, where its entries begin, whether they ascend.
    at: usize,
    begin: usize,
    is_in_disorder: bool,
    is_full: bool,
}

impl Found {
    /// Takes a run of the list under way.
    #[inline]
    fn take(&mut self, run: &StoreRun<'_>) {
        self.is_in_disorder |= !run.sorted || self.begin < self.to.len();
        match run.neighbours {
            RunNeighbours::Narrow(ids) => {
                self.to.extend(ids.iter().map(|&id| VertexId(u64::from(id))));
            }
            RunNeighbours::Wide(ids) => self.to.extend_from_slice(ids),
        }
    }

    /// Ends the list under way, of a row.
    fn end(&mut self, row: u32) {
        let own = &mut self.to[self.begin..];
        if self.is_in_disorder {
            own.sort_unstable();
        }
        if own.is_sorted_by(|left, right| left < right) {
            self.begin = self.to.len();
        } else {
            let mut end = self.begin;
            for at in self.begin..self.to.len() {
                if end == self.begin || self.to[end - 1] != self.to[at] {
                    self.to[end] = self.to[at];
                    end += 1;
                }
            }
            self.to.truncate(end);
            self.begin = end;
        }
        self.rows.resize(self.begin, row);
        self.is_in_disorder = false;
    }
}

impl Operator for Neighbours {
    fn begin(&mut self, run: &Run<'_>) {
        self.batch = None;
        self.size.begin_again();
        self.charge.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let batch = match self.batch.take() {
                Some(batch) => batch,
                None => {
                    let Some(batch) = input.next(run)? else { return Ok(None) };
                    self.next = 0;
                    batch
                }
            };
            if let Some(result) = self.walk(&batch, run)? {
                self.batch = Some(batch);
                return Ok(Some(result));
            }
        }
    }
}

impl Compile for op::Neighbours {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let types = EdgeTypes::new(self.types.as_deref());
        // A vertex counts once, and so does one that is its own neighbour.
        let walk = Walk::new(types, self.direction, Loops::Twice);
        let from = compiler.slot(place.layout, self.from)?;
        let (size, charge) = (place.size, Charge::default());
        let operator = Neighbours { from, walk, to, keep, size, batch: None, next: 0, charge };
        Ok((Box::new(operator), after))
    }
}
