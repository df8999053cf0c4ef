//! `Apply`: a subplan for every outer row, run once for the whole outer batch.
//!
//! ```text
//!   outer batch ──distinct combinations of the columns read──> source (ordinals 0..n)
//!                                                                  │ sub
//!   outer batch × shares of ordinals <──regrouped by ordinal── sub rows
//! ```
//!
//! Outer rows that agree on the columns that the sub reads share one run of it, by reference. A sub
//! with an effect is not shared: each row of weight `w` becomes `w` *single rows*, all input is read
//! first, and nothing further up stops it. A sub that reads its own writes runs one single row at a
//! time, or those at once that cannot see each other.

mod conflict_free;
mod regroup;
mod results;

use std::sync::Arc;

use millrace_model::{Batch, Result};
use millrace_plan::{ApplyKind, Op, columns::ColumnSet, op};

use crate::compile::{
    Compile, Compiled, Compiler, Goal, Place, Placed, Purpose, Turns, keep, live_in, turns,
};
use crate::limits::FLAT_ROWS_UNASKED_MAX;
use crate::operators::hops::count::of_edges;
use crate::operators::hops::expand_into::edge_between;
use crate::pipeline::{
    BatchPieces, Deferred, Keep, Operator, Pipeline, Scopes, Upstream, next_piece,
};
use crate::rows::{Collector, Groups, batch_bytes};
use crate::run::{Charge, Run};
pub(crate) use conflict_free::ConflictFreeBatches;
pub(crate) use regroup::Regrouped;
pub(crate) use results::ApplyResult;

/// How outer rows become scopes of the sub.
pub(crate) enum Sharing {
    /// Equal combinations share a scope.
    Shared,
    /// The sub has an effect: each single row is a scope.
    SingleRows,
    /// The sub reads its own writes: rows run together that do not depend on each other.
    ConflictFree(ConflictFreeBatches),
    /// The same, and the dependencies are not known: each row runs alone.
    InTurn,
}

pub(crate) struct Apply {
    sub: Pipeline,
    /// Columns of a row of the sub's end.
    width: usize,
    /// The outer columns that the sub reads.
    reads: Keep,
    keep: Keep,
    result: ApplyResult,
    sharing: Sharing,
    groups: Groups,
    /// The result of a sub that reads nothing outer: the same for every batch.
    constant: Option<Regrouped>,
    deferred: Deferred,
    pending: Option<BatchPieces>,
    done: bool,
    charge: Charge,
    /// The batch that is being emitted.
    joined: Charge,
}

impl Apply {
    pub(crate) fn new(
        (sub, width): (Pipeline, usize),
        reads: Keep,
        keep: Keep,
        result: ApplyResult,
        sharing: Sharing,
    ) -> Apply {
        let groups = Groups::new(reads.0.len());
        Apply {
            sub,
            width,
            reads,
            keep,
            result,
            sharing,
            groups,
            constant: None,
            deferred: Deferred::default(),
            pending: None,
            done: false,
            charge: Charge::default(),
            joined: Charge::default(),
        }
    }

    /// The outer batch with the sub's results.
    fn share(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        let (source, scope_of) = self.combinations(batch);
        if self.is_constant() {
            let regrouped = match self.constant.take() {
                Some(regrouped) => regrouped,
                None => self.run_sub(source, run)?,
            };
            let regrouped = self.constant.insert(regrouped);
            return self.result.join(&self.keep, batch, &scope_of, regrouped, run);
        }
        self.charge.release(run);
        let regrouped = self.run_sub(source, run)?;
        self.result.join(&self.keep, batch, &scope_of, &regrouped, run)
    }

    /// Whether the sub gives the same for every outer row.
    fn is_constant(&self) -> bool {
        self.reads.0.is_empty()
    }

    /// The distinct combinations of the columns that the sub reads, and the one of each outer row.
    fn combinations(&mut self, batch: &Batch) -> (Batch, Vec<u32>) {
        if self.is_constant() {
            return (Batch::unit(), vec![0; batch.len]);
        }
        let mut scope_of = vec![0];
        let reads = if batch.len == 1 {
            self.reads.same(batch.clone())
        } else {
            let read = Batch { ordinals: None, weights: None, ..self.reads.same(batch.clone()) };
            let slots: Vec<usize> = (0..read.columns.len()).collect();
            self.groups.clear();
            self.groups.assign(&read, &slots, &mut scope_of);
            let mut firsts = Vec::with_capacity(self.groups.len());
            for (row, &group) in scope_of.iter().enumerate() {
                if group as usize == firsts.len() {
                    firsts.push(row as u32);
                }
            }
            if firsts.len() == batch.len { read } else { read.take(&firsts) }
        };
        (Batch { weights: None, ordinals: numbered(reads.len), ..reads }, scope_of)
    }

    fn run_sub(&mut self, source: Batch, run: &Run<'_>) -> Result<Regrouped> {
        let scopes = source.len as u32;
        self.sub.begin([source], Scopes::First(scopes), run);
        let mut collector = Collector::default();
        while let Some(batch) = self.sub.next(run)? {
            if self.result.needs_rows() {
                self.charge.hold(&batch, run)?;
                collector.push(batch);
            }
        }
        Ok(Regrouped::new(collector.finish(self.width), scopes as usize))
    }

