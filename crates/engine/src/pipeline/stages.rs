//! Operators in a row, pulled from the end: each asks the one before it for batches.
//!
//! ```text
//!   Source ──> stage 0 ──> stage 1 ──> … ──> caller
//! ```
//!
//! A pipeline is compiled once and *begun* many times (an `Apply` begins its sub-pipeline for each outer
//! batch), so operators keep their buffers and forget only their rows. An operator that answered `None`
//! is asked again only after a new beginning.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use millrace_model::{Batch, Bits, Result};
use millrace_plan::ColumnId;
use millrace_store::{ScanCursor, non_blocking};

use super::shared::{Part, Pieces, Shared};
use crate::context::Guard;
use crate::rows::{Collector, by_ordinal, shallow_bytes};
use crate::run::{Charge, Run};
use crate::{limits, threads};

/// One operator of a plan, or several fused.
pub(crate) trait Operator: Send {
    /// Drops the rows of an earlier run and releases their charge.
    fn begin(&mut self, run: &Run<'_>);

    /// Begins another round of the `Repeat` it stands in: state for all rounds is kept.
    fn begin_round(&mut self, run: &Run<'_>) {
        self.begin(run);
    }

    /// The next batch, never empty; `None` at the end.
    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>>;

    /// Reads all its input now, if it does so before it gives its first row: a long pipeline runs from one such
    /// operator to the next, and not by as many calls inside each other.
    fn fill(&mut self, _input: &mut Upstream<'_>, _run: &Run<'_>) -> Result<()> {
        Ok(())
    }

    /// The pieces of what it lists, if it lists the whole of a large scan and has given nothing yet: then threads may share
    /// it.
    fn scan_pieces(
        &mut self,
        _input: &mut Upstream<'_>,
        _pieces: &Pieces,
        _run: &Run<'_>,
    ) -> Result<Vec<ScanCursor>> {
        Ok(Vec::new())
    }

    /// Lets threads share the operators up to this one.
    fn share(&mut self, _shared: Shared) {}

    /// What it holds for all rows of its input, and the bytes of that; `None` for an operator that has no parts.
    fn part(&mut self, _input: &mut Upstream<'_>, _run: &Run<'_>) -> Result<Option<(Part, u64)>> {
        Ok(None)
    }

    /// A label with the access made in a profiled run, where the usual label has only the possible ones.
    fn used(&self, _label: &str) -> Option<String> {
        None
    }

    /// Forgets that.
    fn forget_used(&self) {}

    /// The pipelines inside, for `explain`.
    fn inner(&self) -> Vec<&Pipeline> {
        Vec::new()
    }
}

/// Counters of an operator's work as it runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counters {
    pub(crate) batches: u64,
    pub(crate) rows: u64,
    pub(crate) weight: u64,
    pub(crate) nanos: u64,
}

/// An operator with its name and counters.
pub(crate) struct Stage {
    pub(crate) operator: Box<dyn Operator>,
    pub(crate) label: String,
    /// The columns of the plan that are new with it.
    pub(crate) makes: Vec<ColumnId>,
    pub(crate) counters: Cell<Counters>,
}

impl Stage {
    pub(crate) fn new(operator: Box<dyn Operator>, label: String) -> Stage {
        Stage { operator, label, makes: Vec::new(), counters: Cell::default() }
    }
}

/// The scopes a pipeline runs for: a keyless aggregate answers for each, rows or not.
#[derive(Clone, Debug)]
pub(crate) enum Scopes {
    /// `0..n`.
    First(u32),
    /// Those with rows that entered a branch, ascending.
    Entered(Arc<Vec<u32>>),
}

impl Scopes {
    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Scopes::First(count) => Box::new(0..*count),
            Scopes::Entered(ordinals) => Box::new(ordinals.iter().copied()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Scopes::First(count) => *count as usize,
            Scopes::Entered(ordinals) => ordinals.len(),
        }
    }

    /// One more than the largest ordinal.
    pub(crate) fn bound(&self) -> usize {
        match self {
            Scopes::First(count) => *count as usize,
            Scopes::Entered(ordinals) => ordinals.last().map_or(0, |last| *last as usize + 1),
        }
    }
}

/// Where a pipeline's first rows come from.
pub(crate) struct Source {
    batches: std::collections::VecDeque<Batch>,
    scopes: Scopes,
    /// Whether rows are handed out in growing pieces, for a caller that may stop early.
    in_pieces: bool,
    offset: usize,
    size: BatchSize,
    /// The scopes that want no more rows from before a stage, by its place.
    full: Vec<(usize, Bits)>,
}

/// The number of rows of the next batch: grows while the caller keeps asking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchSize {
    next: usize,
    first: usize,
    last: usize,
}

