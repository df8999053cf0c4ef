//! Where the rows of a `Rows` come from.

use millrace_model::Value;

use crate::plan::ParameterId;

/// Where `Rows` come from.
#[derive(Clone, Debug, PartialEq)]
pub enum RowsSource {
    /// Literal rows, each with a value for every column.
    Literal(Vec<Vec<Value>>),
    /// A parameter's batch.
    Parameter(ParameterId),
}
