//! Neo4j, community edition: loaded by its `neo4j-admin database import`, asked in Cypher over HTTP.
//!
//! An import fills a database that is not served, so each load goes into a home of its own; the first is served.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use crate::process;

use super::super::clients::{self, CLIENTS, Request};
use super::super::fetch::{self, Setup};
use super::super::http::Http;
use super::super::likes::{Counted, Likes, TOP, Tables};
use super::super::server::{Server, free_port};
use super::super::written::Written;
use super::{Description, HEAP, Peer};

pub(super) const PEER: Description = Description {
    name: "neo4j",
    product: "Neo4j Community 5.26.12",
    durable: "each commit",
    asked: "Cypher with parameters, HTTP",
    loaded: "`neo4j-admin database import full` into a new database; the index is made afterwards and not timed",
    fetch: |setup| jars(setup).map(|_| ()),
    open: |setup| {
        let folder = setup.data("homes")?;
        Ok(Box::new(Neo4j { java: Java::of(setup)?, folder, homes: 0, served: None }))
    },
};

/// The recommendation in Cypher, which Kuzu reads too, in the fastest of the forms that were tried: paths are
/// counted by person half-way, as Gremlin's traversers are merged, and own items are left out once they are counted.
pub(super) const RECOMMEND: &str = "MATCH (p:Person {username: $person})-[:LIKES]->(:Item)<-[:LIKES]-(other:Person) \
    WITH p, other, count(*) AS ways \
    MATCH (other)-[:LIKES]->(i:Item) \
    WITH p, i, sum(ways) AS paths \
    WHERE NOT EXISTS { MATCH (p)-[:LIKES]->(i) } \
    RETURN i.name AS item, paths ORDER BY paths DESC LIMIT 10";
const _: () = assert!(TOP == 10);

const WRITE: &str = "UNWIND $rows AS row CREATE (:person {name: row.name, age: row.age})";
const COUNT: &str = "MATCH (p:person) RETURN count(p)";
const INDEX: &str = "CREATE INDEX people IF NOT EXISTS FOR (p:Person) ON (p.username)";

/// Serves an empty database at a port, without a login, until the process is interrupted.
pub(in super::super) fn serve(setup: &Setup<'_>, port: u16) -> Result<(), String> {
    let folder = setup.data("homes")?;
    let mut neo4j = Neo4j { java: Java::of(setup)?, folder, homes: 0, served: None };
    let home = neo4j.make_home(port)?;
    let (server, _http) = neo4j.serve_home(&home)?;
    eprintln!("{} serves http://127.0.0.1:{port}, {}", PEER.product, home.display());
    server.wait()
}

/// Serves an empty database; fetches Neo4j if need be.
pub(in super::super) fn serve_empty(setup: &Setup<'_>) -> Result<(Server, Http), String> {
    let folder = setup.data("homes")?;
    let mut neo4j = Neo4j { java: Java::of(setup)?, folder, homes: 0, served: None };
    let home = neo4j.make_home(free_port()?)?;
    neo4j.serve_home(&home)
}

/// Serves a database that is made of tables; fetches Neo4j if need be. Gives the port of Bolt, too.
pub(in super::super) fn serve_imported(
    setup: &Setup<'_>,
    nodes: &[PathBuf],
    relationships: &[PathBuf],
) -> Result<(Server, u16), String> {
    let folder = setup.data("homes")?;
    let mut neo4j = Neo4j { java: Java::of(setup)?, folder, homes: 0, served: None };
    let home = neo4j.make_home(free_port()?)?;
    process::output(neo4j.import(&home, nodes, relationships))?;
    let (server, _http) = neo4j.serve_home(&home)?;
    Ok((server, port_in(&home.join("conf/neo4j.conf"), "bolt")?))
}

fn jars(setup: &Setup<'_>) -> Result<String, String> {
    fetch::require_java(setup)?;
    let server = "org.neo4j:neo4j:5.26.12";
    fetch::jars(setup, "neo4j", &[server, "org.neo4j.app:neo4j-server:5.26.12"])
}

/// Programs of Neo4j.
struct Java {
    jars: String,
    program: std::ffi::OsString,
}

