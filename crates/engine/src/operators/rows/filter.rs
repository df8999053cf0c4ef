//! `Filter`: keeps rows for which the predicate is true; unknown is false.
//!
//! A filter right behind a `Seek` may ask again what the seek decided: a language's `=` differs from the order's
//! equality, but not for texts, integers and booleans. Where all values that were sought are such, the filter keeps
//! every row, and no property is read for it.

use millrace_model::compare::CompareMode;
use millrace_model::{Batch, ColumnValues, Result, Value};
use millrace_plan::{Comparison, Expr, Function, Name, Op, op};

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::expressions::{Exprs, Operand, count_selected, selected};
use crate::pipeline::{Deferred, Keep, Operator, Upstream};
use crate::run::Run;

pub(crate) struct Filter {
    predicate: Exprs,
    /// The values that a seek in front of it found by, where the predicate asks for nothing else.
    sought: Option<Exprs>,
    keep: Keep,
    deferred: Deferred,
}

impl Filter {
    pub(crate) fn new(predicate: Exprs, keep: Keep) -> Filter {
        Filter { predicate, sought: None, keep, deferred: Deferred::default() }
    }

    fn select(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<u32>> {
        if let Some(sought) = &self.sought
            && sought.evaluate(batch, run)?.iter().all(is_decided)
        {
            return Ok((0..batch.len as u32).collect());
        }
        selected(&self.predicate.evaluate_one(batch, run)?, batch.len)
    }
}

impl Operator for Filter {
    fn begin(&mut self, _run: &Run<'_>) {
        self.deferred.begin();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            self.deferred.raise()?;
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let mut deferred = std::mem::take(&mut self.deferred);
            // Of rows without anything only their number is known.
            let is_bare = self.keep.0.is_empty() && batch.weights.is_none();
            if is_bare && batch.ordinals.is_none() && self.sought.is_none() {
                let counted = deferred.evaluate(batch, |batch| {
                    count_selected(&self.predicate.evaluate_one(batch, run)?, batch.len)
                });
                self.deferred = deferred;
                match counted?.1 {
                    0 => continue,
                    len => return Ok(Some(Batch { len, ..Batch::default() })),
                }
            }
            let selected = deferred.evaluate(batch, |batch| self.select(batch, run));
            self.deferred = deferred;
            let (batch, rows) = selected?;
            if !rows.is_empty() {
                return Ok(Some(self.keep.take(&batch, &rows)));
            }
        }
    }
}

impl Compile for op::Filter {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let predicate = compiler.exprs(place.layout, [&self.predicate])?;
        let mut filter = Filter::new(predicate, keep);
        if compiler.plan.compare == CompareMode::NullIsUnknown
            && let Some(Op::Seek(seek)) = place.before
            && let Some(values) = sought(&self.predicate, seek)
        {
            filter.sought = Some(compiler.exprs(place.layout, values)?);
        }
        Ok((Box::new(filter), after))
    }
}

/// Whether a seek for these values decided what `=` says: texts, integers, booleans. Null is not among them, as it
/// finds nothing.
fn is_decided(values: &Operand) -> bool {
    match values {
        Operand::Constant(value) => {
            matches!(value, Value::String(_) | Value::I64(_) | Value::Bool(_))
        }
        Operand::Column(column) => match &column.values {
            ColumnValues::String(_) | ColumnValues::I64(_) | ColumnValues::Bool(_) => true,
            ColumnValues::Vertex(_)
            | ColumnValues::Edge(_)
            | ColumnValues::F64(_)
            | ColumnValues::Value(_)
            | ColumnValues::Path(_)
            | ColumnValues::Bag(_)
            | ColumnValues::Fields(_) => false,
        },
    }
}

/// The values of a predicate that says nothing but that keys have the values that a seek found them by.
fn sought<'p>(predicate: &'p Expr, seek: &op::Seek) -> Option<Vec<&'p Expr>> {
    let parts =
        if let Expr::And(parts) = predicate { parts } else { std::slice::from_ref(predicate) };
    let is_sought = |key: &Name, value: &Expr| {
        let mut pairs = seek.keys.iter().zip(&seek.values);
        pairs.any(|(own, by)| own == key && bare(by) == bare(value))
    };
    let value_of = |part: &'p Expr| {
        let Expr::Compare { comparison: Comparison::Equal, left, right } = part else {
            return None;
        };
        let Expr::Property { element, key } = bare(left) else { return None };
        let is_own = **element == Expr::Column(seek.to) && is_sought(key, right);
        is_own.then(|| bare(right))
    };
    parts.iter().map(value_of).collect()
}

/// An expression without the function by which an absent value becomes null.
fn bare(expr: &Expr) -> &Expr {
    if let Expr::Call { function: Function::OrNull, arguments } = expr {
        return &arguments[0];
    }
    expr
}
