//! Where the shortest ways between two known vertices meet: a search from both of them, of all rows of a batch together.
//!
//! A search from one vertex alone visits all vertices that are as near as the other, which is soon the whole graph; two
//! searches visit what is half as far from each. Each round walks one level of the one with the smaller level. They give
//! the length of the shortest ways and, near the end, the distance of each vertex from it. `path_expand` then walks from
//! the start as it does without them, and leaves out the edges after which the end is further away than the rest of the
//! length. It leaves out no step of a shortest way and changes no order, so its ways are the same.

use millrace_model::{Result, VertexId};
use millrace_plan::{PathMode, PathPattern};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds::Ends;
use super::edges::PathEdges;
use super::tree::Tree;
use crate::run::Run;

/// Edges from an end of a row to a vertex, by row and vertex.
type Distances = FxHashMap<(u32, VertexId), u64>;

const FORWARD: usize = 0;
const BACKWARD: usize = 1;

/// A search from both ends, for paths that may use it.
pub(crate) struct Bidirectional {
    /// The edges of the path, walked from their ends to their starts.
    backward: PathEdges,
    trees: [Tree; 2],
}

/// What the search knows of the rows of a batch.
#[derive(Default)]
pub(super) struct Met {
    rows: FxHashMap<u32, Row>,
    /// Edges to the end of the row, of the vertices that the search from there visited.
    to_end: Distances,
}

/// What is known of a row.
enum Row {
    /// Its ends are not connected, within the greatest length.
    Apart,
    /// The length of its shortest ways, and up to which distance from the end all vertices are known.
    At { length: u64, known: u64 },
}

/// A search of a row that goes on, by its two sides.
#[derive(Default)]
struct Open {
    /// The steps of the last level.
    level: [Vec<u32>; 2],
    depth: [u64; 2],
}

impl Bidirectional {
    /// For shortest ways of one step to known ends, without tests, which are asked of the vertex that an edge leads to; of
    /// others there is none.
    pub(super) fn of(
        path: &PathPattern,
        backward: impl FnOnce() -> Result<PathEdges>,
    ) -> Result<Option<Bidirectional>> {
        let is_shortest = matches!(path.ways, PathMode::AnyShortest | PathMode::AllShortest);
        let is_plain = path.untested_step().is_some();
        // A longer least length would go on behind the first vertex where both searches meet.
        if !is_shortest || !is_plain || path.into.is_none() || 1 < path.min {
            return Ok(None);
        }
        Ok(Some(Bidirectional { backward: backward()?, trees: Default::default() }))
    }

    /// Searches for the rows that the tree has begun.
    pub(super) fn search(
        &mut self,
        begun: &Tree,
        (ends, max): (&Ends, Option<u64>),
        forward: &mut PathEdges,
        run: &Run<'_>,
    ) -> Result<Met> {
        let Bidirectional { backward, trees } = self;
        trees.iter_mut().for_each(|tree| tree.release(run));
        let (mut distances, mut open) = begin(trees, begun, ends);
        let mut met = Met::default();
        while !open.is_empty() {
            run.context.check()?;
            let mut frontiers: [Vec<u32>; 2] = Default::default();
            open.retain(|&row, open: &mut Open| {
                let side = open.smaller();
                let is_over = open.level[side].is_empty()
                    || max.is_some_and(|max| max <= open.depth[FORWARD] + open.depth[BACKWARD]);
                if is_over {
                    met.rows.insert(row, Row::Apart);
                    return false;
                }
                frontiers[side].append(&mut open.level[side]);
                open.depth[side] += 1;
                true
            });
            let mut joined = FxHashSet::default();
            for (side, frontier) in frontiers.iter_mut().enumerate() {
                // In the order in which their steps were made, whatever order the rows have here.
                frontier.sort_unstable();
                let edges = if side == FORWARD { &mut *forward } else { &mut *backward };
                let (own, others) = split(&mut distances, side);
                edges.each_edge(&mut trees[side], frontier, run, &mut |tree, next| {
                    let row = tree.steps[next.before as usize].row;
                    let Some(open) = open.get_mut(&row) else { return };
                    let before = own.len();
                    own.entry((row, next.vertex)).or_insert(open.depth[side]);
                    if before < own.len() {
                        open.level[side].push(tree.steps.len() as u32);
                        tree.go_on(next);
                        if others.contains_key(&(row, next.vertex)) {
                            joined.insert(row);
                        }
                    }
                })?;
            }
            for row in joined {
                if let Some(Open { depth: [forward, backward], .. }) = open.remove(&row) {
                    met.rows.insert(row, Row::At { length: forward + backward, known: backward });
                }
            }
        }
        trees.iter_mut().for_each(|tree| tree.release(run));
        let [_, to_end] = distances;
        met.to_end = to_end;
        Ok(met)
    }
}

/// Begins both searches of each row whose end is known: the distances so far, and what goes on.
fn begin(
    trees: &mut [Tree; 2],
    begun: &Tree,
    ends: &Ends,
) -> ([Distances; 2], FxHashMap<u32, Open>) {
    let mut distances: [Distances; 2] = Default::default();
    let mut open = FxHashMap::default();
    for start in &begun.steps {
        let (row, from) = (start.row, start.vertex);
        // A way from a vertex to itself has no edge, or is a cycle, of which nothing is known here.
        let Some(end) = ends.bound(row).filter(|end| *end != from) else { continue };
        for (side, vertex) in [(FORWARD, from), (BACKWARD, end)] {
            trees[side].start(row, vertex);
            distances[side].insert((row, vertex), 0);
        }
        let first = |tree: &Tree| vec![tree.steps.len() as u32 - 1];
        let level = [first(&trees[FORWARD]), first(&trees[BACKWARD])];
        open.insert(row, Open { level, depth: [0; 2] });
    }
    (distances, open)
}

/// The distances of a side, to be added to, and those of the other.
fn split(distances: &mut [Distances; 2], side: usize) -> (&mut Distances, &Distances) {
    let [forward, backward] = distances;
    if side == FORWARD { (forward, backward) } else { (backward, forward) }
}

impl Open {
    fn smaller(&self) -> usize {
        let [forward, backward] = &self.level;
        if backward.len() < forward.len() { BACKWARD } else { FORWARD }
    }
}

impl Met {
    /// Whether a row can have ways.
    pub(super) fn may_have(&self, row: u32) -> bool {
        !matches!(self.rows.get(&row), Some(Row::Apart))
    }

    /// Whether a shortest way of a row may be at a vertex after so many edges.
    pub(super) fn leads(&self, row: u32, vertex: VertexId, length: u64) -> bool {
        match self.rows.get(&row) {
            None => true,
            Some(Row::Apart) => false,
            Some(Row::At { length: whole, known }) => match whole.checked_sub(length) {
                None => false,
                Some(rest) if *known < rest => true,
                Some(rest) => self.to_end.get(&(row, vertex)) == Some(&rest),
            },
        }
    }
}

/// A path walked from its ends to its starts.
pub(super) fn reversed(path: &PathPattern) -> PathPattern {
    let mut path = path.clone();
    path.steps.reverse();
    for step in &mut path.steps {
        step.alternatives.iter_mut().for_each(|own| own.direction = own.direction.reverse());
    }
    path
}