impl Java {
    fn of(setup: &Setup<'_>) -> Result<Java, String> {
        let program = fetch::java(setup).get_program().to_owned();
        Ok(Java { jars: jars(setup)?, program })
    }

    /// A program over a home.
    fn command(&self, home: &Path, class: &str) -> Command {
        let mut java = Command::new(&self.program);
        java.current_dir(home).args([HEAP, "-XX:+UseG1GC", "-Dfile.encoding=UTF-8"]);
        for package in ["java.nio", "java.io", "sun.nio.ch", "java.util.concurrent"] {
            java.arg(format!("--add-opens=java.base/{package}=ALL-UNNAMED"));
        }
        java.arg("-Dio.netty.tryReflectionSetAccessible=true");
        java.args(["-cp", &self.jars, class]);
        java.env("NEO4J_HOME", home).env("NEO4J_CONF", home.join("conf"));
        java
    }
}

struct Neo4j {
    java: Java,
    folder: PathBuf,
    /// Homes that were made.
    homes: usize,
    served: Option<(Server, Arc<Http>)>,
}

impl Neo4j {
    fn home(&self, number: usize) -> PathBuf {
        self.folder.join(format!("{number}"))
    }

    fn make_home(&mut self, http: u16) -> Result<PathBuf, String> {
        self.homes += 1;
        let home = self.home(self.homes);
        super::super::make_folder(&home.join("conf"))?;
        let settings = home.join("conf/neo4j.conf");
        let text = settings_of(http, free_port()?);
        fs::write(&settings, text).map_err(|error| format!("{}: {error}", settings.display()))?;
        Ok(home)
    }

    /// An import of tables into a home.
    fn import(&self, home: &Path, nodes: &[PathBuf], relationships: &[PathBuf]) -> Command {
        let mut import = self.java.command(home, "org.neo4j.cli.AdminTool");
        import.args(["database", "import", "full", "neo4j"]);
        import.args(nodes.iter().map(|file| format!("--nodes={}", file.display())));
        let of_edges = |file: &PathBuf| format!("--relationships={}", file.display());
        import.args(relationships.iter().map(of_edges));
        import
    }

    /// Serves a home, and waits until it answers.
    fn serve_home(&self, home: &Path) -> Result<(Server, Http), String> {
        let port = port_in(&home.join("conf/neo4j.conf"), "http")?;
        let mut neo4j = self.java.command(home, "org.neo4j.server.CommunityEntryPoint");
        neo4j.arg(format!("--home-dir={}", home.display()));
        neo4j.arg(format!("--config-dir={}", home.join("conf").display()));
        let mut server = Server::start(neo4j, &self.folder.join("log"))?;
        let url = format!("http://127.0.0.1:{port}/db/neo4j/tx/commit");
        let http = Http::new(url, "application/json");
        server.wait_until(|| rows(&http, "RETURN 1", &json!({})))?;
        Ok((server, http))
    }

    fn http(&self) -> Result<&Arc<Http>, String> {
        let served = self.served.as_ref().ok_or("Neo4j is not started")?;
        Ok(&served.1)
    }
}

impl Peer for Neo4j {
    fn load(&mut self, likes: &Likes) -> Result<f64, String> {
        let home = self.make_home(free_port()?)?;
        let [people, items, edges] = likes.files.clone();
        let import = self.import(&home, &[people, items], &[edges]);
        let began = Instant::now();
        let report = process::output(import)?;
        let seconds = began.elapsed().as_secs_f64();
        check_import(&report, &likes.tables)?;
        Ok(seconds)
    }

    fn start(&mut self) -> Result<(), String> {
        let (server, http) = self.serve_home(&self.home(1))?;
        rows(&http, INDEX, &json!({}))?;
        rows(&http, "CALL db.awaitIndexes(300)", &json!({}))?;
        self.served = Some((server, Arc::new(http)));
        Ok(())
    }

    fn recommend(&mut self, person: &str) -> Result<Vec<Counted>, String> {
        let rows = rows(self.http()?, RECOMMEND, &json!({ "person": person }))?;
        let counted = |row: &Value| Some((row[0].as_str()?.to_owned(), row[1].as_u64()?));
        let counted: Option<Vec<Counted>> = rows.iter().map(counted).collect();
        counted.ok_or_else(|| format!("items and counts were expected, not {rows:?}"))
    }

