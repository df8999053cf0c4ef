//! A language, compiled or interpreted, and a query in one.

use std::sync::Arc;

use millrace_model::{Catalog, Error, Result, Value};
use millrace_plan::completion::Completion;
use millrace_plan::language::Language;

use crate::graph::Graph;
use crate::request::{QueryText, RequestLimits, Results, Source};

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

/// A query.
#[derive(Clone, Debug)]
pub struct Query {
    /// The language that it is in.
    pub language: Entry,
    /// The graph that it asks; a name of [`Database::query_graphs`](crate::Database::query_graphs).
    pub graph: String,
    /// Its text.
    pub text: Arc<str>,
    /// Values of its variables.
    pub parameters: Vec<(Arc<str>, Value)>,
    /// Whether it may not write.
    pub is_read_only: bool,
    /// Whether its profile is wanted in place of its rows.
    pub is_profiled: bool,
    /// How long and how large it may be.
    pub limits: RequestLimits,
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
}
