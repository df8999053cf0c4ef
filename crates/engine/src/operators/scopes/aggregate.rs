//! `Aggregate`: one row for each distinct key of a scope; without keys one for each scope.
//!
//! Groups come in order of first appearance within their scope, scopes in order of ordinals.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::{Batch, Column, Result};
use millrace_plan::{ColumnId, Expr, op};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::{Exprs, bug};
use crate::folds::{FoldState, Grouping, STATE_BYTES};
use crate::pipeline::{
    Completing, FirstRows, Keep, Part, RowOrder, Scopes, Shared, Upstream, Whole,
};
use crate::rows::{Collector, Groups, batch_bytes, by_ordinal, first_rows};
use crate::run::{Charge, Run};

pub(crate) struct Aggregate {
    keys: Keep,
    /// Which keys and which folds are read later.
    live_keys: Vec<usize>,
    folds: Vec<FoldState>,
    live_folds: Vec<bool>,
    /// The folds' expressions, and for each fold the number of its own.
    exprs: Exprs,
    expr_of: Vec<Option<usize>>,
    groups: Groups,
    /// The first row of each group: its keys, and its ordinal.
    firsts: Collector,
    /// The order of the rows, where the first decides.
    row_order: Option<Arc<RowOrder>>,
    /// The operators up to this one, where threads may share them.
    shared: Option<Shared>,
}

impl Aggregate {
    /// Without keys every scope has its row, whether it has rows or not.
    fn open_scopes(&mut self, scopes: &Scopes) {
        let ordinals: Vec<u32> = scopes.iter().collect();
        let len = ordinals.len();
        let ordinals = (1 < scopes.bound()).then(|| Arc::new(ordinals));
        let batch = Batch { len, ordinals, ..Batch::default() };
        self.groups.assign(&batch, &[], &mut Vec::new());
        self.folds.iter_mut().for_each(|fold| fold.grow(len));
        self.firsts.push(batch);
    }

    fn finish(&mut self) -> Result<Batch> {
        let firsts = self.firsts.finish(self.keys.0.len());
        let columns = self.live_keys.iter().map(|&key| firsts.columns[key].clone());
        let mut columns: Vec<Arc<Column>> = columns.collect();
        let mut dropped = BTreeSet::new();
        for (fold, live) in self.folds.iter_mut().zip(&self.live_folds) {
            dropped.extend(fold.dropped(firsts.len));
            let column = fold.finish()?;
            if *live {
                columns.push(column.into());
            }
        }
        let batch = Batch { len: firsts.len, columns, weights: None, ordinals: firsts.ordinals };
        if dropped.is_empty() {
            return Ok(by_ordinal(batch));
        }
        let kept = (0..batch.len as u32).filter(|row| !dropped.contains(row));
        Ok(by_ordinal(batch.take(&kept.collect::<Vec<u32>>())))
    }
}

impl Whole for Aggregate {
    fn forget(&mut self) {
        self.groups.clear();
        self.firsts = Collector::default();
        self.folds.iter_mut().for_each(FoldState::clear);
    }

    fn share(&mut self, shared: Shared) {
        if self.row_order.is_none() && self.folds.iter().all(FoldState::has_parts) {
            self.shared = Some(shared);
        }
    }

    fn part(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Option<Part>> {
        self.forget();
        self.read(input, charge, run)?;
        let firsts = self.firsts.finish(self.keys.0.len());
        let folds = self.folds.iter_mut().map(FoldState::take).collect();
        Ok(Some(Part::Groups { firsts, folds }))
    }

    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        let shared = self.shared.take();
        let is_shared = match &shared {
            Some(shared) => {
                if self.keys.0.is_empty() {
                    self.open_scopes(input.scopes());
                }
                shared.run(input, run, &mut |part| self.absorb(part, charge, run))?
            }
            None => false,
        };
        self.shared = shared;
        if !is_shared {
            self.forget();
            self.read(input, charge, run)?;
        }
        self.finish()
    }
}

