//! The languages of queries: one line each.
//!
//! ```text
//!   name ──of_name──> Entry ─┬─ Compiled: texts become plans ──> session, statement cache, results
//!                            └─ Interpreted: runs as it goes ──> its own runner
//! ```
//!
//! A language is a crate that implements [`Language`], or [`Interpreted`] where a text does not become one plan, and
//! a line here. Protocols, the page and the shell know languages by their names only.

use std::sync::Arc;

use millrace_model::{Catalog, Error, ErrorKind, Result};

pub use millrace_gremlin::language as gremlin;
pub use millrace_plan::completion::Completion;
pub use millrace_plan::language::{Binding, Language, Script, Statement, StatementKind};

use crate::database::Database;
use crate::graph::Graph;
use crate::query::Query;
use crate::ragedb::Lua;
use crate::request::Results;
use crate::session::{Source, check};
use crate::request::QueryText;

/// All of them, by their names.
pub static LANGUAGES: &[Entry] = &[
    Entry::Compiled(&gremlin::GROOVY),
    Entry::Compiled(&gremlin::LANG),
    Entry::Compiled(&millrace_cypher::language::CYPHER),
    Entry::Interpreted(&Lua),
];

/// A language, by how its texts run.
#[derive(Clone, Copy)]
pub enum Entry {
    /// A text becomes statements with a plan each.
    Compiled(&'static dyn Language),
    /// A text runs as it goes.
    Interpreted(&'static dyn Interpreted),
}

/// A language that runs a text step by step, without one plan for it.
pub trait Interpreted: Send + Sync {
    /// Its name in requests, metrics and logs.
    fn name(&self) -> &'static str;

    /// A text as logs and the list of requests have it.
    fn query_text(&self, text: &Arc<str>) -> QueryText;

    /// Runs a query on its graph and gives its answer to `results`; returns once what it wrote is visible.
    fn run(&self, query: &Query, graph: &Arc<Graph>, results: &mut dyn Results) -> Result<()>;

    /// What is wrong with a text, without running it.
    fn check(&self, text: &str) -> Vec<Error>;

    /// What may stand at an offset of a text, in bytes.
    fn complete(&self, text: &str, offset: usize, catalog: &Catalog) -> Vec<Completion>;
}

/// What a check says of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// What is wrong, in the order of the text.
    pub errors: Vec<Error>,
    /// What may stand at the offset.
    pub completions: Vec<Completion>,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Entry").field(&self.name()).finish()
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Entry {}

impl Entry {
    /// The language of a name; the error lists those that there are.
    pub fn of_name(name: &str) -> Result<Entry> {
        LANGUAGES.iter().copied().find(|language| language.name() == name).ok_or_else(|| {
            let known: Vec<&str> = LANGUAGES.iter().map(Entry::name).collect();
            let detail = format!("there is no language `{name}`");
            let error = Error::new(ErrorKind::BadInput, detail);
            error.with_help(format!("languages: {}", known.join(", ")))
        })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Entry::Compiled(language) => language.name(),
            Entry::Interpreted(language) => language.name(),
        }
    }

    /// A text as logs and the list of requests have it.
    pub fn query_text(&self, text: &Arc<str>) -> QueryText {
        match self {
            Entry::Compiled(language) => QueryText::of(&Source::text(*language, text)),
            Entry::Interpreted(language) => language.query_text(text),
        }
    }

    /// What is wrong with a text, and what may stand at an offset of it, in bytes, by the names of a graph. Nothing
    /// of it runs.
    pub fn check(
        &self,
        database: &Database,
        graph: &Graph,
        text: &str,
        offset: Option<usize>,
    ) -> Result<Checked> {
        let catalog = graph.store().snapshot()?.catalog();
        let (errors, completions) = match self {
            Entry::Compiled(language) => (
                check::errors(database, *language, text),
                offset.map(|offset| language.complete(text, offset, &catalog)),
            ),
            Entry::Interpreted(language) => (
                language.check(text),
                offset.map(|offset| language.complete(text, offset, &catalog)),
            ),
        };
        Ok(Checked { errors, completions: completions.unwrap_or_default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_known_by_its_name_and_an_unknown_one_lists_them() {
        for language in LANGUAGES {
            assert_eq!(Entry::of_name(language.name()), Ok(*language));
        }
        let error = Entry::of_name("sql").unwrap_err();
        assert_eq!(error.help.as_deref(), Some("languages: gremlin, gremlin-lang, cypher, lua"));
    }
}
