//! The cheapest ways to each end, in order of cost, then length, then list order.
//!
//! All rows of a batch go on together, each by all its ways that are next in order: for equal
//! prices that is a breadth-first search, level by level.
//!
//! Where one way to an end is enough, a vertex is gone on from once (Dijkstra); `PathPattern::goes_on_once` has the proof.
//! A bound on how many ways wait forgets the last of them: one that would be last is never made.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, BinaryHeap};

use std::sync::Arc;

use millrace_model::{Batch, Bits, Column, Result, Value, VertexId};
use millrace_plan::PathMode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds::{Ends, PathBounds};
use super::edges::{Next, PathEdges};
use super::found::Walks;
use super::tree::{Step, Tree};
use super::way_test::WayTest;
use crate::run::Run;

pub(super) struct Cheapest<'b> {
    ends: &'b Ends,
    bounds: PathBounds,
    /// How many ways to an end are emitted, or how many groups of equal ones.
    count: u64,
    is_grouped: bool,
    /// The vertices gone on from, by row, where once is enough.
    settled: Option<FxHashSet<(u32, VertexId)>>,
    /// How many ways to an end were emitted, or groups of them, and the last one; by row.
    emitted: FxHashMap<(u32, VertexId), Emitted>,
    accept: Option<Asked<'b>>,
    found: Vec<u32>,
}

/// A condition of whole ways, the rows that it reads, and the paths that it was asked of.
struct Asked<'b> {
    test: &'b WayTest,
    rows: &'b Batch,
    walks: Walks,
}

/// What was emitted of one end.
#[derive(Clone, Copy, Default)]
struct Emitted {
    count: u64,
    last: Option<Open>,
}

/// A way that is not emitted yet. The order of those of one row is that of ways, list order aside.
#[derive(Clone, Copy, PartialEq)]
struct Open {
    cost: f64,
    length: u32,
    last: u32,
}

/// What a step of a way takes beside itself: as one that waits and as one that is next, in lists that grow by doubling,
/// as one to go on from, and with its vertex among those that were met.
const BESIDE_STEP_BYTES: usize = 4 * size_of::<Open>() + 2 * size_of::<u32>();
const MET_BYTES: usize = 2 * size_of::<((u32, VertexId), Emitted)>();

impl Emitted {
    /// Whether a way is one of the group of the last one.
    fn is_of_last(&self, open: &Open) -> bool {
        self.last.is_some_and(|last| last.key(open) == Ordering::Equal)
    }
}

impl Open {
    fn key(&self, other: &Open) -> Ordering {
        self.cost.total_cmp(&other.cost).then(self.length.cmp(&other.length))
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        self.key(other).then(self.last.cmp(&other.last))
    }
}

/// The ways of a row that wait.
enum Waiting {
    All(BinaryHeap<Reverse<Open>>),
    /// Only so many of them: the first ones, of equal keys those that were made first.
    First(BTreeSet<Open>, usize),
}

impl Waiting {
    fn new(frontier: Option<u64>) -> Waiting {
        match frontier {
            None => Waiting::All(BinaryHeap::new()),
            Some(most) => {
                Waiting::First(BTreeSet::new(), usize::try_from(most).unwrap_or(usize::MAX))
            }
        }
    }

    fn first(&self) -> Option<&Open> {
        match self {
            Waiting::All(heap) => heap.peek().map(|open| &open.0),
            Waiting::First(set, _) => set.first(),
        }
    }

    fn pop(&mut self) -> Option<Open> {
        match self {
            Waiting::All(heap) => heap.pop().map(|open| open.0),
            Waiting::First(set, _) => set.pop_first(),
        }
    }

    /// Whether a way of this cost and length would wait, if it were made.
    fn has_room(&self, cost: f64, length: u32) -> bool {
        let Waiting::First(set, most) = self else { return true };
        let would_be = Open { cost, length, last: u32::MAX };
        set.len() < *most || set.last().is_some_and(|last| would_be < *last)
    }

    fn push(&mut self, open: Open) {
        match self {
            Waiting::All(heap) => heap.push(Reverse(open)),
            Waiting::First(set, most) => {
                set.insert(open);
                if *most < set.len() {
                    set.pop_last();
                }
            }
        }
    }
}

