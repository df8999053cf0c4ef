//! Membership: in a collection of the plan by identity, in a list by the language's `=`.

use millrace_model::compare::{self, CompareMode};
use millrace_model::{Column, ColumnValues, Error, ErrorKind, Result, Value};
use millrace_plan::SetName;

use super::evaluate::Rows;
use super::operand::Operand;

/// Whether entries are in a `Let` or side effect; an absent entry is in none.
pub(super) fn in_set(item: Operand, set: &SetName, rows: &Rows<'_>) -> Operand {
    let column = item.into_column(rows.len());
    let bits = match set {
        SetName::Let(id) => rows.run.bound_set(*id).contains(&column),
        SetName::SideEffect(name) => rows.run.in_side_effect(name, &column),
    };
    Operand::of(Column::of(ColumnValues::Bool(bits)))
}

/// Whether entries equal one of a list: true if one does, else unknown if one comparison is.
pub(super) fn in_list(item: &Operand, list: &Operand, rows: &Rows<'_>) -> Result<Operand> {
    let mut truths = Vec::with_capacity(rows.len());
    for row in 0..rows.len() {
        let item = match (item.get(row), rows.run.compare) {
            // Where null is unknown, an absent entry is in no empty list either.
            (None, CompareMode::NullIsUnknown) => Some(Value::Null),
            (item, _) => item,
        };
        truths.push(match (item, list.value(row)) {
            (_, Value::Null) | (None, _) => None,
            (Some(item), Value::List(values) | Value::Set(values)) => {
                any_equal(&item, &values, rows)
            }
            (Some(_), other) => {
                let kind = other.type_name();
                let detail = format!("membership is asked of a {kind}, not of a list");
                return Err(Error::new(ErrorKind::BadQuery, detail));
            }
        });
    }
    Ok(Operand::truths(truths.into_iter()))
}

fn any_equal(item: &Value, values: &[Value], rows: &Rows<'_>) -> Option<bool> {
    let mut found = Some(false);
    for value in values {
        match compare::equal(item, value, rows.run.compare) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => found = None,
        }
    }
    found
}
