//! Multi-valued properties in expressions: a test that any value passes, and the single value.
//!
//! Rows with several values are rare. Without any, this code only checks the type of a column.

use std::sync::Arc;

use millrace_model::property_values::{each_value, has_multi_valued};
use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::Name;

use super::evaluate::{Node, Rows};
use super::logic::Truths;
use super::operand::Operand;

/// Whether a test holds with some value of the property that is key `key` of gather `gather`.
pub(super) fn any_value(
    (gather, key): (usize, usize),
    test: &Node,
    rows: &Rows<'_>,
) -> Result<Operand> {
    let Operand::Column(property) = rows.property(gather, key)? else {
        return test.evaluate(rows);
    };
    if !has_multi_valued(&property) {
        return test.evaluate(rows);
    }
    let (mut places, mut values) = (Vec::new(), Column::default());
    for row in 0..rows.len() {
        match property.get(row) {
            Some(value @ Value::PropertyValues(_)) => each_value(&value).for_each(|value| {
                places.push(row as u32);
                values.push(value.clone());
            }),
            plain => {
                places.push(row as u32);
                values.push_entry(plain);
            }
        }
    }
    let values = Arc::new(values);
    let holds = rows.narrow_with(&places, (gather, key, values), |rows| test.evaluate(rows))?;
    let truths = Truths::of(&holds)?;
    let mut found: Vec<Option<bool>> = vec![Some(false); rows.len()];
    for (place, row) in places.iter().enumerate() {
        let known = &mut found[*row as usize];
        *known = match (*known, truths.get(place)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
    }
    Ok(Operand::truths(found.into_iter()))
}

/// The only value of each row's property.
pub(super) fn single_value(property: Operand, name: Option<&Name>, len: usize) -> Result<Operand> {
    let column = match property {
        Operand::Column(column) if has_multi_valued(&column) => column,
        Operand::Constant(value @ Value::PropertyValues(_)) => {
            Operand::Constant(value).into_column(len)
        }
        plain => return Ok(plain),
    };
    let mut only = Column::default();
    for row in 0..len {
        let entry = column.get(row).map(|value| only_value(&value, name)).transpose()?;
        only.push_entry(entry);
    }
    Ok(Operand::of(only))
}

/// The only value of a property.
pub(crate) fn only_value(property: &Value, name: Option<&Name>) -> Result<Value> {
    let mut values = each_value(property);
    match (values.next(), values.next()) {
        (Some(only), None) => Ok(only.clone()),
        _ => {
            let name = name.map_or("", |name| &**name);
            let detail = format!(
                "Multiple properties exist for the provided key, use Vertex.properties({name})"
            );
            Err(Error::new(ErrorKind::BadQuery, detail))
        }
    }
}
