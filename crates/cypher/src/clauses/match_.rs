//! `MATCH` and `OPTIONAL MATCH`.

use millrace_model::TextPosition;

use crate::tree::{Expr, PathPattern};

/// `[OPTIONAL] MATCH patterns [WHERE test]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Match {
    pub(crate) at: TextPosition,
    pub(crate) optional: bool,
    /// `MATCH REPEATABLE ELEMENTS`: relationships may occur twice.
    pub(crate) repeatable: bool,
    pub(crate) patterns: Vec<PathPattern>,
    pub(crate) test: Option<Expr>,
}
