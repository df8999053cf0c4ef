//! `UNWIND`: a row for each entry of a list.

use millrace_model::TextPosition;

use crate::tree::{Expr, Variable};

/// `UNWIND list AS variable`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unwind {
    pub(crate) at: TextPosition,
    pub(crate) list: Expr,
    pub(crate) variable: Variable,
}
