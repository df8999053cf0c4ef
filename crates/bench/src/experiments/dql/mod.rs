//! DQL over Dgraph's HTTP interface, each row beside a figure of the same run; loading with a schema of DQL.
//!
//! ```text
//!   served     a server in a process of its own, and clients that cost little (as for the other experiments)
//!   published  films with the counts of a published experiment, generated and loaded once
//!   node counter      writes: one node a request, one number that all clients raise
//!   live       statements through a server, as one body and as many mutations
//!   loaded     statements from a file into a new folder
//!   films      memory, pages in order and groups over films
//!   real       words and ranges over the film data of `--films`
//! ```
//!
//! A row or a family is a file here, and each row a line in [`ROWS`].

mod counter;
mod films;
mod live;
mod loaded;
mod node;
mod published;
mod real;

use millrace_model::{Error, ErrorKind, Result};
use serde_json::Value as Json;

use super::measurement::{Conditions, FULL, Measurement, row};
use super::served::Served;
use crate::clients::http::{Connection, request};
use crate::report::Threshold::{self, AtLeast, AtMost, Ratio};
use crate::report::{PEAK_MEMORY, Row};
pub(crate) use published::{Folders, Indexes, LoadFilms, Published};

/// A row of the film data of `--films`.
const fn real(
    name: &'static str,
    run: fn(&Conditions) -> Result<Row>,
    thresholds: &'static [(f64, Threshold)],
) -> Measurement {
    Measurement { left_out: super::loads::films_left_out, ..row(name, run, FULL, thresholds) }
}

/// The rows, in the order they are run.
pub(super) const ROWS: &[Measurement] = &[
    row("dql.node", node::node, FULL, &[(1.0, Ratio(1.0 / 0.4))]),
    row("dql.counter", counter::counter, FULL, &[(1.0, Ratio(1.0 / 0.6))]),
    row("load.live", live::body, FULL, &[(1.0, AtLeast(4e5))]),
    row("load.live.indexed", live::body_indexed, FULL, &[(1.0, AtLeast(1.1e5))]),
    row("dql.mutate", live::mutations, FULL, &[(1.0, AtLeast(3.66e4))]),
    row("dql.mutate.indexed", live::mutations_indexed, FULL, &[(1.0, AtLeast(1.4e4))]),
    row("films.load", loaded::exact, FULL, &[(1.0, Ratio(1.0 / 0.8))]),
    row("films.load.indexed", loaded::all, FULL, &[(1.0, Ratio(1.0 / 0.3))]),
    row("films.memory", films::memory, FULL, &[(1.0, AtMost(2.0 * 1024.0 * 1024.0 * 1024.0))]),
    row("films.cursor", films::cursor, FULL, &[(1.0, Ratio(2.0))]),
    row("films.genres", films::genres, FULL, &[(1.0, Ratio(3.0))]),
    real("films.words", real::words, &[(1.0, Ratio(1.0 / 20.0))]),
    real("films.years", real::years, &[(1.0, Ratio(1.0 / 20.0))]),
];

/// The bytes of a query.
fn query(text: &str) -> Vec<u8> {
    request("POST", "/query", "Content-Type: application/dql\r\n", text)
}

/// The bytes of a mutation that is committed, as N-Quads.
fn mutation(text: &str) -> Vec<u8> {
    request("POST", "/mutate?commitNow=true", "Content-Type: application/rdf\r\n", text)
}

/// The text of an answer that is no error.
fn sound(answer: &[u8]) -> Result<&str> {
    let text = std::str::from_utf8(answer).unwrap_or("no text");
    match text.starts_with(r#"{"data":"#) {
        true => Ok(text),
        false => Err(Error::new(ErrorKind::Bug, format!("an answer that is an error: {text}"))),
    }
}

/// Changes the schema.
fn alter(served: &Served, schema: &str) -> Result<()> {
    let answer = Connection::open(served.dql())?.ask(&request("POST", "/alter", "", schema))?;
    sound(answer.as_bytes()).map(drop)
}

/// The data of an answer to a query that is not measured.
fn answer(served: &Served, text: &str) -> Result<Json> {
    let answer = Connection::open(served.dql())?.ask(&query(text))?;
    let answer: Json = serde_json::from_str(sound(answer.as_bytes())?).map_err(|error| {
        Error::new(ErrorKind::Bug, format!("{text}: the answer is no JSON: {error}"))
    })?;
    Ok(answer["data"].clone())
}

/// The only number of a block `q` with one field.
fn number(served: &Served, text: &str, field: &str) -> Result<u64> {
    let data = answer(served, text)?;
    let none = || Error::new(ErrorKind::Bug, format!("{text}: no number: {data}"));
    data["q"][0][field].as_u64().ok_or_else(none)
}

/// The row, with a fault if more memory was used than it may.
fn within_memory(row: Row, bytes: f64) -> Row {
    match row.figure(PEAK_MEMORY) {
        Some(peak) if bytes < peak => {
            let fault =
                format!("it used {:.1} GB of memory, and may use {:.1}", peak / 1e9, bytes / 1e9);
            Row { fault: Some(fault), ..row }
        }
        _ => row,
    }
}

fn wrong(detail: String) -> Error {
    Error::new(ErrorKind::Bug, detail)
}