impl BatchSize {
    /// For a caller that may stop early.
    pub(crate) fn growing() -> BatchSize {
        let first = limits::BATCH_ROWS_MIN;
        BatchSize { next: first, first, last: limits::BATCH_ROWS_MAX }
    }

    /// For a caller that collects everything anyway.
    pub(crate) fn collected() -> BatchSize {
        let first = limits::BATCH_ROWS_MAX;
        BatchSize { next: first, first, last: limits::COLLECTED_ROWS_MAX }
    }

    /// For a caller that wants a whole frontier.
    pub(crate) fn whole() -> BatchSize {
        let all = u32::MAX as usize;
        BatchSize { next: all, first: all, last: all }
    }

    pub(crate) fn is_collected(&self) -> bool {
        self.last == limits::COLLECTED_ROWS_MAX
    }

    pub(crate) fn begin_again(&mut self) {
        self.next = self.first;
    }

    pub(crate) fn next(&mut self, guard: &Guard) -> usize {
        let rows = self.next;
        self.next = rows.saturating_mul(2).min(self.last);
        if self.is_whole() { rows } else { guard.batch_rows(rows) }
    }

    fn is_whole(&self) -> bool {
        self.first == u32::MAX as usize
    }
}

/// Compiled operators.
pub(crate) struct Pipeline {
    source: Source,
    pub(crate) stages: Vec<Stage>,
}

/// The source and the operators before an operator.
pub(crate) struct Upstream<'p> {
    source: &'p mut Source,
    stages: &'p mut [Stage],
}

impl Pipeline {
    pub(crate) fn new(stages: Vec<Stage>, in_pieces: bool) -> Pipeline {
        let source = Source {
            batches: Default::default(),
            scopes: Scopes::First(1),
            in_pieces,
            offset: 0,
            size: BatchSize::growing(),
            full: Vec::new(),
        };
        Pipeline { source, stages }
    }

    /// Begins a run over these rows.
    pub(crate) fn begin(
        &mut self,
        batches: impl IntoIterator<Item = Batch>,
        scopes: Scopes,
        run: &Run<'_>,
    ) {
        self.source.begin(batches, scopes);
        for stage in &mut self.stages {
            stage.operator.begin(run);
        }
    }

    /// Begins another round of the `Repeat` that has it as its body, or as a part of it.
    pub(crate) fn begin_round(
        &mut self,
        batches: impl IntoIterator<Item = Batch>,
        scopes: Scopes,
        run: &Run<'_>,
    ) {
        self.source.begin(batches, scopes);
        for stage in &mut self.stages {
            stage.operator.begin_round(run);
        }
    }

    /// The next batch at the end.
    pub(crate) fn next(&mut self, run: &Run<'_>) -> Result<Option<Batch>> {
        if limits::NESTED_OPERATORS_MAX < self.stages.len() {
            self.fill(run)?;
        }
        Upstream { source: &mut self.source, stages: &mut self.stages }.next(run)
    }

    fn fill(&mut self, run: &Run<'_>) -> Result<()> {
        let begun = Instant::now();
        for place in 1..=self.stages.len() {
            let Some((stage, before)) = self.stages[..place].split_last_mut() else { continue };
            let mut upstream = Upstream { source: &mut self.source, stages: before };
            stage.operator.fill(&mut upstream, run)?;
            if run.profiled {
                // A stage's time is that of the stages before it too.
                stage.counters.get_mut().nanos = begun.elapsed().as_nanos() as u64;
            }
        }
        Ok(())
    }

    /// The pieces of the scan that it begins with.
    pub(crate) fn scan_pieces(
        &mut self,
        wanted: &Pieces,
        run: &Run<'_>,
    ) -> Result<Vec<ScanCursor>> {
        Upstream { source: &mut self.source, stages: &mut self.stages }.scan_pieces(wanted, run)
    }

    /// What the last operator holds for all rows, the bytes of that, and the counters of those before it; `None` if it has
    /// no parts.
    pub(crate) fn part(&mut self, run: &Run<'_>) -> Result<Option<(Part, u64, Vec<Counters>)>> {
        let Some((last, before)) = self.stages.split_last_mut() else { return Ok(None) };
        let mut upstream = Upstream { source: &mut self.source, stages: before };
        let Some((part, held)) = last.operator.part(&mut upstream, run)? else { return Ok(None) };
        let counters = self.stages.iter().map(|stage| stage.counters.take()).collect();
        Ok(Some((part, held, counters)))
    }

    /// All rows that are left, of `width` columns.
    pub(crate) fn read_all(
        &mut self,
        width: usize,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let mut end = Upstream { source: &mut self.source, stages: &mut self.stages };
        let all = end.read_all(charge, run)?;
        Ok(all.unwrap_or_else(|| Collector::default().finish(width)))
    }

    /// Resets the counters of its operators, those of subplans included.
    pub(crate) fn forget_counters(&self) {
        for stage in &self.stages {
            stage.counters.take();
            stage.operator.forget_used();
            stage.operator.inner().into_iter().for_each(Pipeline::forget_counters);
        }
    }
}

