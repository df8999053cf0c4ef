//! Folds over the rows of a scope.

use std::collections::BTreeSet;

use millrace_model::{Result, Value};
use millrace_plan::{Expr, Fold, Missing};

use super::cell::{Cell, Row};
use super::{Oracle, sum};

impl Oracle<'_> {
    /// The result of a fold; `None`: there is no row.
    pub(super) fn fold(&self, fold: &Fold, rows: &[Row]) -> Result<Option<Cell>> {
        let cells = |expr: &Expr| -> Result<Vec<Cell>> {
            rows.iter().map(|row| self.evaluate(expr, row)).collect()
        };
        let present = |expr: &Expr| -> Result<Vec<Value>> {
            Ok(cells(expr)?.iter().filter_map(Cell::present).cloned().collect())
        };
        Ok(Some(Cell::Value(match fold {
            Fold::Count => Value::I64(rows.len() as i64),
            Fold::Exists => Value::Bool(!rows.is_empty()),
            Fold::CountDistinct(expr) => {
                let distinct: BTreeSet<Value> = present(expr)?.into_iter().collect();
                Value::I64(distinct.len() as i64)
            }
            Fold::Sum(expr) => sum::sum(&present(expr)?)?,
            Fold::SumTimes(expr) => {
                let mut values = Vec::new();
                for list in present(expr)? {
                    if let Value::List(list) = list
                        && let [times, value] = &list[..]
                    {
                        let times = times.as_int().unwrap_or_default() as usize;
                        let there = Some(value).filter(|value| !value.is_null());
                        values.extend(there.into_iter().cycle().take(times).cloned());
                    }
                }
                sum::sum(&values)?
            }
            Fold::Mean(expr) => sum::mean(&present(expr)?)?,
            Fold::Min(expr) => present(expr)?.into_iter().min().unwrap_or_default(),
            Fold::Max(expr) => present(expr)?.into_iter().max().unwrap_or_default(),
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
}
