//! A call of a procedure.

use crate::expr::Expr;
use crate::plan::{ColumnId, Name};

/// Each row, once for every row that the procedure yields for its arguments; one that yields
/// nothing by its nature keeps the row. A call is an effect: it happens even if its result is not read.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its name, as the engine's registry has it.
    pub procedure: Name,
    /// Its arguments.
    pub arguments: Vec<Expr>,
    /// Of what it yields, what becomes a new column.
    pub yields: Vec<(Name, ColumnId)>,
}