    /// All input, each single row a scope of its own; one conflict-free batch after the other, or
    /// each row alone.
    fn run_single_rows(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Batch> {
        let Some(outer) = input.read_scopes(&mut self.charge, run)? else {
            return Ok(Batch::default());
        };
        let outer = crate::run::single_rows(&outer, run)?;
        let mut results = Collector::default();
        let len = outer.len as u32;
        let pieces = match &self.sharing {
            Sharing::InTurn => (0..len).map(|row| row..row + 1).collect(),
            Sharing::ConflictFree(batches) => batches.of(&outer, run),
            Sharing::Shared | Sharing::SingleRows => std::iter::once(0..len).collect(),
        };
        let is_one = pieces.len() == 1;
        for rows in pieces {
            let rows: Vec<u32> = if is_one { Vec::new() } else { rows.collect() };
            let part = if is_one { outer.clone() } else { outer.take(&rows) };
            let source = Batch { ordinals: numbered(part.len), ..self.reads.same(part.clone()) };
            let scope_of: Vec<u32> = (0..part.len as u32).collect();
            let regrouped = self.run_sub(source, run)?;
            results.push(self.result.join(&self.keep, &part, &scope_of, &regrouped, run)?);
        }
        Ok(results.finish(0))
    }
}

/// Ordinals `0..len`; one scope needs none.
fn numbered(len: usize) -> Option<Arc<Vec<u32>>> {
    (1 < len).then(|| Arc::new((0..len as u32).collect()))
}

/// Counts a product that is emitted piece by piece, where it is more than a batch.
pub(super) fn charge_product(charge: &mut Charge, joined: &Batch, run: &Run<'_>) -> Result<()> {
    let is_large = FLAT_ROWS_UNASKED_MAX <= joined.len as u64;
    charge.set(if is_large { batch_bytes(joined) } else { 0 }, run)
}

impl Operator for Apply {
    fn begin(&mut self, run: &Run<'_>) {
        self.constant = None;
        self.deferred.begin();
        self.pending = None;
        self.done = false;
        self.charge.release(run);
        self.joined.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if let Some(batch) = next_piece(&mut self.pending, run) {
                return Ok(Some(batch));
            }
            if self.done {
                return Ok(None);
            }
            if !matches!(self.sharing, Sharing::Shared) {
                self.done = true;
                self.pending = Some(BatchPieces::new(self.run_single_rows(input, run)?));
                continue;
            }
            self.deferred.raise()?;
            let Some(batch) = input.next(run)? else {
                self.done = true;
                continue;
            };
            let mut deferred = std::mem::take(&mut self.deferred);
            let result = deferred.evaluate(batch, |batch| self.share(batch, run));
            self.deferred = deferred;
            let joined = result?.1;
            charge_product(&mut self.joined, &joined, run)?;
            self.pending = Some(BatchPieces::new(joined));
        }
    }

    fn inner(&self) -> Vec<&Pipeline> {
        vec![&self.sub]
    }
}

impl Compile for op::Apply {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        if let Some(placed) = edge_between(self, compiler, place)? {
            return Ok(placed);
        }
        if let Some(placed) = of_edges(self, compiler, place)? {
            return Ok(placed);
        }
        let mut body = self.sub.clone();
        let mut live = ColumnSet::new();
        let mut purpose = Purpose::Collected;
        match &self.kind {
            ApplyKind::Flat | ApplyKind::Optional => {
                live.extend(
                    self.sub.made_columns().into_iter().filter(|to| place.live.contains(to)),
                );
            }
            ApplyKind::Value { fold, to } => {
                let folds = vec![(*to, fold.clone())];
                body.ops.push(Op::Aggregate(op::Aggregate { keys: Vec::new(), folds }));
                live.insert(*to);
            }
            ApplyKind::Bag { columns, .. } => live.extend(columns),
            ApplyKind::Exists | ApplyKind::Absent => purpose = Purpose::Existence,
            ApplyKind::Effect => {}
        }
        // A fold at its end reads too: it may fold a property that an earlier outer row's turn wrote.
        let sharing = match (self.sub.has_effect(), turns(&body)) {
            (_, Turns::Single) => Sharing::InTurn,
            (_, Turns::Batches(dependencies)) => {
                Sharing::ConflictFree(compiler.conflict_free_batches(place.layout, &dependencies)?)
            }
            (true, Turns::AtOnce) => Sharing::SingleRows,
            (false, Turns::AtOnce) => Sharing::Shared,
        };
        let (reads, layout) = keep(place.layout, &live_in(&body.ops, &live));
        let goal = Goal::new(&live, &place.inside[0], purpose);
        let Compiled { pipeline, layout } = compiler.pipeline(&body.ops, layout, &goal)?;
        let (keep, mut after) = place.keep();
        let result = match &self.kind {
            ApplyKind::Flat | ApplyKind::Optional => {
                // Columns that the sub read from outside stay the outer row's own.
                let made = |slot: &usize| live.contains(&layout[*slot]);
                let slots: Vec<usize> = (0..layout.len()).filter(made).collect();
                after.extend(slots.iter().map(|&slot| layout[slot]));
                ApplyResult::Flat { optional: self.kind == ApplyKind::Optional, slots }
            }
            ApplyKind::Value { fold, to } if fold.drops_rows() => {
                let slots = if place.live.contains(to) { vec![0] } else { Vec::new() };
                after.extend(slots.iter().map(|_| *to));
                ApplyResult::Flat { optional: false, slots }
            }
            ApplyKind::Value { to, .. } => {
                let live = place.live.contains(to);
                after.extend(live.then_some(*to));
                ApplyResult::Value { live }
            }
            ApplyKind::Bag { columns, to } => {
                let live = place.live.contains(to);
                after.extend(live.then_some(*to));
                ApplyResult::Bag { slots: compiler.slots(&layout, columns)?, live }
            }
            ApplyKind::Exists => ApplyResult::Exists { wanted: true },
            ApplyKind::Absent => ApplyResult::Exists { wanted: false },
            ApplyKind::Effect => ApplyResult::Effect,
        };
        let apply = Apply::new((pipeline, layout.len()), reads, keep, result, sharing);
        Ok((Box::new(apply), after))
    }
}
