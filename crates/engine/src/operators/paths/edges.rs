//! The edges that paths go on by: types, price and test of a step's alternatives, for a whole frontier at once.
//!
//! Of a path of several steps, the length of a way says which one is next. Whatever the alternatives, all edges of one
//! way come together, and ways come in the order of the frontier.

use std::ops::ControlFlow;

use millrace_model::{Batch, Column, EdgeId, KeyId, Result, VertexId};
use millrace_plan::{ColumnId, ParallelEdges, PathAlternative, PathLeg, PathPattern};
use rustc_hash::FxHashSet;

use super::radius::Radius;
use super::tree::Tree;
use super::way_test::WayTest;
use crate::compile::Compiler;
use crate::context::{EdgeTypes, Resolved};
use crate::expressions::gather;
use crate::limits;
use crate::run::{Charge, Run};
use crate::traversal::{StoreWalk, Walk};

/// A way that may go on: its last step, by which edge, to where, at which price, by which alternative.
#[derive(Clone, Copy)]
pub(super) struct Next {
    pub(super) before: u32,
    pub(super) edge: EdgeId,
    pub(super) vertex: VertexId,
    pub(super) price: f64,
    pub(super) alternative: u32,
}

/// The edges that ways walk.
pub(crate) struct PathEdges {
    steps: Vec<StepEdges>,
    /// What ways may not go on from; `None` also where no way can.
    radius: Option<Radius>,
    /// The rows that the ways of a batch belong to, for tests that read them.
    rows: Batch,
}

/// The edges of one step: those of each alternative.
struct StepEdges {
    alternatives: Vec<AlternativeEdges>,
    parallel: ParallelEdges,
}

/// The edges of one alternative, and their price; without a weight each costs one.
struct AlternativeEdges {
    walk: Walk,
    weight: Option<[Resolved<KeyId>; 1]>,
    test: Option<WayTest>,
}

impl PathEdges {
    pub(super) fn compile(
        path: &PathPattern,
        compiler: &Compiler<'_>,
        layout: &[ColumnId],
    ) -> Result<PathEdges> {
        let steps = path.steps.iter().map(|step| StepEdges::compile(step, compiler, layout));
        let further = path.max.is_none_or(|max| path.radius.is_some_and(|radius| radius < max));
        let radius = path.radius.filter(|_| further && !path.ways.is_shortest());
        let (steps, radius) = (steps.collect::<Result<_>>()?, radius.map(Radius::new));
        Ok(PathEdges { steps, radius, rows: Batch::default() })
    }

    /// Begins with the rows of another batch.
    pub(super) fn begin(&mut self, rows: &Batch, run: &Run<'_>) {
        if self.tests().next().is_some() {
            self.rows = rows.clone();
        }
        if let Some(radius) = &mut self.radius {
            radius.begin(run);
        }
    }

    fn tests(&self) -> impl Iterator<Item = &WayTest> {
        let alternatives = self.steps.iter().flat_map(|step| &step.alternatives);
        alternatives.filter_map(|own| own.test.as_ref())
    }

    /// Whether ways of two rows from one vertex may walk different edges.
    pub(super) fn reads_rows(&self) -> bool {
        self.tests().any(WayTest::reads_rows)
    }

    /// Calls `each` for all edges that these steps may go on by, in list order.
    pub(super) fn each_next(
        &mut self,
        tree: &mut Tree,
        frontier: &[u32],
        run: &Run<'_>,
        each: &mut dyn FnMut(&mut Tree, Next),
    ) -> Result<()> {
        let Some(mut radius) = self.radius.take() else {
            return self.each_edge(tree, frontier, run, each);
        };
        let near = radius.near(tree, frontier, self, run);
        self.radius = Some(radius);
        self.each_edge(tree, &near?, run, each)
    }

    /// The same, however far from where their ways start.
    pub(super) fn each_edge(
        &mut self,
        tree: &mut Tree,
        frontier: &[u32],
        run: &Run<'_>,
        each: &mut dyn FnMut(&mut Tree, Next),
    ) -> Result<()> {
        let (rows, count) = (&self.rows, self.steps.len());
        if let [step] = self.steps.as_mut_slice() {
            return step.each_edge((rows, tree), frontier, run, each);
        }
        for (number, step) in self.steps.iter_mut().enumerate() {
            let is_next = |way: &&u32| tree.steps[**way as usize].length as usize % count == number;
            let frontier: Vec<u32> = frontier.iter().filter(is_next).copied().collect();
            if !frontier.is_empty() {
                step.each_edge((rows, tree), &frontier, run, each)?;
            }
        }
        Ok(())
    }
}

impl StepEdges {
    fn compile(step: &PathLeg, compiler: &Compiler<'_>, layout: &[ColumnId]) -> Result<StepEdges> {
        let alternatives = step.alternatives.iter();
        let alternatives = alternatives.map(|own| AlternativeEdges::compile(own, compiler, layout));
        Ok(StepEdges {
            alternatives: alternatives.collect::<Result<_>>()?,
            parallel: step.parallel,
        })
    }

    fn each_edge(
        &mut self,
        (rows, tree): (&Batch, &mut Tree),
        frontier: &[u32],
        run: &Run<'_>,
        each: &mut dyn FnMut(&mut Tree, Next),
    ) -> Result<()> {
        match (self.alternatives.as_mut_slice(), self.parallel) {
            ([only], ParallelEdges::All) => only.each_edge((rows, tree), frontier, run, each),
            (_, ParallelEdges::All) => self.each_by_way((rows, tree), frontier, run, each),
            (_, ParallelEdges::First) => {
                let (mut last, mut met) = (None, FxHashSet::default());
                self.each_by_way((rows, tree), frontier, run, &mut |tree, next| {
                    if last != Some(next.before) {
                        met.clear();
                        last = Some(next.before);
                    }
                    if met.insert(next.vertex) {
                        each(tree, next);
                    }
                })
            }
        }
    }

