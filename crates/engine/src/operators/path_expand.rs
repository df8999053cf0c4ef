//! `PathExpand`: each row, once for every way; all rows of a batch go on edge by edge together.
//!
//! The levels of all rows are walked together, but the ways of one row are emitted together, shorter ones
//! first. The cheapest ways are found in order of cost, in `cheapest_ways`.

use std::ops::{ControlFlow, Range};

use millrace_model::{Batch, Column, ColumnValues, EdgeId, KeyId, Result, VertexId};
use millrace_plan::{PathMode, PathPattern, op};
use rustc_hash::FxHashMap;

use super::Compile;
use super::cheapest_ways::Cheapest;
use super::keep::{Keep, add};
use super::neighbours::{StoreWalk, Walk};
use super::path_radius::Radius;
use super::path_tree::Tree;
use super::vertices::Vertices;
use super::whole::BatchPieces;
use crate::expressions::gather;
use crate::names::EdgeTypes;
use crate::names::Resolved;
use crate::pipeline::{Operator, Upstream};
use crate::prepare::{Compiler, Place, Placed};
use crate::run::{Charge, Run};

/// Which ways are emitted.
#[derive(Clone, Copy)]
pub(crate) struct PathBounds {
    pub(crate) ways: PathMode,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    pub(crate) least: Option<f64>,
    pub(crate) most: Option<f64>,
}

/// Which columns of a way are read later.
#[derive(Clone, Copy)]
pub(crate) struct PathWanted {
    pub(crate) edges: bool,
    pub(crate) to: bool,
    pub(crate) cost: bool,
}

pub(crate) struct PathExpand {
    from: usize,
    into: Option<usize>,
    edges: PathEdges,
    bounds: PathBounds,
    wanted: PathWanted,
    keep: Keep,
    pending: Option<BatchPieces>,
    charge: Charge,
}

/// The edges that ways walk, and their price; without a weight each costs one.
pub(crate) struct PathEdges {
    pub(crate) walk: Walk,
    pub(crate) weight: Option<[Resolved<KeyId>; 1]>,
    /// What ways may not go on from; `None` also where no way can.
    pub(crate) radius: Option<Radius>,
}

/// A way that may go on: its last step, by which edge, to where, at which price.
pub(super) type Next = (u32, EdgeId, VertexId, f64);

/// Which ways of a batch are emitted, of those so far.
struct Search<'b> {
    ends: &'b Ends,
    bounds: PathBounds,
    /// The length of the shortest way to a vertex, by row.
    shortest: FxHashMap<(u32, VertexId), u64>,
    /// The last steps of the emitted ways.
    found: Vec<u32>,
}

/// Where each row's ways must end, if that is bound.
pub(super) struct Ends(Option<Vec<Option<VertexId>>>);

impl PathExpand {
    pub(crate) fn new(
        (from, into): (usize, Option<usize>),
        edges: PathEdges,
        bounds: PathBounds,
        wanted: PathWanted,
        keep: Keep,
    ) -> PathExpand {
        let (pending, charge) = (None, Charge::default());
        PathExpand { from, into, edges, bounds, wanted, keep, pending, charge }
    }

    fn ways(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        self.charge.release(run);
        if let Some(radius) = &mut self.edges.radius {
            radius.begin(run);
        }
        let starts = Vertices::of(batch, self.from, "a path")?;
        let ends = Ends::of(batch, self.into)?;
        let mut tree = Tree::new(&mut self.charge);
        for (place, &vertex) in starts.ids.iter().enumerate() {
            let row = starts.row(place);
            if ends.may_be(row) {
                tree.start(row, vertex);
            }
        }
        let edges = &mut self.edges;
        let found = match self.bounds.ways.cheapest() {
            Some(count) => {
                Cheapest::new(&ends, self.bounds, edges, count).search(&mut tree, edges, run)?
            }
            None => {
                let (shortest, found) = (FxHashMap::default(), Vec::new());
                let search = Search { ends: &ends, bounds: self.bounds, shortest, found };
                search.search(&mut tree, edges, run)?
            }
        };
        Ok(emit(&tree, found, batch, self.wanted, &self.keep))
    }
}

impl Ends {
    fn of(batch: &Batch, into: Option<usize>) -> Result<Ends> {
        let Some(slot) = into else { return Ok(Ends(None)) };
        let vertices = Vertices::of(batch, slot, "a path's end")?;
        let mut ends = vec![None; batch.len];
        for (place, &vertex) in vertices.ids.iter().enumerate() {
            ends[vertices.row(place) as usize] = Some(vertex);
        }
        Ok(Ends(Some(ends)))
    }

