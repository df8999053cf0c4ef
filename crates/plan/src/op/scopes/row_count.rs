//! How many rows an operator keeps or passes over: a number of the plan, or one of the run. No rows are counted here.

use millrace_model::{Error, ErrorKind, Result, Value};

use crate::base::ColumnSet;
use crate::expr::Expr;
use crate::op::plan_errors::bad_plan;
use crate::printer::Printer;

/// A number of rows, by weight.
#[derive(Clone, Debug, PartialEq)]
pub enum RowCount {
    /// As the plan has it.
    Number(u64),
    /// The sum of expressions that read no column. They are evaluated when the operator begins, and each must give
    /// an integer not below 0.
    Sum(Vec<Expr>),
}

impl RowCount {
    /// The value of an expression that reads no column.
    pub fn of(expr: Expr) -> RowCount {
        RowCount::Sum(vec![expr])
    }

    /// Its expressions.
    pub fn exprs(&self) -> &[Expr] {
        match self {
            RowCount::Number(_) => &[],
            RowCount::Sum(parts) => parts,
        }
    }

    /// The sum of the values of its expressions; what does not fit is as many rows as can be.
    pub fn sum(values: impl IntoIterator<Item = Value>) -> Result<u64> {
        values.into_iter().try_fold(0u64, |sum, value| {
            let count = value
                .as_int()
                .ok_or_else(|| wrong(value.type_name()).with_name("InvalidArgumentType"))?;
            let is_negative = || wrong(&count.to_string()).with_name("NegativeIntegerArgument");
            let count = u64::try_from(count).map_err(|_| is_negative())?;
            Ok(sum.saturating_add(count))
        })
    }

    pub(in crate::op) fn check(&self) -> Result<()> {
        let mut columns = ColumnSet::new();
        self.exprs().iter().for_each(|expr| expr.read_columns(&mut columns));
        if columns.is_empty() {
            return Ok(());
        }
        Err(bad_plan("a number of rows that is read from a row"))
    }

    pub(in crate::op) fn print(&self, printer: &Printer<'_>) -> String {
        match self {
            RowCount::Number(number) => number.to_string(),
            RowCount::Sum(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| printer.expr(part)).collect();
                let sum = parts.join(" + ");
                if parts.len() == 1 { sum } else { format!("({sum})") }
            }
        }
    }
}

impl From<u64> for RowCount {
    fn from(number: u64) -> RowCount {
        RowCount::Number(number)
    }
}

fn wrong(found: &str) -> Error {
    let detail = format!("a number of rows must be an integer not below 0, and is {found}");
    Error::new(ErrorKind::BadQuery, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_rows_is_a_sum_of_integers_not_below_0() {
        let sum = |values: &[Value]| RowCount::sum(values.iter().cloned());
        assert_eq!(sum(&[Value::I64(3), Value::I8(4)]), Ok(7));
        assert_eq!(sum(&[Value::I64(i64::MAX), Value::I64(i64::MAX), Value::I64(9)]), Ok(u64::MAX));
        for bad in [Value::I64(-1), Value::F64(1.0), "1".into(), Value::Null] {
            let refused = sum(&[Value::I64(3), bad]).expect_err("no number of rows");
            assert_eq!(refused.kind, ErrorKind::BadQuery);
        }
    }
}
