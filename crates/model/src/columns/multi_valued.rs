//! Multi-valued properties in a column.

use super::column::{Column, ColumnValues};
use crate::values::value::Value;

/// Whether a row of a column of properties has a multi-valued property.
pub fn is_multi_valued(column: &Column, row: usize) -> bool {
    matches!(values(column).get(row), Some(Value::PropertyValues(_)))
}

/// Whether some row of a column of properties has a multi-valued property.
pub fn has_multi_valued(column: &Column) -> bool {
    values(column).iter().any(|value| matches!(value, Value::PropertyValues(_)))
}

/// The rows of a column of mixed values; none of any other column, where no property values can be.
fn values(column: &Column) -> &[Value] {
    match &column.values {
        ColumnValues::Value(values) => values,
        ColumnValues::Vertex(_)
        | ColumnValues::Edge(_)
        | ColumnValues::Bool(_)
        | ColumnValues::I64(_)
        | ColumnValues::F64(_)
        | ColumnValues::String(_)
        | ColumnValues::Path(_)
        | ColumnValues::Bag(_)
        | ColumnValues::Fields(_) => &[],
    }
}
