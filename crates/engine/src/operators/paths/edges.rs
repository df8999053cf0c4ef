//! The edges that paths go on by: a step's types, its price, its test, for a whole frontier at once.
//!
//! Of a path of several steps, the length of a way says which one is next.

use std::ops::ControlFlow;

use millrace_model::{Batch, Column, EdgeId, KeyId, Result, VertexId};
use millrace_plan::{ColumnId, PathLeg, PathPattern};

use super::radius::Radius;
use super::tree::Tree;
use super::way_test::WayTest;
use crate::compile::Compiler;
use crate::context::{EdgeTypes, Resolved};
use crate::expressions::gather;
use crate::run::Run;
use crate::traversal::{StoreWalk, Walk};

/// A way that may go on: its last step, by which edge, to where, at which price.
pub(super) type Next = (u32, EdgeId, VertexId, f64);

/// The edges that ways walk.
pub(crate) struct PathEdges {
    steps: Vec<StepEdges>,
    /// What ways may not go on from; `None` also where no way can.
    radius: Option<Radius>,
    /// The rows that the ways of a batch belong to, for tests that read them.
    rows: Batch,
}

/// The edges of one step, and their price; without a weight each costs one.
struct StepEdges {
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
        if self.steps.iter().any(|step| step.test.is_some()) {
            self.rows = rows.clone();
        }
        if let Some(radius) = &mut self.radius {
            radius.begin(run);
        }
    }

    /// The only step's direction; `None` of several.
    pub(super) fn only_direction(&self) -> Option<millrace_model::Direction> {
        if let [step] = self.steps.as_slice() { Some(step.walk.direction) } else { None }
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
        let types = EdgeTypes::new(step.types.as_deref());
        let walk = Walk::new(types, step.direction, step.loops);
        let weight = step.weight.as_ref().map(|key| [Resolved::new(key)]);
        let test = step.test.as_ref().map(|test| {
            WayTest::compile((&test.holds, [test.edge, test.vertex]), compiler, layout)
        });
        Ok(StepEdges { walk, weight, test: test.transpose()? })
    }

    fn each_edge(
        &mut self,
        (rows, tree): (&Batch, &mut Tree),
        frontier: &[u32],
        run: &Run<'_>,
        each: &mut dyn FnMut(&mut Tree, Next),
    ) -> Result<()> {
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(()) };
        let vertices: Vec<VertexId> =
            frontier.iter().map(|&step| tree.steps[step as usize].vertex).collect();
        if self.weight.is_none() && self.test.is_none() {
            return walk_all(walk, &vertices, run, &mut |place, edge, other| {
                each(tree, (frontier[place], edge, other, 1.0));
                tree.charge(run)
            });
        }
        let mut found: Vec<Next> = Vec::new();
        walk_all(walk, &vertices, run, &mut |place, edge, other| {
            found.push((frontier[place], edge, other, 1.0));
            Ok(())
        })?;
        if let Some(weight) = &self.weight {
            let edges = Column::edges(found.iter().map(|next| next.1).collect());
            let prices = gather(&edges, weight, run)?;
            let mut place = 0;
            found.retain_mut(|(_, _, _, price)| {
                let known = prices[0].get(place).and_then(|price| price.as_double());
                place += 1;
                let known = known.filter(|known| 0.0 <= *known);
                known.inspect(|known| *price = *known).is_some()
            });
        }
        if let Some(test) = &self.test {
            let ways: Vec<u32> = found.iter().map(|next| tree.steps[next.0 as usize].row).collect();
            let edges = Column::edges(found.iter().map(|next| next.1).collect());
            let vertices = Column::vertices(found.iter().map(|next| next.2).collect());
            let kept = test.passing(rows, &ways, [edges, vertices], run)?;
            found = kept.into_iter().map(|place| found[place as usize]).collect();
        }
        for next in found {
            each(tree, next);
            tree.charge(run)?;
        }
        Ok(())
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
