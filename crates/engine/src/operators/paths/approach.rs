//! How far vertices are from the end of a row's ways, if that is bound: a way that cannot reach it any more is not
//! gone on with.
//!
//! The distances are found backward from the end, level by level, over all edges that some step may walk, without
//! tests and prices: so they are never too large. The search backward keeps up with the search forward, edge by edge, and
//! costs at most about as much: where a few ways are enough, little is searched.

use millrace_model::{Direction, Result, VertexId};
use millrace_plan::{Loops, Name, PathLeg, PathPattern};
use rustc_hash::FxHashMap;

use super::edges::{Next, PathEdges};
use super::tree::Tree;
use crate::limits;
use crate::run::{Charge, Run};

/// The distances to one end.
pub(crate) struct Approach {
    /// Edges from their ends to their starts.
    backward: PathEdges,
    tree: Tree,
    /// The most edges that ways have.
    max: Option<u64>,
    end: Option<VertexId>,
    distances: FxHashMap<VertexId, u64>,
    /// The vertices found last.
    level: Vec<VertexId>,
    /// All vertices of at most this distance are known.
    known: u64,
    /// Edges walked forward and backward.
    walked: [u64; 2],
    charge: Charge,
}

impl Approach {
    /// The distances that ways of a path to known ends can use.
    pub(super) fn of(
        path: &PathPattern,
        max: Option<u64>,
        edges: impl FnOnce(&PathPattern) -> Result<PathEdges>,
    ) -> Result<Option<Approach>> {
        if path.into.is_none() {
            return Ok(None);
        }
        let mut any = path.clone();
        any.steps = vec![any_step(path)];
        Ok(Some(Approach {
            backward: edges(&any)?,
            tree: Tree::default(),
            max,
            end: None,
            distances: FxHashMap::default(),
            level: Vec::new(),
            known: 0,
            walked: [0; 2],
            charge: Charge::default(),
        }))
    }

    pub(super) fn forget(&mut self, run: &Run<'_>) {
        self.end = None;
        self.distances = FxHashMap::default();
        self.level = Vec::new();
        self.tree.release(run);
        self.charge.release(run);
    }

    /// Begins with the end of another row, if it is another.
    pub(super) fn begin(&mut self, end: VertexId, run: &Run<'_>) {
        if self.end == Some(end) {
            return;
        }
        self.forget(run);
        self.end = Some(end);
        self.distances.insert(end, 0);
        self.level.push(end);
        (self.known, self.walked) = (0, [0; 2]);
    }

    /// Whether the end may be reached from a vertex by at most so many edges.
    #[inline]
    pub(super) fn leads(&self, vertex: VertexId, rest: Option<u64>) -> bool {
        match self.distances.get(&vertex) {
            Some(distance) => rest.is_none_or(|rest| *distance <= rest),
            None => !self.level.is_empty() && rest.is_none_or(|rest| self.known < rest),
        }
    }

    /// Counts edges that were walked forward, and goes on backward.
    pub(super) fn keep_up_with(&mut self, walked: u64, run: &Run<'_>) -> Result<()> {
        self.walked[0] += walked;
        while self.walked[1] <= self.walked[0]
            && !self.level.is_empty()
            && self.max.is_none_or(|max| self.known < max)
            && self.distances.len() < limits::PATH_DISTANCES_MAX
        {
            self.go_on(run)?;
        }
        Ok(())
    }

    /// Finds the vertices that are one edge further away.
    fn go_on(&mut self, run: &Run<'_>) -> Result<()> {
        run.context.check()?;
        self.known += 1;
        self.tree.truncate_to(0);
        let level = std::mem::take(&mut self.level);
        level.iter().for_each(|&vertex| self.tree.start(0, vertex));
        let frontier: Vec<u32> = (0..self.tree.end()).collect();
        let Approach { backward, tree, distances, level, known, walked, .. } = self;
        backward.each_edge(tree, &frontier, run, &mut |_, Next { vertex, .. }| {
            walked[1] += 1;
            let before = distances.len();
            distances.entry(vertex).or_insert(*known);
            if before < distances.len() {
                level.push(vertex);
            }
        })?;
        let entry = 2 * size_of::<(VertexId, u64)>() + size_of::<VertexId>();
        self.charge.set((self.distances.len() * entry) as u64, run)
    }
}

/// One step from ends to starts along any edge that one of the steps may walk.
fn any_step(path: &PathPattern) -> PathLeg {
    let types: Option<Vec<&Vec<Name>>> =
        path.alternatives().map(|own| own.types.as_ref()).collect();
    let types = types.map(|all| {
        let mut names: Vec<Name> = all.into_iter().flatten().cloned().collect();
        names.sort();
        names.dedup();
        names
    });
    let direction = path.alternatives().map(|own| own.direction.reverse());
    let direction = direction.reduce(|one, other| if one == other { one } else { Direction::Both });
    let loops = path.alternatives().next().map_or(Loops::Once, |own| own.loops);
    PathLeg::along(types, direction.unwrap_or(Direction::Both), loops)
}
