//! Statements into a server that runs, durable: as one body of `load --url`, and as mutations of a thousand statements,
//! from some connections, as Dgraph's own loader sends them.

use std::fs::File;
use std::io::{BufRead, Read};
use std::path::Path;
use std::time::Instant;

use millrace_db::ingest::source::plain;
use millrace_model::Result;
use serde_json::Value as Json;

use super::published::{FILE, Indexes, Published};
use super::{alter, mutation, number, sound, within_memory, wrong};
use crate::clients::http::{Connection, request};
use crate::data::{Scratch, io_error};
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::process::peak_bytes_of;
use crate::report::{PEAK_MEMORY, Row, Unit};

/// The published counts that make about a million statements.
const SCALE: f64 = 0.05;

/// Connections that send mutations, and the statements of each, as Dgraph's loader has by default.
const CONNECTIONS: usize = 10;
const STATEMENTS: usize = 1_000;

/// The memory that a server may use.
const MEMORY_MAX: f64 = 3e9;

/// The graph of DQL.
const GRAPH: &str = "dql";

/// One body, with `exact` and `year`.
pub(super) fn body(conditions: &Conditions) -> Result<Row> {
    by_body(conditions, "load.live", Indexes::ExactAndYear)
}

/// One body, with all indexes of the generated schema.
pub(super) fn body_indexed(conditions: &Conditions) -> Result<Row> {
    by_body(conditions, "load.live.indexed", Indexes::All)
}

/// Mutations, with `exact` and `year`.
pub(super) fn mutations(conditions: &Conditions) -> Result<Row> {
    by_mutations(conditions, "dql.mutate", Indexes::ExactAndYear)
}

/// Mutations, with all indexes of the generated schema.
pub(super) fn mutations_indexed(conditions: &Conditions) -> Result<Row> {
    by_mutations(conditions, "dql.mutate.indexed", Indexes::All)
}

fn by_body(conditions: &Conditions, row: &str, indexes: Indexes) -> Result<Row> {
    let live = ServedFilms::start(conditions, row, indexes)?;
    let path = live.files.join(FILE);
    let mut bytes = Vec::new();
    let read = File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| io_error(&path, &error))?;
    let mut connection = live.served.connect()?;
    let made = connection.exchange(&request("POST", &format!("/dbs/{GRAPH}"), "", ""))?;
    if !made.is_success() {
        return Err(wrong(format!("no graph {GRAPH}: {}", made.text())));
    }
    let (schema, length) = (&live.schema, live.schema.len() + bytes.len());
    let head = format!(
        "POST /load/{GRAPH}?files={FILE}:{}&format=nquads&schema-bytes={} HTTP/1.1\r\n\
         Host: localhost\r\nContent-Length: {length}\r\n\r\n{schema}",
        bytes.len(),
        schema.len()
    );
    let began = Instant::now();
    connection.send(&[head.as_bytes(), &bytes].concat())?;
    let answer = connection.receive(|answer| Ok(serde_json::from_slice::<Json>(answer)))?;
    let seconds = began.elapsed().as_secs_f64();
    let answer = answer.map_err(|error| wrong(format!("the answer of a load: {error}")))?;
    let rows = answer["rows"].as_u64().ok_or_else(|| wrong(format!("a load answers {answer}")))?;
    live.row(rows, seconds)
}

fn by_mutations(conditions: &Conditions, row: &str, indexes: Indexes) -> Result<Row> {
    let live = ServedFilms::start(conditions, row, indexes)?;
    alter(&live.served, &live.schema)?;
    let requests = mutations_of(&live.files.join(FILE))?;
    let statements: u64 = requests.iter().map(|(_, count)| count).sum();
    let opened = (0..CONNECTIONS).map(|_| Connection::open(live.served.dql()));
    let mut connections: Vec<Connection> = opened.collect::<Result<_>>()?;
    let began = Instant::now();
    // Each connection has one mutation under way, and takes the next one when that is done.
    for (at, (request, _)) in requests.iter().enumerate() {
        let connection = &mut connections[at % CONNECTIONS];
        if CONNECTIONS <= at {
            connection.receive(|answer| sound(answer).map(drop))?;
        }
        connection.send(request)?;
    }
    let under_way = requests.len().min(CONNECTIONS);
    for at in requests.len() - under_way..requests.len() {
        connections[at % CONNECTIONS].receive(|answer| sound(answer).map(drop))?;
    }
    live.row(statements, began.elapsed().as_secs_f64())
}

/// The mutations of a file, with how many statements each has.
fn mutations_of(path: &Path) -> Result<Vec<(Vec<u8>, u64)>> {
    let failed = |error: std::io::Error| io_error(path, &error);
    let lines = File::open(path).and_then(plain).map_err(failed)?;
    let (mut requests, mut text, mut count) = (Vec::new(), String::new(), 0);
    let mut end = |text: &mut String, count: &mut usize| {
        if 0 < *count {
            let whole = format!("{{ set {{\n{text}}} }}");
            requests.push((mutation(&whole), *count as u64));
            text.clear();
            *count = 0;
        }
    };
    for line in lines.lines() {
        text.push_str(&line.map_err(failed)?);
        text.push('\n');
        count += 1;
        if count == STATEMENTS {
            end(&mut text, &mut count);
        }
    }
    end(&mut text, &mut count);
    Ok(requests)
}

/// A server of an empty folder, and the files to load.
struct ServedFilms {
    served: Served,
    files: std::path::PathBuf,
    schema: String,
    films: u64,
    _folder: Scratch,
}

impl ServedFilms {
    fn start(conditions: &Conditions, row: &str, indexes: Indexes) -> Result<ServedFilms> {
        let scale = SCALE * conditions.scale;
        let films = Published { uids: true, xids: false, ..Published::of(scale, indexes) };
        let files = films.files(&conditions.data)?;
        let schema = films.schema(&files)?;
        let folder = Scratch::empty(&conditions.data, row)?;
        let served = Served::start(conditions, folder.path().to_owned())?;
        Ok(ServedFilms { served, files, schema, films: films.film_count(), _folder: folder })
    }

    /// The row, once the films are there.
    fn row(&self, statements: u64, seconds: f64) -> Result<Row> {
        let found = number(&self.served, "{ q(func: type(Film)) { n: count(uid) } }", "n")?;
        if found != self.films {
            return Err(wrong(format!("{} films are loaded, {found} are found", self.films)));
        }
        let peak = peak_bytes_of(self.served.process_id()).unwrap_or(f64::NAN);
        let row = Row::new(statements as f64 / seconds, Unit::PerSecond)
            .with("rows", statements as f64, Unit::Count)
            .with("time", seconds, Unit::Seconds)
            .with("server_time", self.served.processor_seconds().unwrap_or(f64::NAN), Unit::Seconds)
            .with(PEAK_MEMORY, peak, Unit::Bytes);
        Ok(within_memory(row, MEMORY_MAX))
    }
}