    /// The one vertex where a row's ways must end.
    pub(super) fn bound(&self, row: u32) -> Option<VertexId> {
        self.0.as_ref().and_then(|ends| ends[row as usize])
    }

    /// Whether there is any place where a row's ways may end.
    fn may_be(&self, row: u32) -> bool {
        self.0.as_ref().is_none_or(|ends| ends[row as usize].is_some())
    }

    pub(super) fn may_be_at(&self, row: u32, vertex: VertexId) -> bool {
        self.0.as_ref().is_none_or(|ends| ends[row as usize] == Some(vertex))
    }
}

impl PathEdges {
    /// Calls `each` for all edges that these steps may go on by, in list order.
    pub(super) fn each_next(
        &mut self,
        tree: &mut Tree<'_>,
        frontier: &[u32],
        run: &Run<'_>,
        each: &mut dyn FnMut(&mut Tree<'_>, Next),
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
        tree: &mut Tree<'_>,
        frontier: &[u32],
        run: &Run<'_>,
        each: &mut dyn FnMut(&mut Tree<'_>, Next),
    ) -> Result<()> {
        let Some(walk) = self.walk.resolve(run.context) else { return Ok(()) };
        let vertices: Vec<VertexId> =
            frontier.iter().map(|&step| tree.steps[step as usize].vertex).collect();
        let Some(weight) = &self.weight else {
            return walk_all(walk, &vertices, run, &mut |place, edge, other| {
                each(tree, (frontier[place], edge, other, 1.0));
                tree.charge(run)
            });
        };
        let (mut edges, mut found) = (Vec::new(), Vec::new());
        walk_all(walk, &vertices, run, &mut |place, edge, other| {
            edges.push(edge);
            found.push((frontier[place], other));
            Ok(())
        })?;
        let priced = Column::edges(edges);
        let prices = gather(&priced, weight, run)?;
        for (place, (step, other)) in found.into_iter().enumerate() {
            let price = prices[0].get(place).and_then(|price| price.as_double());
            if let (Some(price), ColumnValues::Edge(edges)) = (price, &priced.values)
                && 0.0 <= price
            {
                each(tree, (step, edges[place], other, price));
                tree.charge(run)?;
            }
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

impl Search<'_> {
    /// Edge by edge; the steps with which ways end.
    fn search(
        mut self,
        tree: &mut Tree<'_>,
        edges: &mut PathEdges,
        run: &Run<'_>,
    ) -> Result<Vec<u32>> {
        self.start(tree);
        let (mut level, mut length) = (0..tree.steps.len(), 0);
        while !level.is_empty() && self.bounds.max.is_none_or(|max| length < max) {
            run.context.check()?;
            length += 1;
            let frontier = self.going_on(tree, level, length);
            let before = tree.steps.len();
            edges
                .each_next(tree, &frontier, run, &mut |tree, next| self.step(tree, next, length))?;
            level = before..tree.steps.len();
        }
        Ok(self.found)
    }

    /// A way of no edges is one, if they may be so short.
    fn start(&mut self, tree: &Tree<'_>) {
        if self.bounds.min == 0 {
            for (number, start) in (0..).zip(&tree.steps) {
                self.shortest.extend(self.is_shortest().then_some(((start.row, start.vertex), 0)));
                self.take(tree, number);
            }
        }
    }

    fn is_shortest(&self) -> bool {
        self.bounds.ways.is_shortest()
    }

    /// The steps of a level from which ways go on: not those of a row whose end was reached by a
    /// shortest way.
    fn going_on(&self, tree: &Tree<'_>, level: Range<usize>, length: u64) -> Vec<u32> {
        let reached = |row: u32| {
            let end = self.ends.bound(row).filter(|_| self.is_shortest());
            let shortest = end.and_then(|end| self.shortest.get(&(row, end)));
            shortest.is_some_and(|&shortest| shortest < length)
        };
        let steps = level.filter(|&step| !reached(tree.steps[step].row));
        steps.map(|step| step as u32).collect()
    }

    /// Goes on by an edge, if a way may.
    fn step(&mut self, tree: &mut Tree<'_>, next: Next, length: u64) {
        let (before, edge, vertex, price) = next;
        let row = tree.steps[before as usize].row;
        let goes = match self.bounds.ways {
            PathMode::Walk => true,
            PathMode::Trail | PathMode::CheapestTrails(_) => !tree.walks(before, edge),
            PathMode::Acyclic | PathMode::CheapestAcyclic(_) => !tree.visits(before, vertex),
            PathMode::AnyShortest => self.shortest.insert_new((row, vertex), length),
            PathMode::AllShortest => {
                *self.shortest.entry((row, vertex)).or_insert(length) == length
            }
        };
        let cost = tree.steps[before as usize].cost + price;
        if goes && self.bounds.most.is_none_or(|most| cost <= most) {
            tree.go_on(before, edge, vertex, price);
            if self.bounds.min <= length {
                self.take(tree, tree.steps.len() as u32 - 1);
            }
        }
    }

    /// Gives a way, if it ends where it should and costs enough.
    fn take(&mut self, tree: &Tree<'_>, last: u32) {
        let step = &tree.steps[last as usize];
        if self.bounds.may_cost(step.cost) && self.ends.may_be_at(step.row, step.vertex) {
            self.found.push(last);
        }
    }
}

impl PathBounds {
    /// Whether a way of this cost is emitted.
    pub(super) fn may_cost(&self, cost: f64) -> bool {
        self.least.is_none_or(|least| least <= cost) && self.most.is_none_or(|most| cost <= most)
    }
}

/// A map that says whether a key was new.
trait InsertNew<K, V> {
    fn insert_new(&mut self, key: K, value: V) -> bool;
}

impl<K: Eq + std::hash::Hash, V> InsertNew<K, V> for FxHashMap<K, V> {
    fn insert_new(&mut self, key: K, value: V) -> bool {
        let before = self.len();
        self.entry(key).or_insert(value);
        before < self.len()
    }
}

/// The rows of all ways found, row by row, each row's in the order in which they were found.
fn emit(
    tree: &Tree<'_>,
    mut found: Vec<u32>,
    batch: &Batch,
    wanted: PathWanted,
    keep: &Keep,
) -> Batch {
    let row = |last: &u32| tree.steps[*last as usize].row;
    found.sort_by_key(row);
    let rows: Vec<u32> = found.iter().map(row).collect();
    let mut result = keep.take(batch, &rows);
    if wanted.edges {
        add(&mut result, Column::from_values(found.iter().map(|&last| tree.edges(last))));
    }
    if wanted.to {
        let ends = found.iter().map(|&last| tree.steps[last as usize].vertex);
        add(&mut result, Column::vertices(ends.collect()));
    }
    if wanted.cost {
        let costs = found.iter().map(|&last| tree.steps[last as usize].cost);
        add(&mut result, Column::of(ColumnValues::F64(costs.collect())));
    }
    result
}

impl Operator for PathExpand {
    fn begin(&mut self, run: &Run<'_>) {
        self.pending = None;
        self.charge.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if let Some(batch) =
                self.pending.as_mut().and_then(|pending| pending.next(run.context.guard()))
            {
                return Ok(Some(batch));
            }
            self.pending = None;
            let Some(batch) = input.next(run)? else { return Ok(None) };
            self.pending = Some(BatchPieces::new(self.ways(&batch, run)?));
        }
    }
}

impl Compile for op::PathExpand {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (layout, path) = (place.layout, &self.path);
        let (keep, after, [edges, to, cost]) = place.keep_and([self.edges, self.to, self.cost]);
        let from = compiler.slot(layout, path.from)?;
        let into = path.into.map(|into| compiler.slot(layout, into)).transpose()?;
        let wanted = PathWanted { edges, to, cost };
        let path = PathExpand::new((from, into), walked(path), bounds(path), wanted, keep);
        Ok((Box::new(path), after))
    }
}

fn walked(path: &PathPattern) -> PathEdges {
    let types = EdgeTypes::new(path.types.as_deref());
    let walk = Walk::new(types, path.direction, path.loops);
    let weight = path.weight.as_ref().map(|weight| [Resolved::new(&weight.key)]);
    let may_go_further = path.max.is_none_or(|max| path.radius.is_some_and(|radius| radius < max));
    let radius = path.radius.filter(|_| may_go_further && !path.ways.is_shortest());
    PathEdges { walk, weight, radius: radius.map(Radius::new) }
}

fn bounds(path: &PathPattern) -> PathBounds {
    let weight = path.weight.as_ref();
    // The k-th edge of a shortest way leaves a vertex k - 1 edges away.
    let shorter = [path.max, path.radius].into_iter().flatten().min();
    PathBounds {
        ways: path.ways,
        min: path.min,
        max: if path.ways.is_shortest() { shorter } else { path.max },
        least: weight.and_then(|weight| weight.least),
        most: weight.and_then(|weight| weight.most),
    }
}
