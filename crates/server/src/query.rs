//! One query in one language on one graph, and all of its results as JSON text.
//!
//! `POST /query` of the listener of administration answers with it, and a program that embeds the server runs it without a
//! socket. The call blocks until what the query wrote is visible; another thread ends it early through the
//! cancel flag of its limits.

use std::sync::Arc;

use millrace_db::languages::gremlin;
use millrace_db::ragedb::Access;
use millrace_db::session::{Request, Source};
use millrace_db::settings::Settings;
use millrace_db::{Database, Graph, QueryText, RequestLimits};
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::gremlin::Datum;
use millrace_wire::gremlin::graphson::{Version, write};

use crate::listeners::gremlin::{Whole, kind_of, wait};

/// The traversal source of Gremlin; on every other place where a graph is named, the graph behind it.
pub const DEFAULT_GRAPH: &str = "g";

/// The languages of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// TinkerPop's Gremlin: gremlin-lang, or Groovy as far as Millrace reads it.
    Gremlin,
    /// Lua with RageDB's functions.
    Lua,
}

/// A query.
#[derive(Clone, Debug)]
pub struct Query {
    /// What it is written in.
    pub language: Language,
    /// The graph that it asks; in Gremlin, what `g` stands for.
    pub graph: String,
    /// Its text.
    pub text: String,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 2] = [Language::Gremlin, Language::Lua];

    /// Its name, as requests and programs write it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Gremlin => "gremlin",
            Language::Lua => "lua",
        }
    }

    /// The language of a name.
    pub fn of_name(name: &str) -> Result<Language> {
        Language::ALL.into_iter().find(|language| language.name() == name).ok_or_else(|| {
            let known = Language::ALL.map(Language::name).join(", ");
            let detail = format!("there is no language `{name}`");
            Error::new(ErrorKind::BadInput, detail).with_help(format!("languages: {known}"))
        })
    }

    /// The limits of a query that begins now, by the settings of its language.
    pub fn limits(self, settings: &Settings) -> RequestLimits {
        let deadline_ms = match self {
            Language::Gremlin => settings.gremlin.deadline_ms,
            Language::Lua => settings.scripts.admin_deadline_ms,
        };
        RequestLimits::within(deadline_ms, settings)
    }
}

impl Query {
    /// Its text, as the list of requests shows it.
    pub(crate) fn shown(&self) -> QueryText {
        match self.language {
            Language::Gremlin => QueryText::of(&Source::text(&gremlin::GROOVY, &self.text)),
            Language::Lua => QueryText::Lua(self.text.as_str().into()),
        }
    }
}

/// Names of graphs that a query may name: those of the database, and [`DEFAULT_GRAPH`].
pub fn graphs(database: &Database) -> Vec<String> {
    let mut graphs = database.graphs();
    if !graphs.iter().any(|name| name == DEFAULT_GRAPH) {
        graphs.insert(0, DEFAULT_GRAPH.to_owned());
    }
    graphs
}

/// Runs a query. The results are JSON text: of Gremlin a list, elements with their properties and numbers
/// without types; of Lua what the script gives, as RageDB writes it.
pub fn run(database: &Database, query: &Query, limits: RequestLimits) -> Result<String> {
    match query.language {
        Language::Gremlin => run_gremlin(database, query, limits),
        Language::Lua => run_lua(database, query, limits),
    }
}

fn run_gremlin(database: &Database, query: &Query, limits: RequestLimits) -> Result<String> {
    let default = &database.settings().gremlin.graph;
    let mut request = Request::text(&gremlin::GROOVY, &query.text, default, limits);
    request.graphs.aliases.push((DEFAULT_GRAPH.to_owned(), query.graph.clone()));
    let bytes_max = request.limits.answer_bytes_max;
    let mut results = Whole::new(gremlin::random_uuid(), bytes_max, database.memory());
    let done =
        database.run(&request, &mut results).and_then(|ticket| wait(ticket, &request.limits.trace));
    request.limits.trace.end(kind_of(&done));
    done?;
    let (response, _held) = results.finish();
    let data = response.data;
    if data == Datum::NULL { Ok("[]".to_owned()) } else { write(&data, Version::Untyped) }
}

fn run_lua(database: &Database, query: &Query, limits: RequestLimits) -> Result<String> {
    let script = millrace_db::ragedb::Script {
        text: query.text.as_str().into(),
        access: Access::Admin,
        limits,
    };
    let answer = graph(database, &query.graph)?.run_script(script);
    answer.map_err(|failure| match failure.lua_text {
        Some(detail) => Error { detail, help: None, position: None, ..failure.error },
        None => failure.error,
    })
}

/// The graph of a name; `g` is the default graph of Gremlin in every language, whatever other graphs are called.
fn graph(database: &Database, name: &str) -> Result<Arc<Graph>> {
    if name == DEFAULT_GRAPH {
        return database.ensure_graph(&database.settings().gremlin.graph);
    }
    database.find_graph(name)?.ok_or_else(|| {
        let detail = format!("there is no graph `{name}`");
        let help = format!("graphs: {}", graphs(database).join(", "));
        Error::new(ErrorKind::NotFound, detail).with_help(help)
    })
}
