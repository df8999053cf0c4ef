//! Cypher as a language of the database, behind the traits of [`millrace_plan::language`].
//!
//! ```text
//!   text ──parse──> CypherScript ──bind──> names resolved by the procedures there are ──compile──> Compiled
//! ```
//!
//! What a session, a server and the database need of a text enters here. What a text means does not, nor is anything of a
//! session kept: a script is the same for every request that sends its text.

mod complete;
mod operators;
mod script;

use millrace_model::{Catalog, Error, ErrorKind, Phase, Result, TextPosition};
use millrace_plan::completion::Completion;
use millrace_plan::language::{Language, NormalizedQuery, Script};

use crate::commands::DEFAULT_GRAPH;
use script::CypherScript;

/// The language.
pub static CYPHER: Cypher = Cypher;

/// See [`CYPHER`].
pub struct Cypher;

/// The database that has no graph of its own; commands mean the same in each.
pub(crate) const COMMAND_GRAPH: &str = "system";

/// In front of a text that is profiled.
const PROFILE: &str = "PROFILE ";

impl Language for Cypher {
    fn name(&self) -> &'static str {
        "cypher"
    }

    fn default_graph_names(&self) -> &'static [&'static str] {
        &[DEFAULT_GRAPH, COMMAND_GRAPH]
    }

    fn command_graph_name(&self) -> Option<&'static str> {
        Some(COMMAND_GRAPH)
    }

    fn ignores_case_of_graphs(&self) -> bool {
        true
    }

    /// A literal may be the name of a column, so texts are read as they stand.
    fn normalize(&self, _text: &str) -> Option<NormalizedQuery> {
        None
    }

    fn parse(&self, text: &str) -> Result<Box<dyn Script>> {
        let parsed = crate::text::parse_from(text, 0).map_err(first)?;
        if parsed.statements.is_empty() {
            let error = Error::new(ErrorKind::BadQuery, "the text has no statement");
            return Err(error.in_phase(Phase::Parse));
        }
        Ok(Box::new(CypherScript::new(text, parsed)))
    }

    fn parse_normalized(&self, _: &NormalizedQuery, _: &str) -> Option<Box<dyn Script>> {
        None
    }

    fn original_position(&self, _text: &str, position: TextPosition) -> TextPosition {
        position
    }

    fn profiled(&self, text: &str) -> String {
        format!("{PROFILE}{text}")
    }

    fn unprofiled_position(&self, position: TextPosition) -> TextPosition {
        let TextPosition { line, column } = position;
        let before = if line == 1 { PROFILE.len() as u32 } else { 0 };
        TextPosition { line, column: column.saturating_sub(before).max(1) }
    }

    fn complete(&self, text: &str, offset: usize, catalog: &Catalog) -> Vec<Completion> {
        complete::complete(text, offset, catalog)
    }
}

/// The first of all that is wrong.
pub(crate) fn first(errors: Vec<Error>) -> Error {
    let bug = || Error::new(ErrorKind::Bug, "an error without an error");
    errors.into_iter().next().unwrap_or_else(bug)
}
