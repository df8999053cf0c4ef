//! `PathExpand` by length: the ways of a row shorter ones first, then in list order; the shortest and the cheapest ways.
//!
//! The levels of several rows are walked together, but the ways of one row are emitted together. The cheapest ways are
//! found in order of cost, in `cheapest_ways`.

use std::ops::Range;

use millrace_model::{Batch, Result, VertexId};
use millrace_plan::PathMode;
use rustc_hash::FxHashMap;

use super::bidirectional::{Bidirectional, Met};
use super::bounds::{Ends, PathBounds};
use super::cheapest_ways::Cheapest;
use super::edges::{Next, PathEdges};
use super::found::FoundWays;
use super::tree::Tree;
use super::way_test::WayTest;
use crate::limits;
use crate::operators::vertices::Vertices;
use crate::pipeline::{BatchSize, Keep, Operator, Upstream};
use crate::run::Run;

/// The ways of rows, searched level by level.
pub(crate) struct ByLength {
    pub(super) from: usize,
    pub(super) into: Option<usize>,
    pub(super) edges: PathEdges,
    pub(super) bidirectional: Option<Bidirectional>,
    pub(super) bounds: PathBounds,
    pub(super) accept: Option<WayTest>,
    pub(super) keep: Keep,
    pub(super) size: BatchSize,
    pub(super) found: FoundWays,
    pub(super) tree: Tree,
    pub(super) input: Option<Input>,
}

/// The rows of a batch, and the ways of those that were searched last.
pub(super) struct Input {
    batch: Batch,
    ends: Ends,
    /// Rows and their starts, last to first.
    starts: Vec<(u32, VertexId)>,
    /// How many rows are searched together next.
    rows: usize,
    /// The last steps of the ways that are not emitted yet, last to first.
    ways: Vec<u32>,
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

/// What a way takes beside its step where the shortest ones are known: an entry of a map that grows by doubling.
const SHORTEST_BYTES: usize = 2 * size_of::<((u32, VertexId, u64), u64)>();

impl ByLength {
    fn input(&self, batch: Batch) -> Result<Input> {
        let ends = Ends::of(&batch, self.into)?;
        let starts = Vertices::of(&batch, self.from, "a path")?;
        let starts = starts.starts().filter(|(row, _)| ends.may_be(*row)).collect();
        Ok(Input { batch, ends, starts, rows: 1, ways: Vec::new() })
    }

    /// The ways of the next rows, in order.
    fn search(&mut self, input: &mut Input, run: &Run<'_>) -> Result<()> {
        self.tree.release(run);
        self.found.clear();
        for _ in 0..input.rows {
            let Some((row, vertex)) = input.starts.pop() else { break };
            self.tree.start(row, vertex);
        }
        let (edges, ends, tree) = (&mut self.edges, &input.ends, &mut self.tree);
        let met = match &mut self.bidirectional {
            Some(both) => both.search(tree, (ends, self.bounds.max), edges, run)?,
            None => Met::default(),
        };
        let mut ways = match self.bounds.ways.cheapest() {
            Some(count) => {
                let accept = self.accept.as_ref().map(|test| (test, &input.batch));
                Cheapest::new(ends, self.bounds, count, accept).search(tree, edges, run)?
            }
            None => {
                let (shortest, found) = (FxHashMap::default(), Vec::new());
                let (met, bounds) = (&met, self.bounds);
                Search { ends, met, bounds, shortest, found }.search(tree, edges, run)?
            }
        };
        ways.sort_by_key(|last| tree.steps[*last as usize].row);
        ways.reverse();
        if tree.steps.len() < limits::PATH_STEPS_OPEN_MAX {
            input.rows = (2 * input.rows).min(limits::BATCH_ROWS_MAX);
        }
        input.ways = ways;
        Ok(())
    }
}

impl Operator for ByLength {
    fn begin(&mut self, run: &Run<'_>) {
        self.input = None;
        self.size.begin_again();
        self.found.clear();
        self.tree.release(run);
    }

    fn next(&mut self, upstream: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let Some(mut input) = self.input.take() else {
                let Some(batch) = upstream.next(run)? else { return Ok(None) };
                self.edges.begin(&batch, run);
                self.input = Some(self.input(batch)?);
                continue;
            };
            if input.ways.is_empty() {
                if input.starts.is_empty() {
                    self.tree.release(run);
                    continue;
                }
                self.search(&mut input, run)?;
            }
            let rows_max = self.size.next(run.context.guard());
            while self.found.len() < rows_max && !self.found.is_full() {
                let Some(way) = input.ways.pop() else { break };
                self.found.push(&self.tree, way);
            }
            let batch = self.found.finish(&input.batch, &self.keep, run)?;
            self.input = Some(input);
            if 0 < batch.len {
                return Ok(Some(batch));
            }
        }
    }
}

impl Search<'_> {
    /// Edge by edge; the steps with which ways end.
    fn search(mut self, tree: &mut Tree, edges: &mut PathEdges, run: &Run<'_>) -> Result<Vec<u32>> {
        tree.keeps_beside(
            size_of::<u32>() * 4 + if self.is_shortest() { SHORTEST_BYTES } else { 0 },
        );
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
    fn start(&mut self, tree: &Tree) {
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
    fn going_on(&self, tree: &Tree, level: Range<usize>, length: u64) -> Vec<u32> {
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
    fn step(&mut self, tree: &mut Tree, next: Next, length: u64) {
        let Next { before, edge, vertex, price, .. } = next;
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
            tree.go_on(next);
            if self.bounds.may_be_long(length) {
                self.take(tree, tree.steps.len() as u32 - 1);
            }
        }
    }

    /// Gives a way, if it ends where it should and costs enough.
    fn take(&mut self, tree: &Tree, last: u32) {
        let step = &tree.steps[last as usize];
        if self.bounds.may_cost(step.cost) && self.ends.may_be_at(step.row, step.vertex) {
            self.found.push(last);
        }
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
