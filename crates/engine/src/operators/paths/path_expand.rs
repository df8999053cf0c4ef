//! `PathExpand`: each row, once for every way; all rows of a batch go on edge by edge together.
//!
//! The levels of all rows are walked together, but the ways of one row are emitted together, shorter ones
//! first. The cheapest ways are found in order of cost, in `cheapest_ways`.

use std::ops::Range;

use millrace_model::{Batch, Column, ColumnValues, Result, VertexId};
use millrace_plan::{PathMode, PathPattern, op};
use rustc_hash::FxHashMap;

use super::bidirectional::{Bidirectional, Met, reversed};
use super::cheapest_ways::Cheapest;
use super::edges::{Next, PathEdges};
use super::tree::Tree;
use crate::operators::Compile;
use crate::operators::keep::{Keep, add};
use crate::operators::vertices::Vertices;
use crate::operators::whole::{BatchPieces, next_piece};
use crate::pipeline::{Operator, Upstream};
use crate::prepare::{Compiler, Place, Placed};
use crate::run::{Charge, Run};

/// Which ways are emitted.
#[derive(Clone, Copy)]
pub(crate) struct PathBounds {
    pub(crate) ways: PathMode,
    /// Edges of a repetition: a way ends where one does.
    pub(crate) period: u64,
    /// Edges.
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    pub(crate) least: Option<f64>,
    pub(crate) most: Option<f64>,
}

/// Which columns of a way are read later.
#[derive(Clone, Copy)]
pub(crate) struct PathWanted {
    pub(crate) edges: bool,
    pub(crate) vertices: bool,
    pub(crate) whole: bool,
    pub(crate) to: bool,
    pub(crate) cost: bool,
}

pub(crate) struct PathExpand {
    from: usize,
    into: Option<usize>,
    edges: PathEdges,
    bidirectional: Option<Bidirectional>,
    bounds: PathBounds,
    wanted: PathWanted,
    keep: Keep,
    pending: Option<BatchPieces>,
    charge: Charge,
}

/// Which ways of a batch are emitted, of those so far.
struct Search<'b> {
    ends: &'b Ends,
    met: &'b Met,
    bounds: PathBounds,
    /// The length of the shortest way to a vertex, by row and by how much of a repetition it ends with.
    shortest: FxHashMap<(u32, VertexId, u64), u64>,
    /// The last steps of the emitted ways.
    found: Vec<u32>,
}

/// Where each row's ways must end, if that is bound.
pub(super) struct Ends(Option<Vec<Option<VertexId>>>);

impl PathExpand {
    pub(crate) fn new(
        (from, into): (usize, Option<usize>),
        (edges, bidirectional): (PathEdges, Option<Bidirectional>),
        bounds: PathBounds,
        wanted: PathWanted,
        keep: Keep,
    ) -> PathExpand {
        let (pending, charge) = (None, Charge::default());
        PathExpand { from, into, edges, bidirectional, bounds, wanted, keep, pending, charge }
    }

    fn ways(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        self.charge.release(run);
        self.edges.begin(batch, run);
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
        let met = match &mut self.bidirectional {
            Some(bidirectional) => {
                bidirectional.search(&tree, (&ends, self.bounds.max), edges, run)?
            }
            None => Met::default(),
        };
        let found = match self.bounds.ways.cheapest() {
            Some(count) => {
                Cheapest::new(&ends, self.bounds, edges, count).search(&mut tree, edges, run)?
            }
            None => {
                let (shortest, found) = (FxHashMap::default(), Vec::new());
                let (ends, met, bounds) = (&ends, &met, self.bounds);
                let search = Search { ends, met, bounds, shortest, found };
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
                self.shortest
                    .extend(self.is_shortest().then_some(((start.row, start.vertex, 0), 0)));
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
            let shortest = end.and_then(|end| self.shortest.get(&(row, end, 0)));
            shortest.is_some_and(|&shortest| shortest < length)
        };
        let goes = |row: u32| self.met.may_have(row) && !reached(row);
        let steps = level.filter(|&step| goes(tree.steps[step].row));
        steps.map(|step| step as u32).collect()
    }

    /// Goes on by an edge, if a way may.
    fn step(&mut self, tree: &mut Tree<'_>, next: Next, length: u64) {
        let (before, edge, vertex, price) = next;
        let row = tree.steps[before as usize].row;
        if !self.met.leads(row, vertex, length) {
            return;
        }
        let state = (row, vertex, length % self.bounds.period);
        let goes = match self.bounds.ways {
            PathMode::Walk => true,
            PathMode::Trail | PathMode::CheapestTrails(_) | PathMode::CheapestGroups(_) => {
                !tree.walks(before, edge)
            }
            PathMode::Acyclic | PathMode::CheapestAcyclic(_) => !tree.visits(before, vertex),
            PathMode::AnyShortest => self.shortest.insert_new(state, length),
            PathMode::AllShortest => *self.shortest.entry(state).or_insert(length) == length,
        };
        let cost = tree.steps[before as usize].cost + price;
        if goes && self.bounds.most.is_none_or(|most| cost <= most) {
            tree.go_on(before, edge, vertex, price);
            if self.bounds.may_be_long(length) {
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
    /// Whether a way of so many edges is emitted.
    pub(super) fn may_be_long(&self, length: u64) -> bool {
        self.min <= length && length.is_multiple_of(self.period)
    }

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
    if wanted.vertices {
        add(&mut result, Column::from_values(found.iter().map(|&last| tree.vertices(last))));
    }
    if wanted.whole {
        add(&mut result, Column::from_values(found.iter().map(|&last| tree.path(last))));
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
            if let Some(batch) = next_piece(&mut self.pending, run) {
                return Ok(Some(batch));
            }
            let Some(batch) = input.next(run)? else { return Ok(None) };
            self.pending = Some(BatchPieces::new(self.ways(&batch, run)?));
        }
    }
}

impl Compile for op::PathExpand {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (layout, path) = (place.layout, &self.path);
        let columns = [self.edges, self.vertices, self.whole, self.to, self.cost];
        let (keep, after, [edges, vertices, whole, to, cost]) = place.keep_and(columns);
        let from = compiler.slot(layout, path.from)?;
        let into = path.into.map(|into| compiler.slot(layout, into)).transpose()?;
        let wanted = PathWanted { edges, vertices, whole, to, cost };
        let walked = PathEdges::compile(path, compiler, layout)?;
        let bidirectional =
            Bidirectional::of(path, || PathEdges::compile(&reversed(path), compiler, layout))?;
        let walked = (walked, bidirectional);
        let path = PathExpand::new((from, into), walked, bounds(path), wanted, keep);
        Ok((Box::new(path), after))
    }
}

fn bounds(path: &PathPattern) -> PathBounds {
    let period = path.steps.len() as u64;
    let (min, max) =
        (path.min.saturating_mul(period), path.max.map(|max| max.saturating_mul(period)));
    // The k-th edge of a shortest way leaves a vertex k - 1 edges away.
    let shorter = [max, path.radius].into_iter().flatten().min();
    PathBounds {
        ways: path.ways,
        period,
        min,
        max: if path.ways.is_shortest() { shorter } else { max },
        least: path.least,
        most: path.most,
    }
}
