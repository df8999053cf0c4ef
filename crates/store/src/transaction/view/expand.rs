//! Lists in a transaction: the snapshot's runs without deleted edges, then one run of its own.
//!
//! A run of the snapshot passes untouched unless its vertex lost edges of that type here; only then
//! are its entries copied. The transaction's own runs are put *between* the snapshot's runs as
//! these arrive, since all runs of a row must come together and in order.

use std::borrow::Cow;
use std::ops::ControlFlow;

use millrace_model::{Direction, EdgeId, EdgeTypeId, Result, VertexId};

use crate::reads::run::{Neighbours, Run, RunEdges, RunSink};
use crate::transaction::state::part::Part;
use crate::transaction::state::part_index::place_of;
use crate::transaction::state::spilled_part::PartSummary;
use crate::transaction::state::write_set::WriteSet;
use crate::transaction::view::View;

/// A run that was created in the transaction.
struct OwnRun<'a> {
    place: Place,
    edge_type: EdgeTypeId,
    neighbours: Cow<'a, [VertexId]>,
    edges: Cow<'a, [EdgeId]>,
}

/// Row of the frontier, direction, place of the type in the order asked for.
type Place = (usize, Direction, u32);

/// Sits between the snapshot and the caller's sink.
struct MergingSink<'a> {
    frontier: &'a [VertexId],
    types: Option<&'a [EdgeTypeId]>,
    set: &'a WriteSet,
    own: std::iter::Peekable<std::vec::IntoIter<OwnRun<'a>>>,
    sink: &'a mut dyn RunSink,
    scratch: (Vec<VertexId>, Vec<EdgeId>),
    stopped: bool,
}

impl View<'_> {
    pub(in crate::transaction) fn expand(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        sink: &mut dyn RunSink,
    ) -> Result<()> {
        let own = self.own_runs(frontier, types, direction)?;
        if own.is_empty() && self.set.deleted_edges.is_empty() {
            return self.snapshot.expand(frontier, types, direction, sink);
        }
        let (own, scratch) = (own.into_iter().peekable(), Default::default());
        let set = self.set;
        let mut merging = MergingSink { frontier, types, set, own, sink, scratch, stopped: false };
        self.snapshot.expand(frontier, types, direction, &mut merging)?;
        if !merging.stopped {
            // Whether the sink breaks on the last own runs no longer matters.
            let _ = merging.pass_own(|_| true);
        }
        Ok(())
    }

    pub(in crate::transaction) fn degrees(
        &self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        degrees: &mut Vec<u64>,
    ) -> Result<()> {
        let first = degrees.len();
        self.snapshot.degrees(frontier, types, direction, degrees)?;
        let degrees = &mut degrees[first..];
        if !self.set.deleted_degrees.is_empty() {
            for (vertex, degree) in frontier.iter().zip(&mut *degrees) {
                for lost in self.set.deleted_degrees.get(vertex).into_iter().flatten() {
                    if direction.halves().contains(&lost.half)
                        && place_of(types, lost.edge_type).is_some()
                    {
                        *degree -= lost.count;
                    }
                }
            }
        }
        self.for_each_part(modifies_lists(frontier, direction), |part| {
            for (vertex, degree) in frontier.iter().zip(&mut *degrees) {
                for half in direction.halves() {
                    part.index.lists_of(*vertex, *half, types, |_, _, list| {
                        *degree += list.edges.len() as u64;
                    });
                }
            }
            Ok(())
        })
    }

    /// The runs of the frontier that were created here, in the order they must come.
    fn own_runs<'a>(
        &'a self,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
    ) -> Result<Vec<OwnRun<'a>>> {
        let mut runs = Vec::new();
        let modifies = modifies_lists(frontier, direction);
        for at in 0..self.set.spilled.len() {
            if modifies(&self.set.spilled[at].summary) {
                let part = self.load(at)?;
                let loaded = runs_of_part(&part, frontier, types, direction);
                // The part may leave the cache before the sink has seen its runs.
                runs.extend(loaded.into_iter().map(|run| run.into_owned()));
            }
        }
        runs.append(&mut runs_of_part(&self.set.open, frontier, types, direction));
        runs.sort_by_key(|run| run.place);
        Ok(runs)
    }
}

fn modifies_lists(frontier: &[VertexId], direction: Direction) -> impl Fn(&PartSummary) -> bool {
    move |part| frontier.iter().any(|vertex| part.modifies_list(*vertex, direction))
}

fn runs_of_part<'a>(
    part: &'a Part,
    frontier: &[VertexId],
    types: Option<&[EdgeTypeId]>,
    direction: Direction,
) -> Vec<OwnRun<'a>> {
    let mut runs = Vec::new();
    if !part.index.has_lists() {
        return runs;
    }
    for (row, vertex) in frontier.iter().enumerate() {
        for half in direction.halves() {
            part.index.lists_of(*vertex, *half, types, |place, edge_type, list| {
                let place = (row, *half, place);
                let neighbours = Cow::Borrowed(&*list.neighbours);
                runs.push(OwnRun {
                    place,
                    edge_type,
                    neighbours,
                    edges: Cow::Borrowed(&list.edges),
                });
            });
        }
    }
    runs
}

impl OwnRun<'_> {
    fn into_owned(self) -> OwnRun<'static> {
        OwnRun {
            place: self.place,
            edge_type: self.edge_type,
            neighbours: Cow::Owned(self.neighbours.into_owned()),
            edges: Cow::Owned(self.edges.into_owned()),
        }
    }
}

impl RunSink for MergingSink<'_> {
    fn run(&mut self, row: usize, run: Run<'_>) -> ControlFlow<()> {
        let type_place = place_of(self.types, run.edge_type).expect("a run is of a type asked for");
        let place = (row, run.direction, type_place);
        let flow = match self.pass_own(|own| own < place) {
            ControlFlow::Continue(()) => self.pass(row, run),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        };
        self.stopped |= flow.is_break();
        flow
    }
}

impl MergingSink<'_> {
    fn pass_own(&mut self, is_due: impl Fn(Place) -> bool) -> ControlFlow<()> {
        while let Some(own) = self.own.next_if(|own| is_due(own.place)) {
            let (row, direction, _) = own.place;
            let neighbours = Neighbours::Wide(&own.neighbours);
            let edges = RunEdges::Wide(&own.edges);
            let (edge_type, sorted) = (own.edge_type, own.edges.len() == 1);
            self.sink.run(row, Run { edge_type, direction, sorted, neighbours, edges })?;
        }
        ControlFlow::Continue(())
    }

    fn pass(&mut self, row: usize, run: Run<'_>) -> ControlFlow<()> {
        let lost = self.set.deleted_degrees.get(&self.frontier[row]).is_some_and(|lost| {
            lost.iter().any(|lost| (lost.half, lost.edge_type) == (run.direction, run.edge_type))
        });
        if !lost {
            return self.sink.run(row, run);
        }
        let (neighbours, edges) = &mut self.scratch;
        neighbours.clear();
        edges.clear();
        for at in 0..run.len() {
            let edge = run.edge(at);
            if !self.set.deleted_edges.contains_key(&edge) {
                neighbours.push(run.neighbours.get(at));
                edges.push(edge);
            }
        }
        if edges.is_empty() {
            return ControlFlow::Continue(());
        }
        let (neighbours, edges) = (Neighbours::Wide(neighbours), RunEdges::Wide(edges));
        self.sink.run(row, Run { neighbours, edges, ..run })
    }
}
