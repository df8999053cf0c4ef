//! One node a transaction, from many clients at once.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use millrace_model::{Error, ErrorKind, Result, Value};

use super::point::{BoltPoints, CONNECTIONS, ROUNDS};
use super::{answer, count};
use crate::clients::bolt::{Connection, Query};
use crate::clients::http;
use crate::data::{Scratch, io_error};
use crate::experiments::likes::{GRAPH_NAME, Points, point_folder, point_size};
use crate::experiments::measurement::Conditions;
use crate::experiments::rounds::rounds;
use crate::experiments::served::Served;
use crate::report::{Row, Unit};
use crate::{limit, measure};

const QUERY: &str = "CREATE (:Hit {number: $number, name: $name})";

/// Connections of the row that is compared with the machine's syncs.
const FEW_CONNECTIONS: usize = 10;

/// Connections of the row that shows what each of many costs.
const MANY_CONNECTIONS: usize = 1_024;

/// How long the lone writer syncs in each run.
const SYNCS_SPAN: Duration = Duration::from_millis(200);

/// Transactions in a second over Bolt; the reference is `cypher.point`.
pub(super) fn bolt(conditions: &Conditions) -> Result<Row> {
    let setting = Setting::new(conditions, "cypher.node.bolt")?;
    let mut points = BoltPoints::open(&setting.served, &point_size(conditions))?;
    let created = RefCell::new(0);
    let mut creations = BoltCreations::open(&setting.served, CONNECTIONS, &created)?;
    let medians = measure::side_by_side(conditions.seconds, || creations.run(), || points.run())?;
    let rate = creations.rate(medians.value);
    setting.check(created.into_inner())?;
    Ok(Row::new(rate, Unit::PerSecond).beside(BoltPoints::rate(medians.reference)))
}

/// Transactions in a second over very many connections; the reference is a quarter as many.
pub(super) fn bolt_many(conditions: &Conditions) -> Result<Row> {
    let setting = Setting::new(conditions, "cypher.node.many")?;
    let created = RefCell::new(0);
    let mut many = BoltCreations::open(&setting.served, MANY_CONNECTIONS, &created)?;
    let mut fewer = BoltCreations::open(&setting.served, MANY_CONNECTIONS / 4, &created)?;
    let medians = measure::side_by_side(conditions.seconds, || many.run(), || fewer.run())?;
    let (rate, reference) = (many.rate(medians.value), fewer.rate(medians.reference));
    setting.check(created.into_inner())?;
    Ok(Row::new(rate, Unit::PerSecond).beside(reference))
}

/// Connections that create nodes over Bolt.
struct BoltCreations<'c> {
    connections: Vec<Connection>,
    query: Query,
    created: &'c RefCell<u64>,
}

impl BoltCreations<'_> {
    fn open<'c>(
        served: &Served,
        connections: usize,
        created: &'c RefCell<u64>,
    ) -> Result<BoltCreations<'c>> {
        let opened = (0..connections).map(|_| Connection::open(served.bolt()));
        let query = Query::new(GRAPH_NAME, QUERY);
        Ok(BoltCreations { connections: opened.collect::<Result<_>>()?, query, created })
    }

    fn run(&mut self) -> Result<()> {
        let BoltCreations { connections, query, created } = self;
        rounds(
            connections,
            ROUNDS,
            |connection| connection.send(&query.request(numbered(&mut created.borrow_mut()))?),
            |connection| connection.receive_answer().map(drop),
        )
    }

    fn rate(&self, seconds: f64) -> f64 {
        (self.connections.len() * ROUNDS) as f64 / seconds
    }
}

/// Transactions in a second over HTTP; the reference is `point`.
pub(super) fn http(conditions: &Conditions) -> Result<Row> {
    let setting = Setting::new(conditions, "cypher.node.http")?;
    let mut points = Points::open(&setting.served, &point_size(conditions))?;
    let mut creations = HttpCreations::open(&setting.served, CONNECTIONS)?;
    let medians = measure::side_by_side(conditions.seconds, || creations.run(), || points.run())?;
    setting.check(creations.created)?;
    Ok(Row::new(creations.rate(medians.value), Unit::PerSecond)
        .beside(Points::rate(medians.reference)))
}

