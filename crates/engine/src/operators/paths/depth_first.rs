//! `PathExpand` depth first: a way before the ways that go on from it, in list order, emitted as they are found.
//!
//! ```text
//!   level 0   a                  the start
//!   level 1   b  c  d            where edges lead from a
//!                ↑ visited       all ways that begin a, b were visited
//!   level 2      e  f            where edges lead from c: a, c, e is visited next
//! ```
//!
//! The tree holds the ways that are open and no others, so memory grows with the length of one way and with the degrees
//! along it, never with the number of ways. The steps of a level are expanded some at a time, in pieces that grow while
//! the caller keeps asking, and nothing is searched that the caller does not ask for.

use millrace_model::{Batch, Result, VertexId};
use millrace_store::non_blocking;

use super::approach::Approach;
use super::bounds::{Ends, PathBounds};
use super::edges::{Next, PathEdges};
use super::found::FoundWays;
use super::tree::Tree;
use super::walked::Walked;
use crate::limits;
use crate::operators::vertices::Vertices;
use crate::pipeline::{BatchSize, Keep, Operator, Upstream};
use crate::run::Run;

/// The ways of each row, row by row.
pub(crate) struct DepthFirst {
    pub(super) from: usize,
    pub(super) into: Option<usize>,
    pub(super) keep: Keep,
    pub(super) size: BatchSize,
    /// Whether one row of each scope may be enough.
    pub(super) one_is_enough: bool,
    pub(super) found: FoundWays,
    pub(super) search: Search,
    pub(super) input: Option<Input>,
}

/// The rows of a batch, the one that is searched and those behind it.
pub(super) struct Input {
    batch: Batch,
    ends: Ends,
    /// Rows and their starts, last to first.
    starts: Vec<(u32, VertexId)>,
    row: u32,
    /// How many ways of the row were emitted.
    emitted: usize,
}

/// The search of one row.
pub(super) struct Search {
    edges: PathEdges,
    /// Towards bound ends.
    approach: Option<Approach>,
    bounds: PathBounds,
    tree: Tree,
    /// For each step of the tree those that lead on from it.
    children: Vec<(u32, u32)>,
    levels: Vec<Level>,
    walked: Walked,
    /// The step that was visited last, until the level of those that lead on from it is opened.
    visited: Option<u32>,
    visits: u64,
}

/// Steps that lead on from one step, in list order.
struct Level {
    next: u32,
    end: u32,
    /// The steps before it have their children.
    expanded: u32,
    /// How many are expanded together next.
    piece: u32,
    /// The steps of the tree from here on lie below this level.
    base: u32,
}

impl DepthFirst {
    fn input(&self, batch: Batch) -> Result<Input> {
        let ends = Ends::of(&batch, self.into)?;
        let starts = Vertices::of(&batch, self.from, "a path")?;
        let starts = starts.starts().filter(|(row, _)| ends.may_be(*row)).collect();
        Ok(Input { batch, ends, starts, row: 0, emitted: 0 })
    }
}

impl Operator for DepthFirst {
    fn begin(&mut self, run: &Run<'_>) {
        self.input = None;
        self.size.begin_again();
        self.found.clear();
        self.search.forget(run);
    }

    fn next(&mut self, upstream: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let Some(input) = &mut self.input else {
                let Some(batch) = upstream.next(run)? else { return Ok(None) };
                self.search.edges.begin(&batch, run);
                self.input = Some(self.input(batch)?);
                continue;
            };
            if upstream.is_full(input.batch.ordinal(input.row as usize)) {
                self.search.stop();
            }
            let rows_max = (self.size.next(run.context.guard()), self.one_is_enough);
            let is_over =
                input.search(rows_max, (&mut self.search, &mut self.found), upstream, run)?;
            let batch = self.found.finish(&input.batch, &self.keep, run)?;
            if is_over {
                self.found.clear();
                self.input = None;
            }
            if 0 < batch.len {
                return Ok(Some(batch));
            }
        }
    }
}

impl Input {
    /// Searches until there are rows enough; says whether no row is left.
    fn search(
        &mut self,
        (rows_max, one_is_enough): (usize, bool),
        (search, found): (&mut Search, &mut FoundWays),
        upstream: &Upstream<'_>,
        run: &Run<'_>,
    ) -> Result<bool> {
        // Where one row of a scope may be enough, the caller is asked after each, then after twice as many.
        let mut asked_after = self.emitted.max(1);
        while found.len() < rows_max && !found.is_full() && 0 < asked_after {
            if let Some(step) = search.visit(&self.ends, found, run)? {
                found.push(&search.tree, step);
                self.emitted += 1;
                asked_after -= usize::from(one_is_enough);
                continue;
            }
            let Some((row, start)) = self.starts.pop() else { return Ok(true) };
            if upstream.is_full(self.batch.ordinal(row as usize)) {
                continue;
            }
            (self.row, self.emitted, asked_after) = (row, 0, 1);
            search.start((row, start), self.ends.bound(row), run);
            found.truncate_to(0);
        }
        Ok(false)
    }
}

