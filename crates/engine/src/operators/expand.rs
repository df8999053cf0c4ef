//! `Expand`: each row, once for every edge of its vertex, in list order.
//!
//! A batch of rows may have far more edges than a batch holds: the walk stops when the output is
//! full, and goes on at the same place of the same list with the next pull. The place is a number
//! of neighbours to skip, which is cheap since runs are slices.

use std::ops::ControlFlow;

use millrace_model::{Batch, Column, EdgeId, Result, VertexId};
use millrace_store::Run as StoreRun;

use super::keep::{Keep, add};
use super::neighbours::Walk;
use super::vertices::Vertices;
use crate::pipeline::{BatchSize, Operator, Upstream};
use crate::run::Run;

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
    /// Where to go on: the place in the frontier, and neighbours of it that were given already.
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
        let start = self.place;
        let mut found = Found { room: self.size.next(), ..Found::new(self.wanted, self.skip) };
        let frontier = &vertices.ids[start..];
        walk.expand(run.context.graph(), run.context.guard(), frontier, |row, edges| {
            let second = |at| walk.is_second_sight(&edges, frontier[row], at);
            Ok(found.take(row, vertices.row(start + row), &edges, second))
        })?;
        if found.full {
            self.place = start + found.place;
            self.skip = found.seen;
        } else {
            self.place = vertices.ids.len();
            self.skip = 0;
        }
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
    /// Neighbours of the first list that were given before.
    skip: usize,
}

impl Found {
    fn new(wanted: Wanted, skip: usize) -> Found {
        Found {
            wanted,
            rows: Vec::new(),
            edges: Vec::new(),
            to: Vec::new(),
            room: 0,
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
        is_second_sight: impl Fn(usize) -> bool,
    ) -> ControlFlow<()> {
        if self.place != place {
            (self.place, self.seen, self.skip) = (place, 0, 0);
        }
        let start = self.skip.min(run.len());
        self.skip -= start;
        self.seen += start;
        let end = run.len().min(start + self.room);
        let before = self.rows.len();
        for at in start..end {
            if !is_second_sight(at) {
                self.push(row, run, at);
            }
        }
        self.seen += end - start;
        self.room -= self.rows.len() - before;
        if end < run.len() {
            self.full = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn push(&mut self, row: u32, run: &StoreRun<'_>, at: usize) {
        self.rows.push(row);
        if self.wanted.edge {
            self.edges.push(run.edge(at));
        }
        if self.wanted.to {
            self.to.push(run.neighbours.get(at));
        }
    }
}
