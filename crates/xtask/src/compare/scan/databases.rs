//! The databases with the same files in them, each asked by a Python program of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::process;

use super::super::fetch::{self, Setup};
use super::super::peers::serve_imported_neo4j;
use super::super::server::{Server, free_port};
use super::super::worker::Worker;
use super::queries::Query;

const SCRIPT: &str = "crates/xtask/src/compare/scan/worker.py";

/// A graph in files, and how databases take it.
pub(super) struct Graph {
    /// The kind of `millrace generate`, and the graph's name.
    pub(super) name: &'static str,
    /// Names of its files that have nodes, and of those that have relationships.
    pub(super) nodes: &'static [&'static str],
    pub(super) relationships: &'static [&'static str],
    /// Indexes of servers.
    pub(super) indexes: &'static [&'static str],
    /// The tables of Kuzu, each with its file.
    pub(super) tables: &'static [(&'static str, &'static str)],
}

/// A database that is asked in Cypher.
pub(super) trait Asked {
    /// The rows.
    fn rows(&mut self, query: &Query) -> Result<Vec<Value>, String>;

    /// The milliseconds until all rows have come.
    fn time(&mut self, query: &Query) -> Result<f64, String>;
}

/// A database that is there.
pub(super) struct Database {
    worker: Worker,
    is_kuzu: bool,
    _server: Option<Server>,
}

impl Database {
    /// Neo4j, fetched if need be.
    pub(super) fn neo4j(
        setup: &Setup<'_>,
        graph: &Graph,
        files: &Path,
    ) -> Result<Database, String> {
        let paths = |names: &[&str]| names.iter().map(|name| files.join(name)).collect();
        let (nodes, relationships): (Vec<PathBuf>, Vec<PathBuf>) =
            (paths(graph.nodes), paths(graph.relationships));
        let (server, port) = serve_imported_neo4j(setup, &nodes, &relationships)?;
        Database::served("Neo4j", setup, server, port, ("neo4j", graph))
    }

    /// Millrace, over a new folder.
    pub(super) fn millrace(
        setup: &Setup<'_>,
        graph: &Graph,
        files: &Path,
    ) -> Result<Database, String> {
        let folder = setup.data(&format!("millrace-scan-{}", graph.name))?;
        let data = folder.join("data");
        let names = graph.nodes.iter().chain(graph.relationships);
        let mut load = Command::new(setup.program);
        load.args(["load", "--graph", graph.name, "--data"]).arg(&data);
        load.args(names.map(|name| files.join(name)));
        process::output(load)?;
        let port = free_port()?;
        let mut serve = Command::new(setup.program);
        serve.arg("serve").arg("--data").arg(&data);
        serve.args(["--listen", &format!("bolt=127.0.0.1:{port}"), "--listen", "admin=off"]);
        let server = Server::start(serve, &folder.join("log"))?;
        Database::served("Millrace", setup, server, port, (graph.name, graph))
    }

    /// A server, once it answers and has its indexes.
    fn served(
        name: &'static str,
        setup: &Setup<'_>,
        mut server: Server,
        port: u16,
        (database, graph): (&str, &Graph),
    ) -> Result<Database, String> {
        let python = fetch::python(setup, "bolt", &["neo4j==6.4.1"])?;
        let mut worker = Worker::start(name, &python, &setup.workspace.root().join(SCRIPT))?;
        let url = format!("bolt://127.0.0.1:{port}");
        let open = json!({ "do": "open", "kind": "bolt", "url": url, "database": database });
        server.wait_until(|| worker.ask(&open))?;
        for index in graph.indexes.iter().chain(&["CALL db.awaitIndexes(300)"]) {
            worker.ask(&json!({ "do": "rows", "query": index }))?;
        }
        Ok(Database { worker, is_kuzu: false, _server: Some(server) })
    }

    /// Kuzu, in its program.
    pub(super) fn kuzu(setup: &Setup<'_>, graph: &Graph, files: &Path) -> Result<Database, String> {
        let python = fetch::python(setup, "kuzu", &["kuzu==0.11.3"])?;
        let mut worker = Worker::start("Kuzu", &python, &setup.workspace.root().join(SCRIPT))?;
        let folder = setup.data(&format!("kuzu-scan-{}", graph.name))?.join("scan.kuzu");
        let (mut tables, mut copies) = (Vec::new(), Vec::new());
        for (table, file) in graph.tables {
            let name = table.split([' ', '(']).nth(2).unwrap_or_default();
            tables.push(format!("CREATE {table}"));
            let file = files.join(file);
            copies.push(format!("COPY {name} FROM '{}' (HEADER=true)", file.display()));
        }
        tables.append(&mut copies);
        worker.ask(
            &json!({ "do": "open", "kind": "kuzu", "folder": folder, "statements": tables }),
        )?;
        Ok(Database { worker, is_kuzu: true, _server: None })
    }

    fn text(&self, query: &Query) -> &'static str {
        query.kuzu.filter(|_| self.is_kuzu).unwrap_or(query.text)
    }
}

impl Asked for Database {
    fn rows(&mut self, query: &Query) -> Result<Vec<Value>, String> {
        let text = self.text(query);
        let mut answer = self.worker.ask(&json!({ "do": "rows", "query": text }))?;
        match answer["rows"].take() {
            Value::Array(rows) => Ok(rows),
            other => Err(format!("rows were expected, not {other}")),
        }
    }

    fn time(&mut self, query: &Query) -> Result<f64, String> {
        let text = self.text(query);
        let answer = self.worker.ask(&json!({ "do": "time", "query": text }))?;
        answer["ms"].as_f64().ok_or_else(|| format!("a time was expected, not {answer}"))
    }
}
