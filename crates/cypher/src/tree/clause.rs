//! Clauses: what a text says in each.

use std::sync::Arc;

use millrace_model::TextPosition;

use super::{Expr, LabelExpr, Name, PathPattern, Projection, Query, Variable};

/// A clause.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Clause {
    Match(Match),
    Unwind(Unwind),
    With(Projection),
    Return(Projection),
    Create(Create),
    Merge(Merge),
    Set(Set),
    Remove(Remove),
    Delete(Delete),
    Foreach(Foreach),
    Call(Call),
    CallSubquery(CallSubquery),
    LoadCsv(LoadCsv),
    Finish(TextPosition),
}

impl Clause {
    /// Where it begins.
    pub(crate) fn at(&self) -> TextPosition {
        match self {
            Clause::Match(own) => own.at,
            Clause::Unwind(own) => own.at,
            Clause::With(own) | Clause::Return(own) => own.at,
            Clause::Create(own) => own.at,
            Clause::Merge(own) => own.at,
            Clause::Set(own) => own.at,
            Clause::Remove(own) => own.at,
            Clause::Delete(own) => own.at,
            Clause::Foreach(own) => own.at,
            Clause::Call(own) => own.at,
            Clause::CallSubquery(own) => own.at,
            Clause::LoadCsv(own) => own.at,
            Clause::Finish(at) => *at,
        }
    }

    /// Its keyword, as messages name it.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Clause::Match(own) if own.optional => "OPTIONAL MATCH",
            Clause::Match(_) => "MATCH",
            Clause::Unwind(_) => "UNWIND",
            Clause::With(_) => "WITH",
            Clause::Return(_) => "RETURN",
            Clause::Create(_) => "CREATE",
            Clause::Merge(_) => "MERGE",
            Clause::Set(_) => "SET",
            Clause::Remove(_) => "REMOVE",
            Clause::Delete(_) => "DELETE",
            Clause::Foreach(_) => "FOREACH",
            Clause::Call(_) | Clause::CallSubquery(_) => "CALL",
            Clause::LoadCsv(_) => "LOAD CSV",
            Clause::Finish(_) => "FINISH",
        }
    }

    /// Whether it writes to the graph by itself.
    pub(crate) fn is_update(&self) -> bool {
        match self {
            Clause::Create(_)
            | Clause::Merge(_)
            | Clause::Set(_)
            | Clause::Remove(_)
            | Clause::Delete(_)
            | Clause::Foreach(_) => true,
            Clause::Match(_)
            | Clause::Unwind(_)
            | Clause::With(_)
            | Clause::Return(_)
            | Clause::Call(_)
            | Clause::CallSubquery(_)
            | Clause::LoadCsv(_)
            | Clause::Finish(_) => false,
        }
    }
}

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

/// `CREATE patterns`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Create {
    pub(crate) at: TextPosition,
    pub(crate) patterns: Vec<PathPattern>,
    /// Nodes that are read before they are made, once names are resolved: they are null there.
    pub(crate) later: Vec<Variable>,
}

/// `[DETACH] DELETE expressions`; `NODETACH` is the default.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Delete {
    pub(crate) at: TextPosition,
    pub(crate) detach: bool,
    pub(crate) exprs: Vec<Expr>,
}

/// `FOREACH (variable IN list | clauses)`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Foreach {
    pub(crate) at: TextPosition,
    pub(crate) variable: Variable,
    pub(crate) list: Expr,
    pub(crate) clauses: Vec<Clause>,
}

/// `LOAD CSV [WITH HEADERS] FROM url AS variable [FIELDTERMINATOR ';']`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoadCsv {
    pub(crate) at: TextPosition,
    pub(crate) headers: bool,
    pub(crate) url: Expr,
    pub(crate) variable: Variable,
    pub(crate) separator: Option<Arc<str>>,
}

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

impl Match {
    /// A pattern alone.
    pub(crate) fn of_pattern(at: TextPosition, pattern: PathPattern) -> Match {
        Match { at, optional: false, repeatable: false, patterns: vec![pattern], test: None }
    }
}

/// `MERGE pattern [ON CREATE SET …] [ON MATCH SET …]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Merge {
    pub(crate) at: TextPosition,
    pub(crate) pattern: PathPattern,
    pub(crate) on_create: Vec<SetItem>,
    pub(crate) on_match: Vec<SetItem>,
}

/// `REMOVE items`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Remove {
    pub(crate) at: TextPosition,
    pub(crate) items: Vec<RemoveItem>,
}

/// An item of `REMOVE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RemoveItem {
    /// `element.key`.
    Property(Expr, Name),
    /// `element[key]`.
    DynamicProperty(Expr, Expr),
    /// `variable:A:B`.
    Labels(Variable, LabelExpr),
}

/// `SET items`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Set {
    pub(crate) at: TextPosition,
    pub(crate) items: Vec<SetItem>,
}

/// An item of `SET`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SetItem {
    /// `element.key = value`.
    Property(Expr, Name, Expr),
    /// `element[key] = value`.
    DynamicProperty(Expr, Expr, Expr),
    /// `variable = map`: all properties are replaced.
    Replace(Variable, Expr),
    /// `variable += map`: those of the map are set.
    Add(Variable, Expr),
    /// `variable:A:B`, `variable IS A`.
    Labels(Variable, LabelExpr),
}

/// `UNWIND list AS variable`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unwind {
    pub(crate) at: TextPosition,
    pub(crate) list: Expr,
    pub(crate) variable: Variable,
}
