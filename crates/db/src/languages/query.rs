//! A query in any language on one graph: the front door of protocols that know languages by name.
//!
//! What a language needs of its own is behind [`Entry`]; a graph, parameters, access and limits mean the same in all
//! of them.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::language::{Binding, Language};

use super::entry::{Entry, Query};
use crate::database::Database;
use crate::graph::Graph;
use crate::request::{GraphNames, Request, Results, Source, Statements};
use crate::session::{ExplicitTransaction, Started};
use crate::settings::{CYPHER_DATABASE, DEFAULT_GRAPH};

impl Database {
    /// Names of graphs that a query may name: those that stand for the default graphs, then all graphs.
    pub fn query_graphs(&self) -> Vec<String> {
        let mut graphs = self.graphs();
        let aliases = [DEFAULT_GRAPH, CYPHER_DATABASE];
        let aliases = aliases.into_iter().filter(|name| self.settings().alias_of(name).is_some());
        graphs.splice(0..0, aliases.map(str::to_owned));
        graphs
    }

    /// The graph that a query names; `NotFound`, with those that there are, if there is none. The default graph is
    /// made by the first query that may write.
    pub fn query_graph(&self, name: &str, is_read_only: bool) -> Result<Arc<Graph>> {
        match self.settings().alias_of(name) {
            Some(graph) if is_read_only => return self.graph_to_read(graph),
            Some(graph) => return self.ensure_graph(graph),
            None => {}
        }
        self.find_graph(name)?.ok_or_else(|| {
            let detail = format!("there is no graph `{name}`");
            let known = format!("graphs: {}", self.query_graphs().join(", "));
            let how_to_make = format!("PUT /graphs/{name} creates it");
            let help = self.help_of_missing(name, &known, &how_to_make);
            Error::new(ErrorKind::NotFound, detail).with_help(help)
        })
    }

    /// Begins a query. Where it only reads, its rows may be left to be pulled; an interpreted one has ended.
    pub fn query(&self, query: &Query, results: &mut dyn Results) -> Result<Started> {
        let graph = self.query_graph(&query.graph, query.is_read_only)?;
        let started = match query.language {
            Entry::Compiled(language) => self.start(&query.request(language, &graph), results),
            Entry::Interpreted(language) => {
                language.run(query, &graph, results).map(|()| Started::Done(None))
            }
        };
        started.map_err(|error| query.explained(error))
    }

    /// Runs a query in an open transaction, and passes all of its results to their receiver. After an error everything
    /// is rolled back.
    pub fn query_in(
        &self,
        transaction: &mut ExplicitTransaction,
        query: &Query,
        results: &mut dyn Results,
    ) -> Result<()> {
        let graph = self.query_graph(&query.graph, query.is_read_only)?;
        let Entry::Compiled(language) = query.language else {
            let name = query.language.name();
            let detail =
                format!("a script in {name} is its own transaction, and cannot join another");
            let error = Error::new(ErrorKind::Unsupported, detail);
            return Err(error.with_help("commit first, or write it as one script"));
        };
        let ran = transaction.run_whole(self, &query.request(language, &graph), results);
        ran.map_err(|error| query.explained(error))
    }
}

impl Query {
    fn request(&self, language: &'static dyn Language, graph: &Graph) -> Request {
        let text = match self.is_profiled {
            true => language.profiled(&self.text).into(),
            false => Arc::clone(&self.text),
        };
        let bind =
            |(name, value): &(Arc<str>, Value)| (Arc::clone(name), Binding::Value(value.clone()));
        let names = language.default_graph_names();
        Request {
            source: Source { language, statements: Statements::Text(text) },
            bindings: self.parameters.iter().map(bind).collect(),
            graphs: names_of(graph, names, &self.graph),
            detail: Default::default(),
            is_read_only: self.is_read_only,
            limits: self.limits.clone(),
        }
    }

    /// An error with its position in the text as it was sent, and what to do.
    fn explained(&self, error: Error) -> Error {
        let error = match self.language {
            Entry::Compiled(language) if self.is_profiled => Error {
                position: error.position.map(|position| language.unprofiled_position(position)),
                ..error
            },
            Entry::Compiled(_) | Entry::Interpreted(_) => error,
        };
        match error.kind {
            ErrorKind::Forbidden if self.is_read_only => {
                error.with_help("ask with `access`: `write`")
            }
            _ => error,
        }
    }
}

/// The names of a language's default graph stand for the graph of the query.
fn names_of(graph: &Graph, names: &[&str], asked: &str) -> GraphNames {
    let alias = |name: &&str| ((*name).to_owned(), asked.to_owned());
    let aliases = match asked {
        DEFAULT_GRAPH => Vec::new(),
        _ => names.first().map(alias).into_iter().collect(),
    };
    GraphNames { default: graph.name().into(), aliases }
}