    fn write(&mut self, vertices: u64, seconds: f64) -> Result<Written, String> {
        let http = self.http()?;
        let client = |client: usize| {
            let http = http.again();
            let mut number = 0_u64;
            Box::new(move || {
                number += 1;
                rows(&http, WRITE, &json!({ "rows": people(client, number, vertices) })).map(|_| ())
            }) as Request<'_>
        };
        Ok(clients::send((0..CLIENTS).map(client).collect(), vertices, seconds))
    }

    fn count(&mut self) -> Result<u64, String> {
        let rows = rows(self.http()?, COUNT, &json!({}))?;
        let count = rows.first().and_then(|row| row[0].as_u64());
        count.ok_or_else(|| format!("{COUNT}: a number was expected, not {rows:?}"))
    }
}

/// Names and ages of one request.
fn people(client: usize, number: u64, count: u64) -> Vec<Value> {
    let person = |at: u64| json!({ "name": format!("person-{client}-{number}-{at}"), "age": (number + at) % 100 });
    (0..count).map(person).collect()
}

/// Runs one statement as a transaction, and gives its rows.
fn rows(http: &Http, statement: &str, parameters: &Value) -> Result<Vec<Value>, String> {
    let body = json!({ "statements": [{ "statement": statement, "parameters": parameters }] });
    let answer = http.post(&body)?;
    match answer["errors"].as_array() {
        Some(errors) if errors.is_empty() => {}
        _ => return Err(format!("{statement}: {}", answer["errors"])),
    }
    let data = answer["results"][0]["data"].as_array().into_iter().flatten();
    Ok(data.map(|row| row["row"].clone()).collect())
}

fn settings_of(http: u16, bolt: u16) -> String {
    format!(
        "dbms.security.auth_enabled=false
server.http.listen_address=127.0.0.1:{http}
server.bolt.listen_address=127.0.0.1:{bolt}
server.memory.pagecache.size=512m
dbms.usage_report.enabled=false
"
    )
}

/// The port of a protocol in a settings file.
fn port_in(settings: &Path, protocol: &str) -> Result<u16, String> {
    let text =
        fs::read_to_string(settings).map_err(|error| format!("{}: {error}", settings.display()))?;
    let setting = format!("server.{protocol}.listen_address=127.0.0.1:");
    let port = text.lines().find_map(|line| line.strip_prefix(&setting));
    let port = port.and_then(|port| port.parse().ok());
    port.ok_or_else(|| format!("{} has no port of {protocol}", settings.display()))
}

/// The counts at the end of an import's report: `641 nodes`, `50000 relationships`.
fn check_import(report: &str, tables: &Tables) -> Result<(), String> {
    let expected = [("nodes", tables.vertex_count()), ("relationships", tables.edges.len())];
    for (word, expected) in expected {
        let line = report.lines().map(str::trim).find_map(|line| line.strip_suffix(word));
        if line.map(str::trim) != Some(&expected.to_string()) {
            let end: Vec<&str> = report.lines().rev().take(12).collect();
            let end: Vec<&str> = end.into_iter().rev().collect();
            return Err(format!("{expected} {word} were to be imported:\n{}", end.join("\n")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_that_left_something_out_is_an_error() {
        let tables = Tables { people: vec!["ann".into()], items: vec!["x".into()], edges: vec![] };
        let report =
            "IMPORT DONE in 2s 26ms.\nImported:\n  2 nodes\n  0 relationships\n  2 properties\n";
        assert_eq!(check_import(report, &tables), Ok(()));
        let error = check_import(&report.replace("2 nodes", "12 nodes"), &tables).unwrap_err();
        assert!(
            error.contains("2 nodes were to be imported") && error.contains("IMPORT DONE"),
            "{error}"
        );
    }

    #[test]
    fn the_port_is_read_where_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("neo4j.conf");
        fs::write(&path, settings_of(7474, 7687)).unwrap();
        assert_eq!((port_in(&path, "http"), port_in(&path, "bolt")), (Ok(7474), Ok(7687)));
        assert!(port_in(&path, "https").unwrap_err().contains("no port of https"));
    }
}