impl Upstream<'_> {
    pub(crate) fn scopes(&self) -> &Scopes {
        &self.source.scopes
    }

    /// The pieces of the scan in front, if all operators up to here go row by row.
    pub(crate) fn scan_pieces(
        &mut self,
        pieces: &Pieces,
        run: &Run<'_>,
    ) -> Result<Vec<ScanCursor>> {
        let Some((scan, _)) = self.stages.split_first_mut() else { return Ok(Vec::new()) };
        let mut before = Upstream { source: self.source, stages: &mut [] };
        scan.operator.scan_pieces(&mut before, pieces, run)
    }

    /// Adds what other threads counted of the same operators.
    pub(crate) fn add_counters(&mut self, counters: &[Counters]) {
        for (stage, other) in self.stages.iter_mut().zip(counters) {
            let own = stage.counters.get_mut();
            own.batches += other.batches;
            own.rows += other.rows;
            own.weight = own.weight.saturating_add(other.weight);
            own.nanos += other.nanos / threads::count() as u64;
        }
    }

    /// Says that the operator wants no more rows of a scope.
    pub(crate) fn fill(&mut self, scope: u32) {
        let own = self.stages.len();
        let place = self.source.full.iter().position(|(stage, _)| *stage == own);
        let place = place.unwrap_or_else(|| {
            self.source.full.push((own, Bits::default()));
            self.source.full.len() - 1
        });
        self.source.full[place].1.insert(scope as usize);
    }

    /// Whether an operator further on wants no more rows of a scope.
    pub(crate) fn is_full(&self, scope: u32) -> bool {
        let (own, scope) = (self.stages.len(), scope as usize);
        self.source.full.iter().any(|(stage, full)| own < *stage && full.get(scope))
    }

    /// All rows that are left in one batch; `None` if there is no row.
    pub(crate) fn read_all(&mut self, charge: &mut Charge, run: &Run<'_>) -> Result<Option<Batch>> {
        let mut collector = Collector::default();
        while let Some(batch) = self.next(run)? {
            charge.hold(&batch, run)?;
            if limits::GROWTH_UNCOUNTED_ROWS_MAX < collector.len() {
                // Columns that grow have room for as much again.
                charge.grow(shallow_bytes(&batch), run)?;
            }
            collector.push(batch);
        }
        Ok((0 < collector.len()).then(|| collector.finish(0)))
    }

    /// The same scope by scope, in order of their ordinals.
    pub(crate) fn read_scopes(
        &mut self,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Option<Batch>> {
        Ok(self.read_all(charge, run)?.map(by_ordinal))
    }

    /// The next batch.
    pub(crate) fn next(&mut self, run: &Run<'_>) -> Result<Option<Batch>> {
        let Some((stage, before)) = self.stages.split_last_mut() else {
            return self.source.next(run);
        };
        run.context.check_pull()?;
        let mut upstream = Upstream { source: self.source, stages: before };
        if !run.profiled {
            let batch = stage.operator.next(&mut upstream, run)?;
            non_blocking::walk(batch.as_ref().map_or(0, |batch| batch.len))?;
            return Ok(batch);
        }
        let begun = Instant::now();
        let next = stage.operator.next(&mut upstream, run);
        let counters = stage.counters.get_mut();
        counters.nanos += begun.elapsed().as_nanos() as u64;
        let batch = next?;
        if let Some(batch) = &batch {
            counters.batches += 1;
            counters.rows += batch.len as u64;
            let weight = (0..batch.len).map(|row| batch.weight(row)).fold(0, u64::saturating_add);
            counters.weight = counters.weight.saturating_add(weight);
        }
        Ok(batch)
    }
}

impl Source {
    fn begin(&mut self, batches: impl IntoIterator<Item = Batch>, scopes: Scopes) {
        self.batches.clear();
        self.batches.extend(batches.into_iter().filter(|batch| 0 < batch.len));
        self.scopes = scopes;
        self.offset = 0;
        self.full.clear();
        self.size.begin_again();
    }

    fn next(&mut self, run: &Run<'_>) -> Result<Option<Batch>> {
        run.context.check_pull()?;
        if !self.in_pieces {
            return Ok(self.batches.pop_front());
        }
        let Some(batch) = self.batches.front() else { return Ok(None) };
        let end = (self.offset + self.size.next(run.context.guard())).min(batch.len);
        if self.offset == 0 && end == batch.len {
            return Ok(self.batches.pop_front());
        }
        let rows: Vec<u32> = (self.offset as u32..end as u32).collect();
        let piece = batch.take(&rows);
        self.offset = end;
        if end == batch.len {
            self.batches.pop_front();
            self.offset = 0;
        }
        Ok(Some(piece))
    }
}