impl Aggregate {
    /// Reads all rows.
    fn read(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<()> {
        if self.keys.0.is_empty() {
            self.open_scopes(input.scopes());
        }
        let mut groups = Vec::new();
        let row_order = self.row_order.clone();
        let mut first = FirstRows::ask(row_order.as_ref(), 1);
        while let Some(batch) = input.next(run)? {
            if first.take(&batch) {
                self.forget();
                self.open_scopes(input.scopes());
            }
            let operands = self.exprs.evaluate(&batch, run)?;
            let mut held = self.group(&batch, &mut groups);
            let is_one = self.keys.0.is_empty() && batch.ordinals.is_none();
            let grouping = Grouping::of_one(&groups, is_one);
            for (fold, expr) in self.folds.iter_mut().zip(&self.expr_of) {
                held += fold.update(&batch, grouping, expr.map(|expr| &operands[expr]), run)?;
            }
            charge.grow(held, run)?;
            if first.are_enough() {
                break;
            }
        }
        Ok(())
    }

    /// Writes the group of each row; gives the bytes that groups hold now beyond those before.
    fn group(&mut self, batch: &Batch, groups: &mut Vec<u32>) -> u64 {
        let (before, known_bytes) = (self.groups.len(), self.groups.bytes());
        self.groups.assign(batch, &self.keys.0, groups);
        let fresh = first_rows(groups, before as u32);
        let mut held = self.groups.bytes().saturating_sub(known_bytes);
        if !fresh.is_empty() {
            let firsts = Batch { weights: None, ..self.keys.take(batch, &fresh) };
            held += batch_bytes(&firsts) + fresh.len() as u64 * STATE_BYTES;
            self.firsts.push(firsts);
        }
        self.folds.iter_mut().for_each(|fold| fold.grow(self.groups.len()));
        held
    }

    /// Takes what another thread holds for rows behind those so far.
    fn absorb(&mut self, part: Part, charge: &mut Charge, run: &Run<'_>) -> Result<()> {
        let Part::Groups { firsts, folds } = part else { return Err(bug("groups have parts")) };
        if firsts.len == 0 {
            return Ok(());
        }
        let mut groups = Vec::new();
        let slots: Vec<usize> = (0..self.keys.0.len()).collect();
        let keys = std::mem::replace(&mut self.keys, Keep(slots));
        let mut held = self.group(&firsts, &mut groups);
        self.keys = keys;
        for (fold, other) in self.folds.iter_mut().zip(folds) {
            held += fold.absorb(other, &groups, run)?;
        }
        charge.grow(held, run)
    }
}

impl Compile for op::Aggregate {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keys, folds) = (&self.keys, &self.folds);
        let slots = Keep(compiler.slots(place.layout, keys)?);
        let live_keys: Vec<usize> =
            (0..keys.len()).filter(|&key| place.live.contains(&keys[key])).collect();
        let live_folds: Vec<bool> =
            folds.iter().map(|(column, _)| place.live.contains(column)).collect();
        let mut after: Vec<ColumnId> = live_keys.iter().map(|&key| keys[key]).collect();
        let live = folds.iter().zip(&live_folds).filter(|(_, live)| **live);
        after.extend(live.map(|((column, _), _)| *column));
        let exprs: Vec<Option<&Expr>> = folds.iter().map(|(_, fold)| fold.expr()).collect();
        let mut number = 0..;
        let expr_of = exprs.iter().map(|expr| expr.and_then(|_| number.next())).collect();
        let exprs = compiler.exprs(place.layout, exprs.into_iter().flatten())?;
        let aggregate = Aggregate {
            groups: Groups::new(slots.0.len()),
            keys: slots,
            live_keys,
            folds: folds.iter().map(|(_, fold)| FoldState::new(fold)).collect(),
            live_folds,
            exprs,
            expr_of,
            firsts: Collector::default(),
            row_order: place.row_order.clone(),
            shared: None,
        };
        Ok((Box::new(Completing::new(aggregate)), after))
    }
}