impl Cheapest<'_> {
    pub(super) fn new<'b>(
        ends: &'b Ends,
        bounds: PathBounds,
        count: u64,
        accept: Option<(&'b WayTest, &'b Batch)>,
    ) -> Cheapest<'b> {
        let is_grouped = matches!(bounds.ways, PathMode::CheapestGroups(_));
        let settled = bounds.once.then(FxHashSet::default);
        let (emitted, found) = (FxHashMap::default(), Vec::new());
        let accept = accept.map(|(test, rows)| Asked { test, rows, walks: Walks::default() });
        Cheapest { ends, bounds, count, is_grouped, settled, emitted, accept, found }
    }

    /// The steps with which ways end, for each row in the order of its ways.
    pub(super) fn search(
        mut self,
        tree: &mut Tree,
        edges: &mut PathEdges,
        run: &Run<'_>,
    ) -> Result<Vec<u32>> {
        let is_one_end = tree.steps.iter().all(|start| self.ends.bound(start.row).is_some());
        let may_meet_many = !is_one_end || self.settled.is_some();
        tree.keeps_beside(BESIDE_STEP_BYTES + if may_meet_many { MET_BYTES } else { 0 });
        let mut rows: FxHashMap<u32, Waiting> = FxHashMap::default();
        let frontier_max = self.bounds.frontier;
        for (last, start) in (0..).zip(&tree.steps) {
            let open = Open { cost: 0.0, length: 0, last };
            rows.entry(start.row).or_insert_with(|| Waiting::new(frontier_max)).push(open);
        }
        while !rows.is_empty() {
            run.context.check()?;
            let mut next: Vec<Open> = Vec::new();
            rows.values_mut().for_each(|waiting| add_next_in_order(waiting, tree, &mut next));
            let accepted = self.accepted(tree, &next, run)?;
            let mut frontier = Vec::new();
            for (place, open) in next.into_iter().enumerate() {
                if self.settle(tree, &open, accepted.get(place)) {
                    frontier.push(open.last);
                }
            }
            edges.each_next(tree, &frontier, run, &mut |tree, next| {
                let row = tree.steps[next.before as usize].row;
                let Some(waiting) = rows.get_mut(&row) else { return };
                if let Some(open) = self.step(tree, next, waiting) {
                    waiting.push(open);
                }
            })?;
            rows.retain(|_, waiting| waiting.first().is_some_and(|open| !self.has_all(tree, open)));
        }
        Ok(self.found)
    }

    /// Whether a way has the length, the cost and the end of those that are emitted.
    fn is_way(&self, tree: &Tree, open: &Open) -> bool {
        let step = &tree.steps[open.last as usize];
        self.bounds.may_be_long(open.length.into())
            && self.bounds.may_cost(open.cost)
            && self.ends.may_be_at(step.row, step.vertex)
    }

    /// Those of the next ways, by their places, that are emitted unless others to their ends were before.
    fn accepted(&mut self, tree: &Tree, next: &[Open], run: &Run<'_>) -> Result<Bits> {
        let places = (0..next.len()).filter(|&place| self.is_way(tree, &next[place]));
        let mut places: Vec<usize> = places.collect();
        if let Some(Asked { test, rows, walks }) = &mut self.accept {
            let ways: Vec<u32> = places.iter().map(|&place| next[place].last).collect();
            let of_ways: Vec<u32> = ways.iter().map(|&way| tree.steps[way as usize].row).collect();
            let whole = ways.iter().map(|&way| Value::Path(Arc::new(walks.path(tree, way))));
            let edges = ways.iter().map(|&way| tree.edges(way));
            let columns = [Column::from_values(whole), Column::from_values(edges)];
            let kept = test.passing(rows, &of_ways, columns, run)?;
            places = kept.into_iter().map(|kept| places[kept as usize]).collect();
        }
        let mut accepted = Bits::default();
        for place in places {
            accepted.insert(place);
        }
        Ok(accepted)
    }

    /// Gives a way that is the next in order, if it is one; says whether ways go on from it.
    fn settle(&mut self, tree: &Tree, open: &Open, is_accepted: bool) -> bool {
        let step = &tree.steps[open.last as usize];
        let place = (step.row, step.vertex);
        if is_accepted {
            let emitted = self.emitted.entry(place).or_default();
            let is_of_last = self.is_grouped && emitted.is_of_last(open);
            if is_of_last || emitted.count < self.count {
                emitted.count += u64::from(!is_of_last);
                emitted.last = Some(*open);
                self.found.push(open.last);
            }
        }
        let fresh = self.settled.as_mut().is_none_or(|settled| settled.insert(place));
        fresh && self.bounds.max.is_none_or(|max| u64::from(open.length) < max)
    }

    /// Extends a way by an edge, if it may go on and would wait then.
    fn step(&self, tree: &mut Tree, next: Next, waiting: &Waiting) -> Option<Open> {
        let Next { before, edge, vertex, price, .. } = next;
        let Step { row, cost, length, .. } = tree.steps[before as usize];
        let (cost, length) = (cost + price, length + 1);
        let goes = match self.bounds.ways {
            PathMode::CheapestAcyclic(_) => !tree.visits(before, vertex),
            _ => !tree.walks(before, edge),
        };
        let in_vain = self.settled.as_ref().is_some_and(|settled| {
            // A way that is extended was emitted before, if it may be; a start may not have been.
            let may_be = self.ends.may_be_at(row, vertex);
            settled.contains(&(row, vertex))
                && (!may_be || self.emitted.contains_key(&(row, vertex)))
        });
        let is_dear = self.bounds.most.is_some_and(|most| most < cost);
        if !goes || in_vain || is_dear || !waiting.has_room(cost, length) {
            return None;
        }
        let last = tree.end();
        tree.go_on(next);
        Some(Open { cost, length, last })
    }

    /// Whether the row of a step has all its ways to the one end it may have.
    fn has_all(&self, tree: &Tree, next: &Open) -> bool {
        let row = tree.steps[next.last as usize].row;
        let Some(end) = self.ends.bound(row) else { return false };
        let emitted = self.emitted.get(&(row, end)).copied().unwrap_or_default();
        emitted.count == self.count && !(self.is_grouped && emitted.is_of_last(next))
    }
}

/// Adds the ways of a row that are next, those of one cost and length together, in list order: the steps of one vertex
/// are numbered in it.
fn add_next_in_order(waiting: &mut Waiting, tree: &Tree, next: &mut Vec<Open>) {
    let from = next.len();
    while let Some(open) = waiting.first()
        && next.get(from).is_none_or(|first| first.key(open) == Ordering::Equal)
    {
        next.extend(waiting.pop());
    }
    next[from..].sort_unstable_by(|one, other| tree.in_list_order(one.last, other.last));
}
