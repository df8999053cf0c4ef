//! The radius of ways: a way goes on only from vertices that lie near enough to its start.
//!
//! The distance is counted over all edges that may be walked, not along the way, which may be longer
//! than the shortest one. So each start has its own breadth-first search, made when the first way has
//! as many edges as the radius: a shorter way always ends within the radius.

use millrace_model::{Result, VertexId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edges::PathEdges;
use super::tree::Tree;
use crate::run::Run;

pub(crate) struct Radius {
    /// A vertex is near that lies fewer edges away.
    edges: u64,
    /// The near vertices, by start.
    near: FxHashMap<VertexId, FxHashSet<VertexId>>,
    tree: Tree,
}

impl Radius {
    pub(crate) fn new(edges: u64) -> Radius {
        Radius { edges, near: FxHashMap::default(), tree: Tree::default() }
    }

    /// Forgets the starts of the batch before.
    pub(super) fn begin(&mut self, run: &Run<'_>) {
        self.near.clear();
        self.tree.release(run);
    }

    /// Those of the steps that ways may go on from.
    pub(super) fn near(
        &mut self,
        tree: &Tree,
        steps: &[u32],
        edges: &mut PathEdges,
        run: &Run<'_>,
    ) -> Result<Vec<u32>> {
        let starts: Vec<_> = steps.iter().map(|&step| self.start_if_long(tree, step)).collect();
        let new = starts.iter().flatten().filter(|&start| !self.near.contains_key(start));
        let new: FxHashSet<VertexId> = new.copied().collect();
        let new: Vec<VertexId> = new.into_iter().collect();
        if !new.is_empty() {
            self.search(&new, edges, run)?;
        }
        let is_near = |step: u32, start: Option<VertexId>| {
            start.is_none_or(|start| self.near[&start].contains(&tree.steps[step as usize].vertex))
        };
        let near = steps.iter().zip(starts).filter(|(step, start)| is_near(**step, *start));
        Ok(near.map(|(&step, _)| step).collect())
    }

    /// Where a way starts, if it has so many edges that it may have come too far.
    fn start_if_long(&self, tree: &Tree, last: u32) -> Option<VertexId> {
        let at = usize::try_from(self.edges).ok()?;
        let farther = tree.back(last).skip(at).last();
        farther.map(|start| start.vertex)
    }

    /// Finds the vertices near these starts, level by level for all of them together.
    fn search(&mut self, starts: &[VertexId], edges: &mut PathEdges, run: &Run<'_>) -> Result<()> {
        let Radius { edges: radius, near, tree } = self;
        tree.release(run);
        for (row, &start) in (0..).zip(starts) {
            near.insert(start, FxHashSet::from_iter([start]));
            tree.start(row, start);
        }
        let mut level = 0..starts.len();
        for _ in 1..*radius {
            if level.is_empty() {
                break;
            }
            run.context.check()?;
            let (frontier, before): (Vec<u32>, _) =
                (level.map(|step| step as u32).collect(), tree.steps.len());
            edges.each_edge(tree, &frontier, run, &mut |tree, (step, edge, vertex, price)| {
                let start = starts[tree.steps[step as usize].row as usize];
                if near.get_mut(&start).is_some_and(|near| near.insert(vertex)) {
                    tree.go_on(step, edge, vertex, price);
                }
            })?;
            level = before..tree.steps.len();
        }
        Ok(())
    }
}
