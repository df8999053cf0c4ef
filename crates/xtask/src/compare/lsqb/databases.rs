//! The two databases, loaded and asked for a count.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use crate::process;

use super::super::fetch::Setup;
use super::super::http::Http;
use super::super::server::{Server, free_port};
use super::super::worker::Worker;
use super::queries::Query;
use super::table::{Counted, Counter};

const GRAPH: &str = "social";

/// Kuzu, in a process of Python.
pub(super) struct Kuzu {
    worker: Worker,
}

impl Kuzu {
    /// Loads the files into a new database.
    pub(super) fn open(
        setup: &Setup<'_>,
        mut worker: Worker,
        files: &Path,
    ) -> Result<Kuzu, String> {
        let folder = setup.data("lsqb")?;
        let database = folder.join("social.kuzu");
        worker.ask(&json!({ "do": "load_social", "database": database, "files": files }))?;
        worker.ask(&json!({ "do": "start", "database": database }))?;
        Ok(Kuzu { worker })
    }
}

impl Counter for Kuzu {
    fn count(&mut self, query: &Query) -> Result<Counted, String> {
        let answer = self.worker.ask(&json!({ "do": "time", "query": query.kuzu }))?;
        let counted = answer["count"].as_u64().zip(answer["ms"].as_f64());
        let counted = counted.map(|(count, ms)| Counted { count, ms });
        counted.ok_or_else(|| format!("a count was expected, not {answer}"))
    }
}

/// A server of Millrace.
pub(super) struct Millrace {
    client: Http,
    _server: Server,
}

impl Millrace {
    /// Loads the files into a new folder and serves it.
    pub(super) fn open(setup: &Setup<'_>, files: &[PathBuf]) -> Result<Millrace, String> {
        let folder = setup.data("millrace-lsqb")?;
        let data = folder.join("data");
        let mut load = Command::new(setup.program);
        load.args(["load", "--graph", GRAPH, "--data"]).arg(&data).args(files);
        process::output(load)?;
        let port = free_port()?;
        let mut serve = Command::new(setup.program);
        serve.arg("serve").arg("--data").arg(&data);
        serve.args(["--listen", &format!("neo4j-http=127.0.0.1:{port}"), "--listen", "admin=off"]);
        let mut server = Server::start(serve, &folder.join("log"))?;
        let url = format!("http://127.0.0.1:{port}/db/{GRAPH}/tx/commit");
        let client = Http::new(url, "application/json");
        server.wait_until(|| ask(&client, "RETURN 1 AS count"))?;
        Ok(Millrace { client, _server: server })
    }
}

impl Counter for Millrace {
    fn count(&mut self, query: &Query) -> Result<Counted, String> {
        let began = Instant::now();
        let count = ask(&self.client, query.cypher)?;
        Ok(Counted { count, ms: began.elapsed().as_secs_f64() * 1e3 })
    }
}

fn ask(client: &Http, query: &str) -> Result<u64, String> {
    let answer = client.post(&json!({ "statements": [{ "statement": query }] }))?;
    let count = |answer: &Value| answer["results"][0]["data"][0]["row"][0].as_u64();
    count(&answer).ok_or_else(|| format!("a count was expected, not {answer}"))
}
