//! The database of the experiment: Millrace or any Neo4j, over HTTP.
//!
//! Nodes are written as clients of the article's time did (`POST /db/data/node`, `/db/data/batch`) where the server has
//! that interface, else by a statement of a transaction. Each node has the name of its run and the number of its
//! request, so what arrived can be compared with what was answered. Nodes have no label, since the old interface
//! makes none; a run removes its nodes when it ends.

use std::fmt::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use millrace_model::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::limits::{DELETE_BATCH, IDLE_TRUSTED};
use super::node::{NUMBER, Node, RUN};
use crate::clients::http::{Connection, Response, get_with, named, request};

/// The default database of a server.
pub(super) const DEFAULT_GRAPH: &str = "neo4j";

/// Which requests write nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Interface {
    /// `/db/data/node` and `/db/data/batch`.
    #[value(name = "rest")]
    Legacy,
    /// `/db/NAME/tx/commit`.
    #[value(name = "tx")]
    Transactions,
}

impl Interface {
    pub(super) fn shown(self) -> &'static str {
        match self {
            Interface::Legacy => "legacy REST: POST /db/data/node and /db/data/batch",
            Interface::Transactions => "POST /db/NAME/tx/commit",
        }
    }
}

/// A database, as the processes of the experiment find it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Database {
    pub(super) address: SocketAddr,
    pub(super) interface: Interface,
    pub(super) graph: String,
    /// The header of that name.
    pub(super) authorization: Option<String>,
}

/// The nodes of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) nodes: u64,
    /// Of different requests.
    pub(super) distinct: u64,
}

impl Database {
    /// Finds out which interface a server has; `wanted` is used in its place.
    pub(super) fn probe(
        address: SocketAddr,
        graph: &str,
        login: Option<(&str, &str)>,
        wanted: Option<Interface>,
    ) -> Result<Database> {
        let authorization = login.map(|(user, password)| {
            format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
        });
        let mut database = Database {
            address,
            interface: Interface::Transactions,
            graph: graph.to_owned(),
            authorization,
        };
        let root = Connection::open(address)
            .and_then(|mut root| root.exchange(&get_with(&database.headers(), "/db/data/")))
            .map_err(|error| database.named(error))?;
        // A server without this interface may take `data` for the name of a database.
        let root: Option<Value> =
            serde_json::from_slice(&root.body).ok().filter(|_| root.is_success());
        let has_legacy =
            root.is_some_and(|root| root.get("node").is_some() && root.get("batch").is_some());
        // That interface knows the default database only.
        let has_legacy = has_legacy && database.graph == DEFAULT_GRAPH;
        database.interface = match wanted {
            Some(Interface::Legacy) if !has_legacy => {
                let detail = format!("{address} has no /db/data for the database `{graph}`");
                let help = "leave --interface out, or set it to tx";
                return Err(Error::new(ErrorKind::BadInput, detail).with_help(help));
            }
            Some(wanted) => wanted,
            None if has_legacy => Interface::Legacy,
            None => Interface::Transactions,
        };
        database.client().rows("RETURN 1").map_err(|error| {
            let detail = format!("{address} takes no statements: {}", error.detail);
            Error::new(error.kind, detail)
                .with_help("a Neo4j's or Millrace's HTTP interface; --user, --password and --graph as it needs them")
        })?;
        Ok(database)
    }

    /// The version of Neo4j that it says it is, where it says so.
    pub(super) fn version(&self) -> Option<String> {
        let mut connection = Connection::open(self.address).ok()?;
        let answer = connection.exchange(&get_with(&self.headers(), "/")).ok()?;
        let discovery: Value = serde_json::from_slice(&answer.body).ok()?;
        Some(discovery.get("neo4j_version")?.as_str()?.to_owned())
    }

    /// A client of it with a connection of its own.
    pub(super) fn client(&self) -> Client {
        Client { database: self.clone(), connection: None }
    }

    fn named(&self, error: Error) -> Error {
        named(error, &format!("the database at {}", self.address))
    }

    fn headers(&self) -> String {
        let mut headers =
            "Content-Type: application/json\r\nAccept: application/json; charset=UTF-8\r\n"
                .to_owned();
        if let Some(authorization) = &self.authorization {
            let _ = write!(headers, "Authorization: {authorization}\r\n");
        }
        headers
    }

    fn commit_path(&self) -> String {
        match self.interface {
            Interface::Legacy => "/db/data/transaction/commit".to_owned(),
            Interface::Transactions => format!("/db/{}/tx/commit", self.graph),
        }
    }
}

/// A client of a database.
pub(super) struct Client {
    database: Database,
    /// Opened when it is needed, and again after an error; with its last use.
    connection: Option<(Connection, Instant)>,
}

impl Client {
    /// Writes one node, or many in one transaction; they are durable when this returns.
    pub(super) fn write(&mut self, nodes: &[Node]) -> Result<()> {
        match (self.database.interface, nodes) {
            (_, []) => Ok(()),
            (Interface::Legacy, [node]) => {
                let answer = self.exchange("/db/data/node", &json!(node).to_string())?;
                succeeded("/db/data/node", &answer)
            }
            (Interface::Legacy, nodes) => {
                let jobs = nodes.iter().enumerate().map(
                    |(id, node)| json!({ "method": "POST", "to": "/node", "id": id, "body": node }),
                );
                let body = Value::Array(jobs.collect()).to_string();
                let answer = self.exchange("/db/data/batch", &body)?;
                succeeded("/db/data/batch", &answer)
            }
            (Interface::Transactions, [node]) => {
                self.statement("CREATE (n) SET n = $node", &json!({ "node": node })).map(drop)
            }
            (Interface::Transactions, nodes) => {
                let text = "UNWIND $nodes AS node CREATE (n) SET n = node";
                self.statement(text, &json!({ "nodes": nodes })).map(drop)
            }
        }
    }

