//! Kuzu, which has no server: a Python program that embeds it, driven line by line.
//!
//! A database of Kuzu takes one writing transaction at a time, so one client writes.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::super::fetch::{self, Setup};
use super::super::likes::{Counted, Likes};
use super::super::worker::Worker;
use super::super::written::Written;
use super::{Description, Peer, neo4j};

pub(super) const PEER: Description = Description {
    name: "kuzu",
    product: "Kuzu 0.11.3, embedded in Python",
    durable: "each commit",
    asked: "Cypher with parameters, in the process; one client, as one transaction writes at a time",
    loaded: "`COPY FROM` into a new database",
    fetch: |setup| python(setup).map(|_| ()),
    open: |setup| {
        let folder = setup.data("databases")?;
        let worker = worker(setup)?;
        Ok(Box::new(Kuzu { worker, folder, copies: 0 }))
    },
};

const SCRIPT: &str = "crates/xtask/src/compare/peers/kuzu_worker.py";

fn python(setup: &Setup<'_>) -> Result<PathBuf, String> {
    fetch::python(setup, "kuzu", &["kuzu==0.11.3"])
}

/// Kuzu's program, fetched if need be.
pub(in super::super) fn worker(setup: &Setup<'_>) -> Result<Worker, String> {
    Worker::start("Kuzu", &python(setup)?, &setup.workspace.root().join(SCRIPT))
}

struct Kuzu {
    worker: Worker,
    folder: PathBuf,
    /// Databases that were loaded.
    copies: usize,
}

impl Kuzu {
    fn database(&self, copy: usize) -> PathBuf {
        self.folder.join(format!("{copy}.kuzu"))
    }
}

impl Peer for Kuzu {
    fn load(&mut self, likes: &Likes) -> Result<f64, String> {
        self.copies += 1;
        let database = self.database(self.copies);
        let loaded = self.worker.ask(&json!({
            "do": "load", "database": database, "files": likes.files,
        }))?;
        let expected = json!([likes.tables.vertex_count(), likes.tables.edges.len()]);
        if loaded["counts"] != expected {
            let found = &loaded["counts"];
            return Err(format!(
                "{found} vertices and edges after the load, and should be {expected}"
            ));
        }
        number(&loaded, "seconds")
    }

    fn start(&mut self) -> Result<(), String> {
        let database = self.database(1);
        self.worker.ask(&json!({ "do": "start", "database": database })).map(|_| ())
    }

    fn recommend(&mut self, person: &str) -> Result<Vec<Counted>, String> {
        let query = neo4j::RECOMMEND;
        let answer = self.worker.ask(&json!({ "do": "ask", "query": query, "person": person }))?;
        let rows = answer["rows"].as_array().into_iter().flatten();
        let counted = |row: &Value| Some((row[0].as_str()?.to_owned(), row[1].as_u64()?));
        let counted: Option<Vec<Counted>> = rows.map(counted).collect();
        counted.ok_or_else(|| format!("items and counts were expected, not {answer}"))
    }

    fn write(&mut self, vertices: u64, seconds: f64) -> Result<Written, String> {
        let answer =
            self.worker.ask(&json!({ "do": "write", "rows": vertices, "seconds": seconds }))?;
        let requests = number(&answer, "requests")?;
        Ok(Written {
            requests_per_second: requests / number(&answer, "seconds")?,
            acknowledged: requests as u64 * vertices,
            ..Written::default()
        })
    }

    fn count(&mut self) -> Result<u64, String> {
        let answer = self.worker.ask(&json!({ "do": "count" }))?;
        Ok(number(&answer, "count")? as u64)
    }
}

fn number(answer: &Value, name: &str) -> Result<f64, String> {
    answer[name].as_f64().ok_or_else(|| format!("an answer without {name}: {answer}"))
}
