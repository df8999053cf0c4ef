//! `CALL { … }` and `CALL (x) { … }`.

use millrace_model::TextPosition;

use crate::tree::{Expr, Query, Variable};

/// `[OPTIONAL] CALL (imports) { query } [IN TRANSACTIONS …]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallSubquery {
    pub(crate) at: TextPosition,
    pub(crate) optional: bool,
    /// Variables of the scope clause; `None`: without one, the query imports by a leading `WITH`.
    pub(crate) imports: Option<Imports>,
    pub(crate) query: Query,
    pub(crate) in_transactions: Option<InTransactions>,
}

/// What a scope clause imports.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Imports {
    /// `(*)`.
    All,
    /// `(a, b)`, and `()`.
    Listed(Vec<Variable>),
}

/// `IN TRANSACTIONS`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InTransactions {
    pub(crate) at: TextPosition,
    /// `IN n CONCURRENT TRANSACTIONS`; the number may be left out.
    pub(crate) concurrent: Option<Option<Expr>>,
    /// `OF n ROWS`.
    pub(crate) rows: Option<Expr>,
    /// `ON ERROR …`.
    pub(crate) on_error: OnError,
    /// `REPORT STATUS AS variable`.
    pub(crate) status: Option<Variable>,
}

/// What an error of a transaction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError {
    Fail,
    Break,
    Continue,
}