    /// How many nodes of a run there are.
    pub(super) fn count(&mut self, run: &str) -> Result<Found> {
        // The name stands in the text: the old interface had another form of parameters.
        let text = format!(
            "MATCH (n) WHERE n.{RUN} = '{run}' RETURN count(n), count(DISTINCT n.{NUMBER})"
        );
        let rows = self.rows(&text)?;
        let number = |at: usize| rows.first().and_then(|row| row.get(at)).and_then(Value::as_u64);
        match (number(0), number(1)) {
            (Some(nodes), Some(distinct)) => Ok(Found { nodes, distinct }),
            _ => Err(Error::new(ErrorKind::Bug, format!("`{text}` gives {rows:?}"))),
        }
    }

    /// The numbers of the nodes of a run, in order.
    pub(super) fn numbers(&mut self, run: &str) -> Result<Vec<u64>> {
        let text = format!("MATCH (n) WHERE n.{RUN} = '{run}' RETURN n.{NUMBER}");
        let rows = self.rows(&text)?;
        let mut numbers: Vec<u64> =
            rows.iter().filter_map(|row| row.first().and_then(Value::as_u64)).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Removes the nodes of all runs whose names begin so.
    pub(super) fn delete(&mut self, run: &str) -> Result<()> {
        let text = format!(
            "MATCH (n) WHERE n.{RUN} STARTS WITH '{run}' WITH n LIMIT {DELETE_BATCH} DELETE n RETURN count(n)"
        );
        loop {
            let rows = self.rows(&text)?;
            let deleted = rows.first().and_then(|row| row.first()).and_then(Value::as_u64);
            if deleted.unwrap_or_default() < DELETE_BATCH {
                return Ok(());
            }
        }
    }

    /// The rows of a statement without parameters.
    fn rows(&mut self, text: &str) -> Result<Vec<Vec<Value>>> {
        self.statement(text, &json!({}))
    }

    fn statement(&mut self, text: &str, parameters: &Value) -> Result<Vec<Vec<Value>>> {
        let body = json!({ "statements": [{ "statement": text, "parameters": parameters }] });
        let answer = self.exchange(&self.database.commit_path(), &body.to_string())?;
        succeeded(text, &answer)?;
        let refused = || refused(text, &answer);
        let reply: Value = serde_json::from_slice(&answer.body).map_err(|_| refused())?;
        match reply.get("errors").and_then(Value::as_array) {
            Some(errors) if errors.is_empty() => {}
            Some(_) | None => return Err(refused()),
        }
        let rows =
            reply.pointer("/results/0/data").and_then(Value::as_array).ok_or_else(refused)?;
        let row = |row: &Value| row.get("row").and_then(Value::as_array).cloned();
        rows.iter().map(row).collect::<Option<_>>().ok_or_else(refused)
    }

    fn exchange(&mut self, path: &str, body: &str) -> Result<Response> {
        let request = request("POST", path, &self.database.headers(), body);
        let mut connection = match self.connection.take() {
            // Idle connections may be ended by the server.
            Some((connection, used))
                if used.elapsed() < IDLE_TRUSTED || !connection.is_closed() =>
            {
                connection
            }
            Some(_) | None => Connection::open(self.database.address)
                .map_err(|error| self.database.named(error))?,
        };
        let answer = connection.exchange(&request).map_err(|error| self.database.named(error))?;
        self.connection = Some((connection, Instant::now()));
        Ok(answer)
    }
}

fn succeeded(request: &str, answer: &Response) -> Result<()> {
    if answer.is_success() { Ok(()) } else { Err(refused(request, answer)) }
}

fn refused(request: &str, answer: &Response) -> Error {
    let text: String = answer.text().chars().take(500).collect();
    let detail = format!("the database answers `{request}` with {} {text}", answer.status);
    Error::new(ErrorKind::Unavailable, detail)
}

/// The address of `http://HOST[:PORT]`.
pub(super) fn address_of(url: &str) -> Result<SocketAddr> {
    let bad = |detail: &str| {
        let error = Error::new(ErrorKind::BadInput, format!("--url {url}: {detail}"));
        error.with_help("such as http://127.0.0.1:7474")
    };
    let rest = match url.split_once("://") {
        Some(("http", rest)) => rest,
        Some(("https", _)) => return Err(bad("a server behind TLS (https) is not driven")),
        _ => return Err(bad("a URL that begins with http://")),
    };
    let host = rest.trim_end_matches('/');
    if host.is_empty() || host.contains('/') {
        return Err(bad("a host and a port, without a path"));
    }
    if host.contains('@') {
        return Err(bad("a name and a password are --user and --password"));
    }
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let host = if has_port { host.to_owned() } else { format!("{host}:7474") };
    let mut addresses = host.to_socket_addrs().map_err(|error| bad(&format!("{host}: {error}")))?;
    addresses.next().ok_or_else(|| bad("the name has no address"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_a_host_and_perhaps_a_port() {
        let address = |url: &str| address_of(url).map(|address| address.to_string());
        assert_eq!(address("http://127.0.0.1:7475/").as_deref(), Ok("127.0.0.1:7475"));
        assert_eq!(address("http://127.0.0.1").as_deref(), Ok("127.0.0.1:7474"));
        for (url, said) in [
            ("https://127.0.0.1", "TLS"),
            ("bolt://127.0.0.1", "http://"),
            ("http://127.0.0.1/db/data", "without a path"),
            ("http://a:b@127.0.0.1", "--password"),
            ("http://", "a host"),
        ] {
            let refused = address(url).unwrap_err().to_string();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