impl Search {
    pub(super) fn new(edges: PathEdges, approach: Option<Approach>, bounds: PathBounds) -> Search {
        Search {
            edges,
            approach,
            bounds,
            tree: Tree::default(),
            children: Vec::new(),
            levels: Vec::new(),
            walked: Walked::new(bounds.ways),
            visited: None,
            visits: 0,
        }
    }

    fn forget(&mut self, run: &Run<'_>) {
        self.stop();
        self.visits = 0;
        self.tree.release(run);
        self.children = Vec::new();
        if let Some(approach) = &mut self.approach {
            approach.forget(run);
        }
    }

    fn stop(&mut self) {
        self.levels.clear();
        self.walked.clear();
        self.visited = None;
    }

    fn start(&mut self, (row, start): (u32, VertexId), end: Option<VertexId>, run: &Run<'_>) {
        self.tree.truncate_to(0);
        self.children.clear();
        self.tree.start(row, start);
        self.levels.push(Level { next: 0, end: 1, expanded: 0, piece: 1, base: 1 });
        if let (Some(approach), Some(end)) = (&mut self.approach, end) {
            approach.begin(end, run);
        }
    }

    /// The next way that is emitted, by its last step.
    fn visit(&mut self, ends: &Ends, found: &mut FoundWays, run: &Run<'_>) -> Result<Option<u32>> {
        loop {
            // Only now: the caller may have wanted no more than the way that ends there.
            if let Some(step) = self.visited.take() {
                self.go_on(step, found, run)?;
            }
            let Some(level) = self.levels.last_mut() else { return Ok(None) };
            let step = level.next;
            if step == level.end {
                let base = level.base;
                self.levels.pop();
                self.walked.pop();
                self.truncate_to(base, found);
                continue;
            }
            level.next += 1;
            self.visited = Some(step);
            self.check(run)?;
            if self.is_way(step, ends) {
                return Ok(Some(step));
            }
        }
    }

    fn check(&mut self, run: &Run<'_>) -> Result<()> {
        self.visits += 1;
        if self.visits.is_multiple_of(limits::PATH_STEPS_UNCHECKED) {
            non_blocking::walk(limits::PATH_STEPS_UNCHECKED as usize)?;
            run.context.check()?;
        }
        Ok(())
    }

    fn is_way(&self, step: u32, ends: &Ends) -> bool {
        let step = &self.tree.steps[step as usize];
        self.bounds.may_be_long(step.length.into())
            && self.bounds.may_cost(step.cost)
            && ends.may_be_at(step.row, step.vertex)
    }

    /// Opens the level of the steps that lead on from a step, if there are any.
    fn go_on(&mut self, step: u32, found: &mut FoundWays, run: &Run<'_>) -> Result<()> {
        let length = u64::from(self.tree.steps[step as usize].length);
        if self.bounds.max.is_some_and(|max| max <= length) {
            return Ok(());
        }
        if self.levels.last().is_some_and(|level| level.expanded <= step) {
            self.expand(step, found, run)?;
        }
        let (next, end) = self.children[step as usize];
        if next < end {
            // A caller that has asked for many will ask for more.
            let piece = self.visits / limits::PATH_STEPS_A_PIECE;
            let piece = piece.clamp(1, limits::PATH_PIECE_MAX.into()) as u32;
            self.levels.push(Level { next, end, expanded: next, piece, base: self.tree.end() });
            self.walked.push(self.walked.key_of(&self.tree.steps[step as usize]));
        }
        Ok(())
    }

    /// Expands steps of the last level from one on; the ways from those before it were visited.
    fn expand(&mut self, from: u32, found: &mut FoundWays, run: &Run<'_>) -> Result<()> {
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let is_large = limits::PATH_STEPS_OPEN_MAX <= self.tree.steps.len();
        let to = level.end.min(from + if is_large { 1 } else { level.piece });
        (level.expanded, level.piece) = (to, (2 * level.piece).min(limits::PATH_PIECE_MAX));
        let base = level.base;
        self.truncate_to(base, found);
        let frontier: Vec<u32> = (from..to).collect();
        let Search { edges, approach, bounds, tree, children, walked, .. } = self;
        children.resize(tree.steps.len(), (0, 0));
        let length = u64::from(tree.steps[from as usize].length) + 1;
        let rest = bounds.max.map(|max| max - length);
        let mut made = 0;
        edges.each_next(tree, &frontier, run, &mut |tree, next| {
            let Next { before, edge, vertex, price, .. } = next;
            made += 1;
            let step = &tree.steps[before as usize];
            let (key, cost) = (walked.key(edge, vertex), step.cost + price);
            let is_again = walked.has(key) || key.is_some() && key == walked.key_of(step);
            let is_too_far = approach.as_ref().is_some_and(|own| !own.leads(vertex, rest));
            if is_again || is_too_far || bounds.most.is_some_and(|most| most < cost) {
                return;
            }
            let (first, end) = &mut children[before as usize];
            if *first == *end {
                *first = tree.end();
            }
            tree.go_on(next);
            *end = tree.end();
        })?;
        match approach {
            Some(approach) => approach.keep_up_with(made, run),
            None => Ok(()),
        }
    }

    /// Cuts off the steps from a number on.
    fn truncate_to(&mut self, end: u32, found: &mut FoundWays) {
        self.tree.truncate_to(end);
        self.children.truncate(end as usize);
        found.truncate_to(end);
    }
}
