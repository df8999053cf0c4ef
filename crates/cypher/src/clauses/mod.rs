//! Clauses as operators, a file each, and queries, which are clauses in a row.
//!
//! The syntax of a clause is in `tree` and `text`, its names and types are in `scope`. Here each adds its operators to
//! the open pipeline. Commands do not enter, nor anything that knows a session or a script.

mod call;
mod call_subquery;
mod create;
mod delete;
mod foreach;
mod load_csv;
mod match_;
mod merge;
mod projection;
mod query;
mod remove;
mod set;
mod unwind;

pub(crate) use query::{InExpressions, translate};

use millrace_model::Result;
use millrace_plan::ColumnId;

use crate::translate::Translator;
use crate::tree::Clause;

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
}
