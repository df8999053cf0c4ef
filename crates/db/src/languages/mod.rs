//! The languages of queries, and a query in any of them, by name.
//!
//! ```text
//!   name ──of_name──> Entry ─┬─ Compiled: texts become plans ──> session, statement cache, results
//!                            └─ Interpreted: runs as it goes ──> its own runner
//! ```
//!
//! A language is a crate that implements [`Language`], or [`Interpreted`] where a text does not become one plan, and
//! a line in `list.rs`. Protocols, the page and the shell know languages by their names only. What a language does
//! belongs to its crate, and how a compiled one runs, to `session`.

mod check;
mod entry;
mod list;
mod lua;
mod query;

/// DQL: its requests as scripts, and its syntax.
pub mod dql {
    pub use millrace_dql::{changes, language, parse, position, quads, schema, tree};
}
pub use millrace_gremlin::language as gremlin;
pub use millrace_plan::completion::Completion;
pub use millrace_plan::language::{Binding, Language, Script, Statement, StatementKind};

pub use check::Checked;
pub use entry::{Entry, Interpreted, Query};
pub use list::LANGUAGES;
