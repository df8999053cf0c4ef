//! DQL as a language of the database, behind the traits of [`millrace_plan::language`].
//!
//! ```text
//!   text ──parse──> DqlScript ──bind──> schema of the graph, values of `$` ──compile──> Compiled with its AnswerWriter
//!   Changes, Alter ────────────┘
//! ```
//!
//! What a session, a server and the database need of a request enters here. What a text means does not, nor is anything
//! of a session kept.

mod change;
mod complete;
mod normalize;
mod profiler;
mod query;
mod schema_request;
mod script;

use std::sync::Arc;

use millrace_model::{Catalog, Result, TextPosition};
use millrace_plan::completion::Completion;
use millrace_plan::language::{Language, NormalizedQuery, Script};

use crate::changes::{Alter, Changes};
use crate::form::AnswerForm;
use script::DqlScript;

/// The language; answers are JSON.
pub static DQL: Dql = Dql { name: "dql", answer: AnswerForm::Json };

/// The same; each node in an answer has its uid.
pub static DQL_WITH_UIDS: Dql = Dql { name: "dql-uids", answer: AnswerForm::JsonWithUids };

/// The same; an answer is one text, N-Quads.
pub static DQL_AS_RDF: Dql = Dql { name: "dql-rdf", answer: AnswerForm::Rdf };

/// The graph that texts mean; Dgraph's namespace 0.
pub const DEFAULT_GRAPH: &str = "dql";

/// See [`DQL`].
pub struct Dql {
    name: &'static str,
    answer: AnswerForm,
}

impl Language for Dql {
    fn name(&self) -> &'static str {
        self.name
    }

    fn default_graph_names(&self) -> &'static [&'static str] {
        &[DEFAULT_GRAPH]
    }

    fn normalize(&self, text: &str) -> Option<NormalizedQuery> {
        normalize::normalize(text)
    }

    fn parse(&self, text: &str) -> Result<Box<dyn Script>> {
        Ok(Box::new(DqlScript::of_text(text, self.answer)?))
    }

    fn parse_normalized(&self, normalized: &NormalizedQuery, _: &str) -> Option<Box<dyn Script>> {
        let script = DqlScript::of_normalized(normalized, self.answer).ok()?;
        script.is_query().then(|| Box::new(script) as Box<dyn Script>)
    }

    fn original_position(&self, text: &str, position: TextPosition) -> TextPosition {
        normalize::original(text, position)
    }

    fn profiled(&self, text: &str) -> String {
        profiler::profiled(text)
    }

    fn unprofiled_position(&self, position: TextPosition) -> TextPosition {
        profiler::unprofiled(position)
    }

    fn complete(&self, text: &str, offset: usize, catalog: &Catalog) -> Vec<Completion> {
        complete::complete(text, offset, catalog)
    }
}

/// The script of a request that changes data. It is not cached: each has its own data.
pub fn changing(changes: Changes) -> Result<Arc<dyn Script>> {
    Ok(Arc::new(DqlScript::of_changes(changes)?))
}

/// The script of a text that may have mutations: `{ set { … } }`, `upsert { … }`, a query beside mutations.
pub fn of_text(text: &str) -> Result<Arc<dyn Script>> {
    Ok(Arc::new(DqlScript::of_text(text, AnswerForm::Json)?))
}

/// The same; `note` sees what it changes, if it has mutations.
pub fn of_text_noting(text: &str, note: impl FnOnce(&Changes)) -> Result<Arc<dyn Script>> {
    let script = DqlScript::of_text(text, AnswerForm::Json)?;
    if let Some(changes) = script.changes() {
        note(changes);
    }
    Ok(Arc::new(script))
}

/// The script of a change of the schema.
pub fn altering(alter: Alter) -> Result<Arc<dyn Script>> {
    Ok(Arc::new(DqlScript::of_alter(alter)))
}
