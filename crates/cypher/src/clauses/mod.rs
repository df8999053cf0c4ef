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
