//! `LOAD CSV`.

use std::sync::Arc;

use millrace_model::TextPosition;

use crate::tree::{Expr, Variable};

/// `LOAD CSV [WITH HEADERS] FROM url AS variable [FIELDTERMINATOR ';']`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoadCsv {
    pub(crate) at: TextPosition,
    pub(crate) headers: bool,
    pub(crate) url: Expr,
    pub(crate) variable: Variable,
    pub(crate) separator: Option<Arc<str>>,
}
