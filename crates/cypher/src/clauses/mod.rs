//! The clauses: a file each, with its syntax, its reader, its scope and its plan.

mod call;
mod call_subquery;
mod create;
mod delete;
mod finish;
mod foreach;
mod load_csv;
mod match_;
mod merge;
mod remove;
mod return_;
mod set;
mod unwind;
mod with;

pub(crate) use call::{Call, Yield, YieldItem};
pub(crate) use call_subquery::{CallSubquery, Imports, InTransactions, OnError};
pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use foreach::Foreach;
pub(crate) use load_csv::LoadCsv;
pub(crate) use match_::Match;
pub(crate) use merge::Merge;
pub(crate) use remove::{Remove, RemoveItem};
pub(crate) use set::{Set, SetItem};
pub(crate) use unwind::Unwind;

use millrace_model::TextPosition;

use crate::tree::Projection;

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