    /// All edges of a way before those of the next one, by one alternative after the other.
    fn each_by_way(
        &mut self,
        (rows, tree): (&Batch, &mut Tree),
        frontier: &[u32],
        run: &Run<'_>,
        each: &mut dyn FnMut(&mut Tree, Next),
    ) -> Result<()> {
        for frontier in frontier.chunks(limits::PATH_PIECE_WAYS_MAX) {
            let (mut found, mut charge) = (Vec::new(), Charge::default());
            for (number, alternative) in (0..).zip(&mut self.alternatives) {
                let mut own = alternative.found((rows, tree), frontier, &mut charge, run)?;
                own.iter_mut().for_each(|next| next.alternative = number);
                found.push(own.into_iter().peekable());
            }
            // Each alternative found its edges in the order of the frontier.
            for &way in frontier {
                for own in &mut found {
                    while let Some(next) = own.next_if(|next| next.before == way) {
                        each(tree, next);
                        tree.charge(run)?;
                    }
                }
            }
            charge.release(run);
        }
        Ok(())
    }
}

impl AlternativeEdges {
    fn compile(
        own: &PathAlternative,
        compiler: &Compiler<'_>,
        layout: &[ColumnId],
    ) -> Result<AlternativeEdges> {
        let types = EdgeTypes::new(own.types.as_deref());
        let walk = Walk::new(types, own.direction, own.loops);
        let weight = own.weight.as_ref().map(|key| [Resolved::new(key)]);
        let test = own.test.as_ref().map(|test| {
            WayTest::compile((&test.holds, [test.edge, test.vertex]), compiler, layout)
        });
        Ok(AlternativeEdges { walk, weight, test: test.transpose()? })
    }

    fn each_edge(
        &mut self,
        (rows, tree): (&Batch, &mut Tree),
        frontier: &[u32],
        run: &Run<'_>,
        each: &mut dyn FnMut(&mut Tree, Next),
    ) -> Result<()> {
        if self.weight.is_none() && self.test.is_none() {
            return self.walked(tree, frontier, run, &mut |tree, next| {
                each(tree, next);
                tree.charge(run)
            });
        }
        for frontier in frontier.chunks(limits::PATH_PIECE_WAYS_MAX) {
            let mut charge = Charge::default();
            for next in self.found((rows, tree), frontier, &mut charge, run)? {
                each(tree, next);
                tree.charge(run)?;
            }
            charge.release(run);
        }
        Ok(())
    }

    /// The edges that may be walked, in list order.
    fn found(
        &mut self,
        (rows, tree): (&Batch, &mut Tree),
        frontier: &[u32],
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Vec<Next>> {
        let mut found: Vec<Next> = Vec::new();
        self.walked(tree, frontier, run, &mut |_, next| {
            if found.len() == found.capacity() {
                // The edges, and the columns of them that a weight and a test read.
                let more = found.len().max(limits::BATCH_ROWS_MAX);
                charge.grow((2 * more * size_of::<Next>()) as u64, run)?;
                found.reserve_exact(more);
            }
            found.push(next);
            Ok(())
        })?;
        if let Some(weight) = &self.weight {
            let edges = Column::edges(found.iter().map(|next| next.edge).collect());
            let prices = gather(&edges, weight, run)?;
            let mut place = 0;
            found.retain_mut(|next| {
                let known = prices[0].get(place).and_then(|price| price.as_double());
                place += 1;
                let known = known.filter(|known| 0.0 <= *known);
                known.inspect(|known| next.price = *known).is_some()
            });
        }
        if let Some(test) = &self.test {
            let ways = found.iter().map(|next| tree.steps[next.before as usize].row);
            let ways: Vec<u32> = ways.collect();
            let edges = Column::edges(found.iter().map(|next| next.edge).collect());
            let vertices = Column::vertices(found.iter().map(|next| next.vertex).collect());
            let kept = test.passing(rows, &ways, [edges, vertices], run)?;
            found = kept.into_iter().map(|place| found[place as usize]).collect();
        }
        Ok(found)
    }

    /// Calls `each` for all edges of the types and the direction, at the price of one.
    fn walked(
        &mut self,
        tree: &mut Tree,
        frontier: &[u32],
        run: &Run<'_>,
        each: &mut dyn FnMut(&mut Tree, Next) -> Result<()>,
    ) -> Result<()> {
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(()) };
        let vertices: Vec<VertexId> =
            frontier.iter().map(|&step| tree.steps[step as usize].vertex).collect();
        walk_all(walk, &vertices, run, &mut |place, edge, vertex| {
            each(tree, Next { before: frontier[place], edge, vertex, price: 1.0, alternative: 0 })
        })
    }
}

fn walk_all(
    walk: StoreWalk<'_>,
    vertices: &[VertexId],
    run: &Run<'_>,
    each: &mut dyn FnMut(usize, EdgeId, VertexId) -> Result<()>,
) -> Result<()> {
    walk.expand(run.context.graph(), run.context.guard(), vertices, |place, edges| {
        let again = walk.sees_loops_again(&edges);
        for at in 0..edges.len() {
            let other = edges.neighbours.get(at);
            if !(again && other == vertices[place]) {
                each(place, edges.edge(at), other)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}
