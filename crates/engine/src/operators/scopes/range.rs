//! `Range`: rows `from..to` of each scope, by weight; a row on the edge is split.
//!
//! It stops asking once every scope has its rows. An operator with an effect further up is not
//! stopped by that: it reads all its input before it gives its first row, so asking once is enough,
//! and behind such an operator `Range` asks once even where it wants nothing.

use std::sync::Arc;

use millrace_model::{Batch, Result};
use millrace_plan::op;

use super::row_count::CompiledRowCount;
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::pipeline::{Keep, Operator, Upstream};
use crate::run::Run;

pub(crate) struct Range {
    from: CompiledRowCount,
    to: Option<CompiledRowCount>,
    /// The two in this run, once rows were asked for.
    limits: Option<Limits>,
    keep: Keep,
    /// The weight seen of each scope, and how many scopes have all they want.
    seen: Vec<u128>,
    full: usize,
    /// Whether it must still ask once, for the effects further up.
    owes_effects: bool,
    after_effect: bool,
}

#[derive(Clone, Copy)]
struct Limits {
    from: u64,
    to: Option<u64>,
}

/// How much of a row's weight lies in `from..to`, when a weight of `seen` came before.
pub(super) fn take_weight(seen: u128, weight: u64, from: u64, to: Option<u64>) -> u64 {
    let all = seen + u128::from(weight);
    let end = to.map_or(all, |to| all.min(to.into()));
    // No more than the weight.
    end.saturating_sub(seen.max(from.into())) as u64
}

impl Range {
    pub(crate) fn new(
        (from, to): (CompiledRowCount, Option<CompiledRowCount>),
        keep: Keep,
        after_effect: bool,
    ) -> Range {
        let (limits, seen, owes_effects) = (None, Vec::new(), after_effect);
        Range { from, to, limits, keep, seen, full: 0, owes_effects, after_effect }
    }

    fn limits(&mut self, input: &Upstream<'_>, run: &Run<'_>) -> Result<Limits> {
        if let Some(limits) = self.limits {
            return Ok(limits);
        }
        let from = self.from.get(input, run)?;
        let to = self.to.as_ref().map(|to| to.get(input, run)).transpose()?;
        Ok(*self.limits.insert(Limits { from, to }))
    }

    /// The part of a batch that lies in the range.
    fn cut(&mut self, limits: Limits, batch: &Batch, input: &mut Upstream<'_>) -> Batch {
        let mut rows = Vec::new();
        let mut weights = Vec::new();
        for row in 0..batch.len {
            let (scope, weight) = (batch.ordinal(row) as usize, batch.weight(row));
            if self.seen.len() <= scope {
                self.seen.resize(scope + 1, 0);
            }
            let seen = self.seen[scope];
            let taken = take_weight(seen, weight, limits.from, limits.to);
            self.seen[scope] = seen + u128::from(weight);
            if limits.to.is_some_and(|to| seen < to.into() && u128::from(to) <= self.seen[scope]) {
                self.full += 1;
                input.fill(batch.ordinal(row));
            }
            if 0 < taken {
                rows.push(row as u32);
                weights.push(taken);
            }
        }
        let cut = self.keep.take(batch, &rows);
        let weights = batch.weights.is_some().then(|| Arc::new(weights));
        Batch { weights, ..cut }
    }

    fn is_full(&self, limits: Limits, scopes: usize) -> bool {
        limits.to.is_some_and(|to| to <= limits.from) || scopes <= self.full
    }
}

impl Operator for Range {
    fn begin(&mut self, _run: &Run<'_>) {
        self.limits = None;
        self.seen.clear();
        self.full = 0;
        self.owes_effects = self.after_effect;
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        let limits = self.limits(input, run)?;
        loop {
            let owes_effects = std::mem::replace(&mut self.owes_effects, false);
            if !owes_effects && self.is_full(limits, input.scopes().len()) {
                return Ok(None);
            }
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let cut = self.cut(limits, &batch, input);
            if 0 < cut.len {
                return Ok(Some(cut));
            }
        }
    }
}

impl Compile for op::Range {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let from = CompiledRowCount::compile(&self.from, compiler)?;
        let to = self.to.as_ref().map(|to| CompiledRowCount::compile(to, compiler)).transpose()?;
        Ok((Box::new(Range::new((from, to), keep, place.after_effect)), after))
    }
}
