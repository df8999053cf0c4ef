//! Neo4j's interface of versions 1 to 3: a node a request, and batches beside the same by `UNWIND`.
//!
//! Requests of batches are bytes made before. After a row the graph must hold what was acknowledged.

use std::cell::Cell;
use std::fmt::Write;
use std::time::Duration;

use millrace_model::{Error, ErrorKind, Result};

use super::cypher::{answer, count};
use super::likes::{Points, point_folder, point_size};
use super::measurement::{Conditions, FULL, Measurement, row};
use super::rounds::rounds;
use super::served::Served;
use crate::clients::http;
use crate::data::{Scratch, io_error};
use crate::report::Threshold::Ratio;
use crate::report::{Row, Unit};
use crate::{limit, measure};

/// The rows, in the order they are run.
pub(super) const ROWS: &[Measurement] = &[
    row("rest.node", node, FULL, &[(1.0, Ratio(1.0 / 0.4))]),
    row("rest.node.10", node_few, FULL, &[(1.0, Ratio(1.0 / 5.0))]),
    row("rest.batch", batch, FULL, &[(1.0, Ratio(1.0 / 0.5))]),
    row("rest.batch.references", batch_of_references, FULL, &[(1.0, Ratio(1.0 / 0.5))]),
];

/// Connections that send one node a request.
const MANY_CONNECTIONS: usize = 64;
const FEW_CONNECTIONS: usize = 10;

/// Requests of a connection in one run, of one node each.
const ROUNDS: usize = 100;

/// Connections that send batches, and batches of a connection in one run.
const BATCH_CONNECTIONS: usize = 4;
const BATCH_ROUNDS: usize = 10;

/// Nodes of a batch, and of one with as many relationships between them.
const NODES: usize = 100;
const REFERRED: f64 = 2_500.0;

/// How long the lone writer syncs in each run.
const SYNCS_SPAN: Duration = Duration::from_millis(200);

/// Nodes in a second, one a request; the reference is `point`.
fn node(conditions: &Conditions) -> Result<Row> {
    let folder = Scratch::copy(&conditions.data, "rest.node", &point_folder(conditions)?)?;
    let served = Served::start(conditions, folder.path().to_owned())?;
    let mut points = Points::open(&served, &point_size(conditions))?;
    let mut nodes = Nodes::open(&served, MANY_CONNECTIONS)?;
    let medians = measure::side_by_side(conditions.seconds, || nodes.run(), || points.run())?;
    check(&served, "MATCH (n)", "n.number", nodes.created)?;
    Ok(Row::new(nodes.rate(medians.value), Unit::PerSecond).beside(Points::rate(medians.reference)))
}

/// The same on few connections; the reference is how often a lone writer syncs in a second.
fn node_few(conditions: &Conditions) -> Result<Row> {
    let folder = Scratch::empty(&conditions.data, "rest.node.10")?;
    let served = Served::start(conditions, folder.path().to_owned())?;
    let mut nodes = Nodes::open(&served, FEW_CONNECTIONS)?;
    let block = conditions.data.join("rest.node.block");
    let mut syncs = Vec::new();
    let medians = measure::side_by_side(
        conditions.seconds,
        || nodes.run(),
        || {
            let lone = limit::lone_writer(&block, SYNCS_SPAN);
            let lone = lone.map_err(|error| io_error(&block, &error))?;
            syncs.push(lone.count() as f64 / SYNCS_SPAN.as_secs_f64());
            Ok(())
        },
    )?;
    check(&served, "MATCH (n)", "n.number", nodes.created)?;
    Ok(Row::new(nodes.rate(medians.value), Unit::PerSecond).beside(measure::median(syncs)))
}

/// Connections that create a node a request.
struct Nodes {
    connections: Vec<http::Connection>,
    created: u64,
}

impl Nodes {
    fn open(served: &Served, connections: usize) -> Result<Nodes> {
        Ok(Nodes { connections: open(served, connections)?, created: 0 })
    }