/// The same on few connections; the reference is how often a lone writer syncs in a second.
pub(super) fn http_few(conditions: &Conditions) -> Result<Row> {
    let setting = Setting::new(conditions, "cypher.node.http.10")?;
    let mut creations = HttpCreations::open(&setting.served, FEW_CONNECTIONS)?;
    let block = conditions.data.join("cypher.node.block");
    let mut syncs = Vec::new();
    let medians = measure::side_by_side(
        conditions.seconds,
        || creations.run(),
        || {
            let lone = limit::lone_writer(&block, SYNCS_SPAN);
            let lone = lone.map_err(|error| io_error(&block, &error))?;
            syncs.push(lone.count() as f64 / SYNCS_SPAN.as_secs_f64());
            Ok(())
        },
    )?;
    setting.check(creations.created)?;
    Ok(Row::new(creations.rate(medians.value), Unit::PerSecond).beside(measure::median(syncs)))
}

/// A copy of the graph of `point` that is served.
struct Setting {
    served: Served,
    _folder: Scratch,
}

impl Setting {
    fn new(conditions: &Conditions, row: &str) -> Result<Setting> {
        let folder = Scratch::copy(&conditions.data, row, &point_folder(conditions)?)?;
        let served = Served::start(conditions, folder.path().to_owned())?;
        Ok(Setting { served, _folder: folder })
    }

    /// Each acknowledged node is there once.
    fn check(&self, created: u64) -> Result<()> {
        let texts = ["count(h)", "count(DISTINCT h.number)", "count(DISTINCT h.name)"]
            .map(|counted| format!("USE {GRAPH_NAME} MATCH (h:Hit) RETURN {counted}"));
        for text in texts {
            let found = count(&answer(&self.served, &text, &[])?)?;
            if found != created {
                let detail = format!("{created} nodes are acknowledged, `{text}` gives {found}");
                return Err(Error::new(ErrorKind::Bug, detail));
            }
        }
        Ok(())
    }
}

fn numbered(created: &mut u64) -> Vec<(Arc<str>, Value)> {
    *created += 1;
    let name = format!("hit{created}");
    vec![
        ("number".into(), Value::I64(*created as i64)),
        ("name".into(), Value::from(name.as_str())),
    ]
}

/// Connections that create nodes by `tx/commit`.
struct HttpCreations {
    connections: Vec<http::Connection>,
    created: u64,
}

impl HttpCreations {
    fn open(served: &Served, connections: usize) -> Result<HttpCreations> {
        let opened = (0..connections).map(|_| http::Connection::open(served.neo4j_http()));
        Ok(HttpCreations { connections: opened.collect::<Result<_>>()?, created: 0 })
    }

    fn run(&mut self) -> Result<()> {
        let HttpCreations { connections, created } = self;
        let path = format!("/db/{GRAPH_NAME}/tx/commit");
        rounds(
            connections,
            ROUNDS,
            |connection| {
                *created += 1;
                let body = format!(
                    r#"{{"statements":[{{"statement":"{QUERY}","parameters":{{"number":{created},"name":"hit{created}"}}}}]}}"#
                );
                connection.send(&http::post_json(&path, &body))
            },
            |connection| {
                connection.receive(|body| {
                    let body = String::from_utf8_lossy(body);
                    match body.contains(r#""errors":[]"#) {
                        true => Ok(()),
                        false => Err(Error::new(ErrorKind::Bug, format!("no commit: {body}"))),
                    }
                })
            },
        )
    }

    fn rate(&self, seconds: f64) -> f64 {
        (self.connections.len() * ROUNDS) as f64 / seconds
    }
}
