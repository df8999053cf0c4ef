//! `Expand`: each row, once for every edge of its vertex, in list order.
//!
//! A batch of rows may have far more edges than a batch holds: the walk stops when the output is
//! full, and goes on at the same place of the same list with the next pull. The place is a number
//! of neighbours to skip, which is cheap since runs are slices.

use std::ops::{ControlFlow, Range};

use millrace_model::{Batch, Column, EdgeId, Result, VertexId};
use millrace_plan::op;
use millrace_store::{Neighbours, Run as StoreRun, RunEdges};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::EdgeTypes;
use crate::operators::vertices::Vertices;
use crate::pipeline::{BatchSize, Keep, Operator, Upstream, add};
use crate::run::Run;
use crate::traversal::Walk;

/// Which new columns are read later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) edge: bool,
    pub(crate) to: bool,
}

pub(crate) struct Expand {
    from: usize,
    walk: Walk,
    wanted: Wanted,
    keep: Keep,
    size: BatchSize,
    batch: Option<Batch>,
    /// Where to go on: the place in the frontier, and the number of its neighbours that were emitted already.
    place: usize,
    skip: usize,
}

impl Expand {
    pub(crate) fn new(
        from: usize,
        walk: Walk,
        wanted: Wanted,
        keep: Keep,
        size: BatchSize,
    ) -> Expand {
        Expand { from, walk, wanted, keep, size, batch: None, place: 0, skip: 0 }
    }

    /// The next rows of a batch; `None` when all its lists were walked.
    fn walk(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Option<Batch>> {
        let vertices = Vertices::of(batch, self.from, "an expansion")?;
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(None) };
        if vertices.ids.len() <= self.place {
            return Ok(None);
        }
        let found = loop {
            let start = self.place;
            let mut found = Found::new(self.wanted, self.skip, self.size.next(run.context.guard()));
            let frontier = &vertices.ids[start..];
            walk.expand(run.context.graph(), run.context.guard(), frontier, |row, edges| {
                let own = walk.sees_loops_again(&edges).then(|| frontier[row]);
                Ok(found.take(row, vertices.row(start + row), &edges, own))
            })?;
            if found.full {
                self.place = start + found.place;
                self.skip = found.seen;
            } else {
                self.place = vertices.ids.len();
                self.skip = 0;
            }
            // Where all that was seen were loops seen before, there may be more behind them.
            if !(found.full && found.rows.is_empty()) {
                break found;
            }
        };
        if found.rows.is_empty() {
            return Ok(None);
        }
        let mut result = self.keep.take(batch, &found.rows);
        if self.wanted.edge {
            add(&mut result, Column::edges(found.edges));
        }
        if self.wanted.to {
            add(&mut result, Column::vertices(found.to));
        }
        Ok(Some(result))
    }
}

impl Operator for Expand {
    fn begin(&mut self, _run: &Run<'_>) {
        self.batch = None;
        self.size.begin_again();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let batch = match self.batch.take() {
                Some(batch) => batch,
                None => {
                    let Some(batch) = input.next(run)? else { return Ok(None) };
                    (self.place, self.skip) = (0, 0);
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

/// Edges found by one walk.
struct Found {
    wanted: Wanted,
    rows: Vec<u32>,
    edges: Vec<EdgeId>,
    to: Vec<VertexId>,
    /// How many more fit.
    room: usize,
    full: bool,
    /// The list under way, and how many of its neighbours were seen.
    place: usize,
    seen: usize,
    /// Neighbours of the first list that were emitted before.
    skip: usize,
}

impl Found {
    fn new(wanted: Wanted, skip: usize, room: usize) -> Found {
        Found {
            wanted,
            rows: Vec::new(),
            edges: Vec::new(),
            to: Vec::new(),
            room,
            full: false,
            place: 0,
            seen: 0,
            skip,
        }
    }

    fn take(
        &mut self,
        place: usize,
        row: u32,
        run: &StoreRun<'_>,
        own: Option<VertexId>,
    ) -> ControlFlow<()> {
        if self.place != place {
            (self.place, self.seen, self.skip) = (place, 0, 0);
        }
        let start = self.skip.min(run.len());
        self.skip -= start;
        let end = run.len().min(start + self.room);
        self.seen += end;
        match own {
            None => self.push(row, run, start..end),
            Some(own) => {
                for at in start..end {
                    if run.neighbours.get(at) != own {
                        self.push(row, run, at..at + 1);
                    }
                }
            }
        }
        if end < run.len() {
            self.full = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Appends neighbours of a run: one straight loop for each column that is wanted.
    #[inline]
    fn push(&mut self, row: u32, run: &StoreRun<'_>, range: Range<usize>) {
        self.room -= range.len();
        self.rows.extend(std::iter::repeat_n(row, range.len()));
        if self.wanted.to {
            match run.neighbours {
                Neighbours::Narrow(ids) => {
                    self.to.extend(ids[range.clone()].iter().map(|&id| VertexId(u64::from(id))));
                }
                Neighbours::Wide(ids) => self.to.extend_from_slice(&ids[range.clone()]),
            }
        }
        if self.wanted.edge {
            match run.edges {
                RunEdges::Wide(edges) => self.edges.extend_from_slice(&edges[range]),
                RunEdges::OutSlots { base, slots } => {
                    let edge = |&slot: &u32| EdgeId(base | u64::from(slot));
                    self.edges.extend(slots[range].iter().map(edge));
                }
                RunEdges::Consecutive { first } => {
                    self.edges.extend(range.map(|at| EdgeId(first.0 + at as u64)));
                }
                RunEdges::InSlots { .. } => self.edges.extend(range.map(|at| run.edge(at))),
            }
        }
    }
}

impl Compile for op::Expand {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [edge, to]) = place.keep_and([self.edge, self.to]);
        let walk = Walk::new(EdgeTypes::new(self.types.as_deref()), self.direction, self.loops);
        let from = compiler.slot(place.layout, self.from)?;
        Ok((Box::new(Expand::new(from, walk, Wanted { edge, to }, keep, place.size)), after))
    }
}
