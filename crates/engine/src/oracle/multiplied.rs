//! Rows that come several times: once for each entry of a list or value of a property, or as often as a count says.

use millrace_model::{Result, Value};
use millrace_plan::{ColumnId, Expr};

use super::Oracle;
use super::cell::{Cell, Row};
use super::elements::wrong_type;

impl Oracle<'_> {
    pub(super) fn unwind(
        &self,
        list: &Expr,
        to: ColumnId,
        position: Option<ColumnId>,
        rows: &[Row],
    ) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for row in rows {
            let values = match self.evaluate(list, row)?.value() {
                Value::Null => continue,
                Value::List(values) | Value::Set(values) => values,
                other => return Err(wrong_type("a list's entries", &other)),
            };
            for (place, value) in values.iter().enumerate() {
                let row = row.with(to, Cell::Value(value.clone()));
                result.push(row.with_wanted(position, Cell::Value(Value::I64(place as i64))));
            }
        }
        Ok(result)
    }

    pub(super) fn unwind_values(
        &self,
        property: &Expr,
        to: ColumnId,
        ordinal: Option<ColumnId>,
        rows: &[Row],
    ) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for row in rows {
            let mut add = |value: Cell, number: u32| {
                let row = row.with(to, value);
                result.push(row.with_wanted(ordinal, Cell::Value(Value::I64(number.into()))));
            };
            match self.evaluate(property, row)? {
                Cell::Value(Value::PropertyValues(property)) => property
                    .values()
                    .iter()
                    .for_each(|own| add(Cell::Value(own.value.clone()), own.ordinal)),
                plain => add(plain, 0),
            }
        }
        Ok(result)
    }
}

/// Each row as often as its count says.
pub(super) fn weigh(by: ColumnId, rows: Vec<Row>) -> Result<Vec<Row>> {
    let mut result = Vec::new();
    for row in rows {
        let times = match row.get(by)?.value() {
            Value::Null => 0,
            count => count
                .as_int()
                .and_then(|count| usize::try_from(count).ok())
                .ok_or_else(|| wrong_type("a count", &count))?,
        };
        result.extend(std::iter::repeat_n(row, times));
    }
    Ok(result)
}
