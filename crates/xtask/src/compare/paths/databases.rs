//! The two databases, empty at first, over one interface.

use std::process::Command;

use serde_json::{Value, json};

use super::super::fetch::Setup;
use super::super::http::Http;
use super::super::peers::serve_empty_neo4j;
use super::super::server::{Server, free_port};

/// A database that is asked in Cypher.
pub(super) trait Asked {
    /// The rows of a statement, which is a transaction of its own.
    fn rows(&mut self, statement: &str, parameters: &Value) -> Result<Vec<Value>, String>;
}

/// A server that runs.
pub(super) struct Database {
    client: Http,
    _server: Server,
}

impl Database {
    /// An empty Neo4j, fetched if need be.
    pub(super) fn neo4j(setup: &Setup<'_>) -> Result<Database, String> {
        let (server, client) = serve_empty_neo4j(setup)?;
        Ok(Database { client, _server: server })
    }

    /// A Millrace over a new folder.
    pub(super) fn millrace(setup: &Setup<'_>) -> Result<Database, String> {
        let folder = setup.data("millrace-paths")?;
        let port = free_port()?;
        let mut serve = Command::new(setup.program);
        serve.arg("serve").arg("--data").arg(folder.join("data"));
        serve.args(["--listen", &format!("neo4j-http=127.0.0.1:{port}"), "--listen", "admin=off"]);
        let mut server = Server::start(serve, &folder.join("log"))?;
        let url = format!("http://127.0.0.1:{port}/db/neo4j/tx/commit");
        let client = Http::new(url, "application/json");
        server.wait_until(|| rows(&client, "RETURN 1", &json!({})))?;
        Ok(Database { client, _server: server })
    }
}

impl Asked for Database {
    fn rows(&mut self, statement: &str, parameters: &Value) -> Result<Vec<Value>, String> {
        rows(&self.client, statement, parameters)
    }
}

fn rows(client: &Http, statement: &str, parameters: &Value) -> Result<Vec<Value>, String> {
    let body = json!({ "statements": [{ "statement": statement, "parameters": parameters }] });
    let answer = client.post(&body)?;
    match answer["errors"].as_array() {
        Some(errors) if errors.is_empty() => {}
        _ => return Err(format!("{statement}: {}", answer["errors"])),
    }
    let data = answer["results"][0]["data"].as_array().into_iter().flatten();
    Ok(data.map(|row| row["row"].clone()).collect())
}
