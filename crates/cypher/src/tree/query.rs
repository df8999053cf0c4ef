//! Statements and queries.

use millrace_model::TextPosition;

use super::{Clause, Command, Expr, ExprKind, Name};

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Statement {
    /// What is wanted of it.
    pub(crate) mode: Mode,
    /// `USE graph` in front of it.
    pub(crate) graph: Option<(TextPosition, Name)>,
    pub(crate) body: Body,
}

/// What is wanted of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Run,
    Explain,
    Profile,
}

/// A query or a command.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a statement has one, and it is seldom moved")]
pub(crate) enum Body {
    Query(Query),
    Command(Command),
}

/// Queries joined by `UNION`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Query {
    pub(crate) at: TextPosition,
    pub(crate) parts: Vec<SingleQuery>,
    /// `UNION` between the parts; the flag: `ALL`. One fewer than parts.
    pub(crate) unions: Vec<(TextPosition, bool)>,
    /// For each part behind the first, once names are resolved: where the columns of the first part stand in it.
    pub(crate) orders: Vec<Vec<usize>>,
}

impl Query {
    /// A query without parts.
    pub(crate) fn new(at: TextPosition) -> Query {
        Query { at, parts: Vec::new(), unions: Vec::new(), orders: Vec::new() }
    }

    /// A query of one clause.
    pub(crate) fn of_clause(at: TextPosition, clause: Clause) -> Query {
        Query { parts: vec![SingleQuery { clauses: vec![clause] }], ..Query::new(at) }
    }
}

/// Clauses in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SingleQuery {
    pub(crate) clauses: Vec<Clause>,
}

/// The body of `WITH` and `RETURN`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Projection {
    pub(crate) at: TextPosition,
    pub(crate) distinct: bool,
    /// Whether `*` stands before the items.
    pub(crate) all: bool,
    pub(crate) items: Vec<ProjectionItem>,
    pub(crate) order: Vec<OrderItem>,
    pub(crate) skip: Option<Expr>,
    pub(crate) limit: Option<Expr>,
    /// `WHERE` of a `WITH`.
    pub(crate) test: Option<Expr>,
}

/// An item of a projection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProjectionItem {
    pub(crate) expr: Expr,
    /// `AS name`.
    pub(crate) alias: Option<super::Variable>,
    /// The expression as it is written: the name of its column without an alias.
    pub(crate) text: Name,
}

impl ProjectionItem {
    /// The name of its column.
    pub(crate) fn name(&self) -> &str {
        match (&self.alias, &self.expr.kind) {
            (Some(alias), _) => &alias.name,
            (None, ExprKind::Variable(variable)) => &variable.name,
            // A map projection has the name of its variable.
            (None, ExprKind::MapProjection(projection)) => &projection.variable.name,
            (None, _) => &self.text,
        }
    }
}

/// An item of `ORDER BY`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OrderItem {
    pub(crate) expr: Expr,
    pub(crate) descending: bool,
}
