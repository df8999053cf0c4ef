//! `CALL` of a procedure.

use millrace_model::TextPosition;

use crate::tree::{Expr, Name, Variable};

/// `[OPTIONAL] CALL name(arguments) YIELD items WHERE test`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) at: TextPosition,
    pub(crate) optional: bool,
    /// The name with its namespace.
    pub(crate) name: Name,
    /// The arguments; `None`: a standalone call without parentheses takes them from parameters.
    pub(crate) arguments: Option<Vec<Expr>>,
    pub(crate) yields: Option<Yield>,
}

/// What a call yields.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Yield {
    /// `YIELD *`; `YIELD -` is no item.
    pub(crate) all: bool,
    pub(crate) items: Vec<YieldItem>,
    pub(crate) test: Option<Expr>,
}

/// `column AS variable`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct YieldItem {
    pub(crate) at: TextPosition,
    pub(crate) column: Name,
    pub(crate) variable: Variable,
}
