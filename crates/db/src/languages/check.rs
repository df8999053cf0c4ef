//! The errors of a text in a compiled language, found without running it.
//!
//! A parser stops at its first error; of a text that it takes, each statement is compiled by itself and has an error
//! of its own. A statement with variables is compiled only as far as its text is read: what it means depends on their
//! values. One that names elements by texts is not compiled, as that would look them up.

use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::completion::Completion;
use millrace_plan::language::{Binding, Language, Options, Scope, StatementKind};
use millrace_plan::{Runner, Signatures};

use super::entry::Entry;
use crate::database::Database;
use crate::graph::Graph;

/// What a statement sees where nothing runs.
struct NothingRuns<'a> {
    database: &'a Database,
    /// Whether it could not be bound without a transaction.
    wants_runner: bool,
}

impl Scope for NothingRuns<'_> {
    fn variable(&self, _name: &str) -> Option<Binding> {
        None
    }

    fn is_graph(&self, name: &str) -> bool {
        self.database.find_graph(name).is_ok_and(|graph| graph.is_some())
    }

    fn signatures(&self) -> Signatures {
        self.database.procedures().signatures().clone()
    }

    fn runner(&mut self, _options: &Options) -> Result<&mut dyn Runner> {
        self.wants_runner = true;
        Err(Error::new(ErrorKind::Unsupported, "a check runs nothing"))
    }
}

/// What a check says of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// What is wrong, in the order of the text.
    pub errors: Vec<Error>,
    /// What may stand at the offset.
    pub completions: Vec<Completion>,
}

impl Entry {
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
                errors(database, *language, text),
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

/// The errors of a text, in its order.
fn errors(database: &Database, language: &dyn Language, text: &str) -> Vec<Error> {
    let script = match language.parse(text) {
        Ok(script) => script,
        Err(error) => return vec![error],
    };
    let mut errors = Vec::new();
    for (number, statement) in script.statements().iter().enumerate() {
        let is_query = matches!(statement.kind, StatementKind::Query | StatementKind::Explain);
        if !is_query || !statement.variables.is_empty() {
            continue;
        }
        let mut scope = NothingRuns { database, wants_runner: false };
        let bound = script.bind(number, &mut scope);
        if scope.wants_runner {
            continue;
        }
        errors.extend(bound.and_then(|bound| bound.statement.compile()).err());
    }
    errors
}
