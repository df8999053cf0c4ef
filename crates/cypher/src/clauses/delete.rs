//! `DELETE` and `DETACH DELETE`.

use millrace_model::TextPosition;

use crate::tree::Expr;

/// `[DETACH] DELETE expressions`; `NODETACH` is the default.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Delete {
    pub(crate) at: TextPosition,
    pub(crate) detach: bool,
    pub(crate) exprs: Vec<Expr>,
}
