//! `FOREACH`: writes for each entry of a list.

use millrace_model::TextPosition;

use super::Clause;
use crate::tree::{Expr, Variable};

/// `FOREACH (variable IN list | clauses)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Foreach {
    pub(crate) at: TextPosition,
    pub(crate) variable: Variable,
    pub(crate) list: Expr,
    pub(crate) clauses: Vec<Clause>,
}
