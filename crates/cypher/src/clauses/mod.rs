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
mod refused;
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

use millrace_model::{Result, TextPosition};
use millrace_plan::ColumnId;

use crate::text::{Parser, Read, Token};
use crate::translate::Translator;
use crate::tree::Projection;

/// How a clause is read.
pub(crate) struct ClauseReader {
    /// The word that it begins with.
    pub(crate) keyword: &'static str,
    /// Reads it, that word included.
    pub(crate) read: fn(&mut Parser<'_>) -> Read<Clause>,
}

/// The words that clauses begin with, in order.
pub(crate) const CLAUSES: &[ClauseReader] = &[
    ClauseReader { keyword: "CALL", read: call::read },
    ClauseReader { keyword: "CREATE", read: create::read },
    ClauseReader { keyword: "DELETE", read: delete::read },
    ClauseReader { keyword: "DETACH", read: delete::read },
    ClauseReader { keyword: "FILTER", read: refused::read_filter },
    ClauseReader { keyword: "FINISH", read: finish::read },
    ClauseReader { keyword: "FOREACH", read: foreach::read },
    ClauseReader { keyword: "INSERT", read: create::read },
    ClauseReader { keyword: "LET", read: refused::read_let },
    ClauseReader { keyword: "LOAD", read: load_csv::read },
    ClauseReader { keyword: "MATCH", read: match_::read },
    ClauseReader { keyword: "MERGE", read: merge::read },
    ClauseReader { keyword: "NODETACH", read: delete::read },
    ClauseReader { keyword: "OPTIONAL", read: match_::read },
    ClauseReader { keyword: "REMOVE", read: remove::read },
    ClauseReader { keyword: "RETURN", read: return_::read },
    ClauseReader { keyword: "SET", read: set::read },
    ClauseReader { keyword: "START", read: refused::read_start },
    ClauseReader { keyword: "UNWIND", read: unwind::read },
    ClauseReader { keyword: "USING", read: load_csv::read_periodic },
    ClauseReader { keyword: "WITH", read: with::read },
];

/// The reader of the clause that begins with a token.
pub(crate) fn clause_reader(token: &Token<'_>) -> Option<&'static ClauseReader> {
    let Token::Word(word) = token else { return None };
    CLAUSES.iter().find(|reader| reader.keyword.eq_ignore_ascii_case(word))
}

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
    /// Adds its operators; the columns of its result, if it gives one.
    pub(crate) fn translate(&self, translator: &mut Translator<'_>) -> Result<Vec<ColumnId>> {
        match self {
            Clause::Match(clause) => clause.translate(translator)?,
            Clause::Unwind(clause) => clause.translate(translator)?,
            Clause::With(projection) => {
                translator.projection(projection)?;
            }
            Clause::Return(projection) => return translator.projection(projection),
            Clause::Create(clause) => clause.translate(translator)?,
            Clause::Merge(clause) => clause.translate(translator)?,
            Clause::Set(clause) => clause.translate(translator)?,
            Clause::Remove(clause) => clause.translate(translator)?,
            Clause::Delete(clause) => clause.translate(translator)?,
            Clause::Foreach(clause) => clause.translate(translator)?,
            Clause::Call(clause) => return clause.translate(translator),
            Clause::CallSubquery(clause) => clause.translate(translator)?,
            Clause::LoadCsv(clause) => clause.translate(translator)?,
            Clause::Finish(_) => {}
        }
        Ok(Vec::new())
    }

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
