//! The radius of ways: a way goes on only from vertices that lie near enough to its start.
//!
//! The distance is counted over all edges that may be walked, not along the way, which may be longer
//! than the shortest one. So each start has its own breadth-first search, made when the first way has
//! as many edges as the radius: a shorter way always ends within the radius. Where tests of edges read
//! the row, each row has its own.

use millrace_model::{Result, VertexId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edges::PathEdges;
use super::tree::Tree;
use crate::limits;
use crate::run::Run;

pub(crate) struct Radius {
    /// A vertex is near that lies fewer edges away.
    edges: u64,
    /// The numbers of the starts; where each row has its own search, the row is the number.
    numbers: FxHashMap<VertexId, u32>,
    /// The near vertices, by the number of their start.
    near: FxHashMap<u32, FxHashSet<VertexId>>,
    tree: Tree,
}

/// What a near vertex takes beside its step: an entry of a set that grows by doubling.
const NEAR_BYTES: usize = 4 * size_of::<VertexId>();

impl Radius {
    pub(crate) fn new(edges: u64) -> Radius {
        let (numbers, near) = (FxHashMap::default(), FxHashMap::default());
        Radius { edges, numbers, near, tree: Tree::default() }
    }

    /// Forgets the starts of the batch before.
    pub(super) fn begin(&mut self, run: &Run<'_>) {
        self.numbers.clear();
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
        let mut near = Vec::new();
        for steps in steps.chunks(limits::PATH_PIECE_WAYS_MAX) {
            self.add_near(tree, steps, &mut near, edges, run)?;
        }
        Ok(near)
    }

    fn add_near(
        &mut self,
        tree: &Tree,
        steps: &[u32],
        near: &mut Vec<u32>,
        edges: &mut PathEdges,
        run: &Run<'_>,
    ) -> Result<()> {
        let by_rows = edges.reads_rows();
        let starts = steps.iter().map(|&step| self.start_if_long(tree, step, by_rows));
        let starts: Vec<Option<(u32, VertexId)>> = starts.collect();
        let new = starts.iter().flatten().filter(|(number, _)| !self.near.contains_key(number));
        let new: FxHashMap<u32, VertexId> = new.copied().collect();
        if !new.is_empty() {
            self.search(new, edges, run)?;
        }
        let is_near = |step: u32, start: Option<(u32, VertexId)>| {
            let vertex = tree.steps[step as usize].vertex;
            start.is_none_or(|(number, _)| self.near[&number].contains(&vertex))
        };
        let nearer = steps.iter().zip(starts).filter(|(step, start)| is_near(**step, *start));
        near.extend(nearer.map(|(&step, _)| step));
        Ok(())
    }

    /// Where a way starts, with its number, if it has so many edges that it may have come too far.
    fn start_if_long(&mut self, tree: &Tree, last: u32, by_rows: bool) -> Option<(u32, VertexId)> {
        let at = usize::try_from(self.edges).ok()?;
        let start = tree.back(last).skip(at).last()?;
        let next = self.numbers.len() as u32;
        let number = match by_rows {
            true => start.row,
            false => *self.numbers.entry(start.vertex).or_insert(next),
        };
        Some((number, start.vertex))
    }

    /// Finds the vertices near these starts, level by level for all of them together.
    fn search(
        &mut self,
        starts: FxHashMap<u32, VertexId>,
        edges: &mut PathEdges,
        run: &Run<'_>,
    ) -> Result<()> {
        let Radius { edges: radius, near, tree, .. } = self;
        tree.release(run);
        tree.keeps_beside(NEAR_BYTES);
        for (number, start) in starts {
            near.insert(number, FxHashSet::from_iter([start]));
            tree.start(number, start);
        }
        let mut level = 0..tree.steps.len();
        for _ in 1..*radius {
            if level.is_empty() {
                break;
            }
            run.context.check()?;
            let (frontier, before): (Vec<u32>, _) =
                (level.map(|step| step as u32).collect(), tree.steps.len());
            edges.each_edge(tree, &frontier, run, &mut |tree, next| {
                let number = tree.steps[next.before as usize].row;
                if near.get_mut(&number).is_some_and(|near| near.insert(next.vertex)) {
                    tree.go_on(next);
                }
            })?;
            level = before..tree.steps.len();
        }
        Ok(())
    }
}