    fn run(&mut self) -> Result<()> {
        let Nodes { connections, created } = self;
        rounds(
            connections,
            ROUNDS,
            |connection| {
                *created += 1;
                let body = format!(r#"{{"number":{created},"name":"hit{created}"}}"#);
                connection.send(&http::post_json("/db/data/node", &body))
            },
            |connection| connection.receive(|body| has(body, r#""self":"#)),
        )
    }

    fn rate(&self, seconds: f64) -> f64 {
        (self.connections.len() * ROUNDS) as f64 / seconds
    }
}

/// Nodes in a second by batches of some; the reference is `UNWIND`.
fn batch(conditions: &Conditions) -> Result<Row> {
    let mut jobs = String::from("[");
    let mut rows = String::from("[");
    for number in 0..NODES {
        let comma = if number == 0 { "" } else { "," };
        let data = format!(r#"{{"number":{number},"name":"hit{number}"}}"#);
        write(
            &mut jobs,
            format_args!(r#"{comma}{{"method":"POST","to":"/node","id":{number},"body":{data}}}"#),
        )?;
        write(&mut rows, format_args!("{comma}{data}"))?;
    }
    let text = "UNWIND $rows AS row CREATE (n) SET n = row";
    let unwind = statement(text, &format!(r#"{{"rows":{rows}]}}"#));
    beside_unwind(conditions, "rest.batch", (jobs + "]", unwind), (NODES, 0))
}

/// The same by batches of thousands, with relationships between nodes of the batch.
fn batch_of_references(conditions: &Conditions) -> Result<Row> {
    let referred = ((REFERRED * conditions.scale) as usize).max(2);
    let mut jobs = String::from("[");
    let (mut rows, mut pairs) = (String::from("["), String::from("["));
    for number in 0..referred {
        let comma = if number == 0 { "" } else { "," };
        let data = format!(r#"{{"number":{number},"name":"hit{number}"}}"#);
        write(
            &mut jobs,
            format_args!(r#"{comma}{{"method":"POST","to":"/node","id":{number},"body":{data}}}"#),
        )?;
        write(&mut rows, format_args!("{comma}{data}"))?;
    }
    for number in 0..referred {
        let comma = if number == 0 { "" } else { "," };
        let (id, next) = (referred + number, (number + 1) % referred);
        write(
            &mut jobs,
            format_args!(
                r#",{{"method":"POST","to":"{{{number}}}/relationships","id":{id},"body":{{"to":"{{{next}}}","type":"NEXT","data":{{"number":{number}}}}}}}"#
            ),
        )?;
        write(
            &mut pairs,
            format_args!(
                r#"{comma}{{"source":{number},"target":{next},"data":{{"number":{number}}}}}"#
            ),
        )?;
    }
    let text = "UNWIND $rows AS row CREATE (n) SET n = row WITH collect(n) AS nodes \
                UNWIND $pairs AS pair WITH pair, nodes[pair.source] AS a, nodes[pair.target] AS b \
                CREATE (a)-[k:NEXT]->(b) SET k = pair.data";
    let unwind = statement(text, &format!(r#"{{"rows":{rows}],"pairs":{pairs}]}}"#));
    let sizes = (referred, referred);
    beside_unwind(conditions, "rest.batch.references", (jobs + "]", unwind), sizes)
}

/// Elements in a second of the same batch by jobs and by `UNWIND`.
fn beside_unwind(
    conditions: &Conditions,
    row: &str,
    (jobs, unwind): (String, String),
    (nodes, edges): (usize, usize),
) -> Result<Row> {
    let folder = Scratch::empty(&conditions.data, row)?;
    let served = Served::start(conditions, folder.path().to_owned())?;
    let mut by_jobs = open(&served, BATCH_CONNECTIONS)?;
    let mut by_unwind = open(&served, BATCH_CONNECTIONS)?;
    let jobs = http::post_json("/db/data/batch", &jobs);
    let unwind = http::post_json("/db/neo4j/tx/commit", &unwind);
    let batches = Cell::new(0);
    let mut run = |connections: &mut Vec<http::Connection>, request: &[u8], says: &str| {
        batches.set(batches.get() + (BATCH_CONNECTIONS * BATCH_ROUNDS) as u64);
        rounds(
            connections,
            BATCH_ROUNDS,
            |connection| connection.send(request),
            |connection| connection.receive(|body| has(body, says)),
        )
    };
    let run = std::cell::RefCell::new(&mut run);
    let medians = measure::side_by_side(
        conditions.seconds,
        || (run.borrow_mut())(&mut by_jobs, &jobs, r#""status":201"#),
        || (run.borrow_mut())(&mut by_unwind, &unwind, r#""errors":[]"#),
    )?;
    let batches = batches.get();
    check_count(&served, "MATCH (n) RETURN count(n.name)", batches * nodes as u64)?;
    check_count(&served, "MATCH (n) RETURN count(DISTINCT n.number)", nodes as u64)?;
    let found = format!(
        "MATCH (a)-[k:NEXT]->(b) WHERE a.number = k.number AND b.number = (k.number + 1) % {nodes} \
         RETURN count(k)"
    );
    check_count(&served, &found, batches * edges as u64)?;
    let elements = (BATCH_CONNECTIONS * BATCH_ROUNDS * (nodes + edges)) as f64;
    Ok(Row::new(elements / medians.value, Unit::PerSecond).beside(elements / medians.reference))
}

fn open(served: &Served, connections: usize) -> Result<Vec<http::Connection>> {
    (0..connections).map(|_| http::Connection::open(served.neo4j_http())).collect()
}

/// The body of a request with one statement.
fn statement(text: &str, parameters: &str) -> String {
    format!(r#"{{"statements":[{{"statement":"{text}","parameters":{parameters}}}]}}"#)
}

fn write(out: &mut String, text: std::fmt::Arguments<'_>) -> Result<()> {
    let failed = |_| Error::new(ErrorKind::Bug, "a string takes any text");
    out.write_fmt(text).map_err(failed)
}

fn has(body: &[u8], says: &str) -> Result<()> {
    // What is looked for stands near an end of the answer.
    const NEAR: usize = 4 << 10;
    let near = [&body[..body.len().min(NEAR)], &body[body.len().saturating_sub(NEAR)..]];
    match near.iter().any(|part| String::from_utf8_lossy(part).contains(says)) {
        true => Ok(()),
        false => {
            let shown = String::from_utf8_lossy(near[0]);
            Err(Error::new(ErrorKind::Bug, format!("no {says} in {shown}")))
        }
    }
}

/// Each acknowledged node is there once.
fn check(served: &Served, found: &str, key: &str, created: u64) -> Result<()> {
    check_count(served, &format!("{found} RETURN count({key})"), created)?;
    check_count(served, &format!("{found} RETURN count(DISTINCT {key})"), created)
}

fn check_count(served: &Served, text: &str, expected: u64) -> Result<()> {
    let found = count(&answer(served, text, &[])?)?;
    if found != expected {
        let detail = format!("{expected} are acknowledged, `{text}` gives {found}");
        return Err(Error::new(ErrorKind::Bug, detail));
    }
    Ok(())
}
