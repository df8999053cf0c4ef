//! Where a query stands, and what its clauses know of it.

use super::bindings::Bindings;
use crate::tree::{Name, Symbol};

/// Where a query stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// It is the statement.
    Statement,
    /// `CALL { … }`.
    Call,
    /// `EXISTS { … }` and `COUNT { … }`.
    Test,
    /// `COLLECT { … }`.
    Collect,
}

/// The scope in which a query begins.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) scope: Bindings,
    /// What a leading `WITH` may import.
    pub(super) importable: Option<Bindings>,
}

/// Columns of a query, in order.
pub(super) type Columns = Vec<(Name, Symbol)>;

impl Start {
    /// A query that begins in a scope.
    pub(super) fn at(scope: Bindings) -> Start {
        Start { scope, importable: None }
    }

    /// A query that begins without variables, and may import some by a leading `WITH`.
    pub(super) fn importing(outer: Bindings) -> Start {
        Start { scope: Bindings::default(), importable: Some(outer) }
    }
}

/// What the clauses of a query share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings<'c> {
    pub(super) within: Within,
    /// Whether it is the only clause of its query.
    pub(super) is_alone: bool,
    /// The columns of the first part of a union.
    pub(super) union: Option<&'c Columns>,
}
