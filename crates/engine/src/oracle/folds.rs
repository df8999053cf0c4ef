//! Folds over the rows of a scope.

use std::collections::BTreeSet;

use millrace_model::{Result, Value, compare};
use millrace_plan::{Expr, Fold, Missing};

use super::cell::{Cell, Row};
use super::{Oracle, statistics, sum};

impl Oracle<'_> {
    /// The result of a fold; `None`: there is no row.
    pub(super) fn fold(&self, fold: &Fold, rows: &[Row]) -> Result<Option<Cell>> {
        let cells = |expr: &Expr| -> Result<Vec<Cell>> {
            rows.iter().map(|row| self.evaluate(expr, row)).collect()
        };
        let present = |expr: &Expr| -> Result<Vec<Value>> {
            Ok(cells(expr)?.iter().filter_map(Cell::present).cloned().collect())
        };
        let order = compare::total_of(self.plan.compare);
        Ok(Some(Cell::Value(match fold {
            Fold::Count => Value::I64(rows.len() as i64),
            Fold::Exists => Value::Bool(!rows.is_empty()),
            Fold::CountDistinct(expr) => {
                let distinct: BTreeSet<Value> = present(expr)?.into_iter().collect();
                Value::I64(distinct.len() as i64)
            }
            Fold::Sum(expr) => sum::sum(&present(expr)?)?,
            Fold::Mean(expr) => sum::mean(&present(expr)?)?,
            Fold::Min(expr) => present(expr)?.into_iter().min_by(order).unwrap_or_default(),
            Fold::Max(expr) => present(expr)?.into_iter().max_by(order).unwrap_or_default(),
            Fold::CountValues(expr) => Value::I64(present(expr)?.len() as i64),
            Fold::StDev(expr) => statistics::deviation(&present(expr)?, false)?,
            Fold::StDevP(expr) => statistics::deviation(&present(expr)?, true)?,
            Fold::PercentileCont(expr) => statistics::percentile(&present(expr)?, true)?,
            Fold::PercentileDisc(expr) => statistics::percentile(&present(expr)?, false)?,
            Fold::CollectValues(expr) => Value::list(present(expr)?),
            Fold::Distinct(fold) => return self.fold(fold, &self.firsts(fold, rows)?),
            Fold::Collect(expr) => {
                let there = cells(expr)?.into_iter().filter(|cell| *cell != Cell::Absent);
                Value::list(there.map(|cell| cell.value()).collect())
            }
            Fold::First(expr) => {
                return Ok(Some(cells(expr)?.into_iter().next().unwrap_or(Cell::NULL)));
            }
            Fold::IfSeen { fold, missing } => {
                let seen = match fold.expr() {
                    Some(expr) => cells(expr)?.iter().any(|cell| *cell != Cell::Absent),
                    None => !rows.is_empty(),
                };
                return match missing {
                    _ if seen => self.fold(fold, rows),
                    Missing::NoRow => Ok(None),
                    Missing::Absent => Ok(Some(Cell::Absent)),
                };
            }
        })))
    }

    /// The rows with the first entry of each kind of equivalent ones that are there.
    fn firsts(&self, fold: &Fold, rows: &[Row]) -> Result<Vec<Row>> {
        let mut seen = BTreeSet::new();
        let mut firsts = Vec::new();
        for row in rows {
            let Some(expr) = fold.expr() else { continue };
            let cell = self.evaluate(expr, row)?;
            if cell.present().is_some_and(|value| seen.insert(compare::equivalence_key(value))) {
                firsts.push(row.clone());
            }
        }
        Ok(firsts)
    }
}
