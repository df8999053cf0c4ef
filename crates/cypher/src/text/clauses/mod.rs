//! The readers of clauses: a file each.
//!
//! A reader takes the tokens of one clause and gives its tree. What it means belongs to `scope` and to the plan of the
//! clause, and never here.

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

use super::parser::ClauseReader;

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
