//! One graph: queries, scripts, writes, loads.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use millrace_db::ingest::load::LoadOptions;
use millrace_db::ingest::reading::{Reading, input_of_files};
use millrace_db::ragedb::{Access, Script};
use millrace_db::{Graph as Inner, GraphSize, RequestLimits};
use millrace_model::{Error, Result};

use crate::database::Open;
use crate::query::Query;
use crate::writer::Writer;

/// A graph. It keeps its database open.
#[derive(Clone)]
pub struct Graph {
    pub(crate) open: Arc<Open>,
    graph: Arc<Inner>,
}

/// The result of a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadSummary {
    /// Vertices created.
    pub vertices: u64,
    /// Edges created.
    pub edges: u64,
    /// Remarks on the load, such as values loaded in another form; a line each.
    pub notes: Vec<String>,
}

impl Graph {
    pub(crate) fn new(open: Arc<Open>, graph: Arc<Inner>) -> Graph {
        Graph { open, graph }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.graph.name()
    }

    /// A query in Gremlin; `g` is this graph.
    pub fn gremlin(&self, text: &str) -> Query<'_> {
        Query::new(self, text)
    }

    /// Runs a script of Lua with RageDB's functions, as one transaction; its last expression as JSON.
    pub fn lua(&self, text: &str) -> Result<String> {
        let script = Script {
            text: text.into(),
            access: Access::Admin,
            parameters: Vec::new(),
            limits: self.limits(),
        };
        self.graph.run_script(script).map_err(|failure| match failure.lua_text {
            Some(detail) => Error { detail, help: None, position: None, ..failure.error },
            None => failure.error,
        })
    }

    /// Writes columns as one transaction, which is durable and visible when this returns. After a conflict with
    /// another transaction `work` runs again, so it should do nothing else.
    pub fn write<T>(&self, mut work: impl FnMut(&mut Writer<'_>) -> Result<T>) -> Result<T> {
        self.graph.write(&self.limits(), |runner| work(&mut Writer::new(runner)))
    }

    /// Loads a file as one transaction: N-Quads, CSV, GraphSON, GraphML, by the end of its name; `.gz` too. The
    /// first bad row ends it, and nothing is loaded.
    pub fn load(&self, file: impl AsRef<Path>) -> Result<LoadSummary> {
        let input = input_of_files(&[file.as_ref()], &Reading::default())?;
        let go_on = &mut |_: &_| ControlFlow::Continue(());
        let summary = self.graph.load(input, LoadOptions::default(), go_on)?;
        Ok(LoadSummary { vertices: summary.vertices, edges: summary.edges, notes: summary.notes })
    }

    /// How much it holds.
    pub fn size(&self) -> Result<GraphSize> {
        self.open.0.graph_size(self.name())
    }

    pub(crate) fn limits(&self) -> RequestLimits {
        self.open.0.request_limits()
    }
}
