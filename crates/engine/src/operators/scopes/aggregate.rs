//! `Aggregate`: one row for each distinct key of a scope; without keys one for each scope.
//!
//! Groups come in order of first appearance within their scope, scopes in order of ordinals.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_model::{Batch, Column, Result};
use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, Expr, Fold, op};

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
    plan_folds: Vec<Fold>,
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
    /// Where the keys are made of an element that rows repeat.
    by_element: Option<ByElement>,
}

/// Keys that are made of one element column: they are made once for each element, and rows find their group by it.
struct ByElement {
    /// The column, and its elements so far.
    column: usize,
    elements: Groups,
    /// The group of each element.
    group_of: Vec<u32>,
    /// The columns that are made of the element, one projection behind the other.
    projects: Vec<Exprs>,
    /// The folds that take the first of such a column, and their expressions.
    firsts: Exprs,
    of_first: Vec<Option<usize>>,
    of_rows: Vec<u32>,
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
        if let Some(by) = &mut self.by_element {
            by.elements.clear();
            by.group_of.clear();
        }
    }

    fn share(&mut self, shared: Shared) {
        if self.folds.iter().all(FoldState::has_parts) {
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
        let fresh = self.plan_folds.iter().map(FoldState::new).collect();
        let folds = std::mem::replace(&mut self.folds, fresh);
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
                let row_order = self.row_order.clone();
                FirstRows::ask(row_order.as_ref(), 1);
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
    fn read(&mut self, input: &mut Upstream<'_>, charge: &mut Charge, run: &Run<'_>) -> Result<()> {
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
            let mut held = match self.by_element.take() {
                Some(mut by) => {
                    let held = self.group_by(&mut by, &batch, &mut groups, run);
                    self.by_element = Some(by);
                    held?
                }
                None => self.group(&batch, &mut groups),
            };
            let is_one = self.keys.0.is_empty() && batch.ordinals.is_none();
            let grouping = Grouping::of_one(&groups, is_one);
            for (number, (fold, expr)) in self.folds.iter_mut().zip(&self.expr_of).enumerate() {
                if self.by_element.as_ref().is_none_or(|by| by.of_first[number].is_none()) {
                    held += fold.update(&batch, grouping, expr.map(|expr| &operands[expr]), run)?;
                }
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
        if self.keys.0.is_empty() && batch.ordinals.is_none() && 0 < self.firsts.len() {
            // The one group is there from the beginning.
            groups.clear();
            groups.resize(batch.len, 0);
            return 0;
        }
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

    /// The same by an element: what keys are made of is read of elements that were not met before.
    fn group_by(
        &mut self,
        by: &mut ByElement,
        batch: &Batch,
        groups: &mut Vec<u32>,
        run: &Run<'_>,
    ) -> Result<u64> {
        let (before, known_bytes) = (by.elements.len(), by.elements.bytes());
        by.elements.assign(batch, &[by.column], &mut by.of_rows);
        let fresh = first_rows(&by.of_rows, before as u32);
        let mut held = by.elements.bytes().saturating_sub(known_bytes);
        if !fresh.is_empty() {
            let mut own = Batch { weights: None, ..Keep(vec![by.column]).take(batch, &fresh) };
            for exprs in &by.projects {
                let made = exprs.evaluate(&own, run)?.into_iter();
                own.columns.extend(made.map(|operand| operand.into_column(own.len)));
            }
            let mut of_fresh = Vec::new();
            held += self.group(&own, &mut of_fresh);
            held += size_of_val(&of_fresh[..]) as u64;
            let operands = by.firsts.evaluate(&own, run)?;
            for (fold, of_first) in self.folds.iter_mut().zip(&by.of_first) {
                if let Some(expr) = of_first {
                    let grouping = Grouping::of(&of_fresh);
                    held += fold.update(&own, grouping, Some(&operands[*expr]), run)?;
                }
            }
            by.group_of.append(&mut of_fresh);
        }
        groups.clear();
        groups.extend(by.of_rows.iter().map(|element| by.group_of[*element as usize]));
        Ok(held)
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
        let (mut aggregate, after) = compiled(self, compiler, (place.layout, None), place.live)?;
        aggregate.row_order.clone_from(&place.row_order);
        Ok((Box::new(Completing::new(aggregate)), after))
    }
}

/// Compiles it behind projections of columns that are made of one element column: its keys are among them, and a fold
/// takes the first of one, or reads none.
pub(crate) fn compile_by_element(
    aggregate: &op::Aggregate,
    (element, projects): (ColumnId, &[&op::Project]),
    compiler: &Compiler<'_>,
    (layout, live): (&[ColumnId], &ColumnSet),
) -> Result<Placed> {
    let mut own = vec![element];
    let mut compiled_projects = Vec::new();
    for project in projects {
        let exprs = project.columns.iter().map(|(_, expr)| expr);
        compiled_projects.push(compiler.exprs(&own, exprs)?);
        own.extend(project.columns.iter().map(|(column, _)| *column));
    }
    let (mut result, after) = compiled(aggregate, compiler, (&own, Some(layout)), live)?;
    let mut number = 0..;
    let folds = || aggregate.folds.iter().map(|(_, fold)| read_of(fold, &own[1..]));
    result.by_element = Some(ByElement {
        column: compiler.slot(layout, element)?,
        elements: Groups::new(1),
        group_of: Vec::new(),
        projects: compiled_projects,
        firsts: compiler.exprs(&own, folds().flatten())?,
        of_first: folds().map(|expr| expr.and_then(|_| number.next())).collect(),
        of_rows: Vec::new(),
    });
    Ok((Box::new(Completing::new(result)), after))
}

/// The expression of a fold, if it reads one of some columns.
fn read_of<'f>(fold: &'f Fold, columns: &[ColumnId]) -> Option<&'f Expr> {
    fold.expr().filter(|expr| reads_any(expr, columns))
}

/// Whether an expression reads one of some columns.
pub(crate) fn reads_any(expr: &Expr, columns: &[ColumnId]) -> bool {
    let mut read = ColumnSet::new();
    expr.read_columns(&mut read);
    columns.iter().any(|column| read.contains(column))
}

/// The operator, its keys in the first layout, and its folds in the second, if that is another: those that read a column of
/// the first alone have no expression then.
fn compiled(
    own: &op::Aggregate,
    compiler: &Compiler<'_>,
    (of_keys, of_folds): (&[ColumnId], Option<&[ColumnId]>),
    live: &ColumnSet,
) -> Result<(Aggregate, Vec<ColumnId>)> {
    let (keys, folds) = (&own.keys, &own.folds);
    let slots = Keep(compiler.slots(of_keys, keys)?);
    let live_keys: Vec<usize> = (0..keys.len()).filter(|&key| live.contains(&keys[key])).collect();
    let live_folds: Vec<bool> = folds.iter().map(|(column, _)| live.contains(column)).collect();
    let mut after: Vec<ColumnId> = live_keys.iter().map(|&key| keys[key]).collect();
    let of_live = folds.iter().zip(&live_folds).filter(|(_, live)| **live);
    after.extend(of_live.map(|((column, _), _)| *column));
    let is_elsewhere = |expr: &&Expr| of_folds.is_some() && reads_any(expr, &of_keys[1..]);
    let exprs: Vec<Option<&Expr>> =
        folds.iter().map(|(_, fold)| fold.expr().filter(|expr| !is_elsewhere(expr))).collect();
    let mut number = 0..;
    let expr_of = exprs.iter().map(|expr| expr.and_then(|_| number.next())).collect();
    let exprs = compiler.exprs(of_folds.unwrap_or(of_keys), exprs.into_iter().flatten())?;
    let aggregate = Aggregate {
        groups: Groups::new(slots.0.len()),
        keys: slots,
        live_keys,
        plan_folds: folds.iter().map(|(_, fold)| fold.clone()).collect(),
        folds: folds.iter().map(|(_, fold)| FoldState::new(fold)).collect(),
        live_folds,
        exprs,
        expr_of,
        firsts: Collector::default(),
        row_order: None,
        shared: None,
        by_element: None,
    };
    Ok((aggregate, after))
}
