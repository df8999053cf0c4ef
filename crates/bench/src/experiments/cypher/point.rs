//! The neighbours of a node found by index, over Bolt, beside the same question by RageDB's route.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_db::ingest::generate::Likes;
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::bolt::packstream::Datum;

use super::answer;
use crate::clients::bolt::{Connection, Query};
use crate::experiments::likes::{GRAPH_NAME, Points, point_folder, point_size, random_people};
use crate::experiments::measurement::Conditions;
use crate::experiments::rounds::rounds;
use crate::experiments::served::Served;
use crate::measure;
use crate::report::{Row, Unit};

/// Connections, each with one request under way.
pub(super) const CONNECTIONS: usize = 64;

/// Requests of a connection in one run.
pub(super) const ROUNDS: usize = 100;

/// So many answers are compared with the generated edges.
const CHECKED: usize = 64;

const QUERY: &str = "MATCH (p:Person {username: $name})-[:LIKES]->(i) RETURN i";

/// Requests in a second; the reference is that of the row `point`.
pub(super) fn point(conditions: &Conditions) -> Result<Row> {
    let likes = point_size(conditions);
    let served = Served::start(conditions, point_folder(conditions)?)?;
    check(&served, &likes)?;
    let mut points = Points::open(&served, &likes)?;
    let bolt = RefCell::new(BoltPoints::open(&served, &likes)?);
    let medians =
        measure::side_by_side(conditions.seconds, || bolt.borrow_mut().run(), || points.run())?;
    Ok(Row::new(BoltPoints::rate(medians.value), Unit::PerSecond)
        .beside(Points::rate(medians.reference)))
}

/// The row's connections and requests, which are the reference of other rows.
pub(super) struct BoltPoints {
    connections: Vec<Connection>,
    requests: Vec<Vec<u8>>,
    neighbours: u64,
}

impl BoltPoints {
    /// Connects.
    pub(super) fn open(served: &Served, likes: &Likes) -> Result<BoltPoints> {
        let opened: Result<Vec<_>> =
            (0..CONNECTIONS).map(|_| Connection::open(served.bolt())).collect();
        let query = Query::new(GRAPH_NAME, QUERY);
        let requests = random_people(likes).into_iter().map(|person| query.request(named(person)));
        Ok(BoltPoints {
            connections: opened?,
            requests: requests.collect::<Result<_>>()?,
            neighbours: u64::from(likes.likes_a_person),
        })
    }

    /// One run.
    pub(super) fn run(&mut self) -> Result<()> {
        let BoltPoints { connections, requests, neighbours } = self;
        let mut next = requests.iter().cycle();
        rounds(
            connections,
            ROUNDS,
            |connection| connection.send(next.next().map_or(&[][..], |request| request)),
            |connection| match connection.receive_answer()?.count {
                count if count == *neighbours => Ok(()),
                count => Err(wrong(&format!("{count} neighbours"))),
            },
        )
    }

    /// Requests in a second, of the seconds of a run.
    pub(super) fn rate(seconds: f64) -> f64 {
        (CONNECTIONS * ROUNDS) as f64 / seconds
    }
}

fn named(person: u64) -> Vec<(Arc<str>, Value)> {
    vec![("name".into(), Value::from(format!("person{person}").as_str()))]
}

/// Compares answers with the edges that were generated.
fn check(served: &Served, likes: &Likes) -> Result<()> {
    let mut expected: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for like in likes.edges() {
        let items = expected.entry(u64::from(like.person) + 1).or_default();
        items.push(format!("item{}", like.item + 1));
    }
    let query = QUERY.replace("RETURN i", "RETURN i.name");
    let text = format!("USE {GRAPH_NAME} {query}");
    for person in random_people(likes).into_iter().take(CHECKED) {
        let records = answer(served, &text, &named(person))?;
        let name = |record: &Vec<Datum>| record.first()?.as_str().map(str::to_owned);
        let mut names: Vec<String> = records.iter().filter_map(name).collect();
        let items = expected.entry(person).or_default();
        names.sort_unstable();
        items.sort_unstable();
        if names != *items {
            return Err(wrong(&format!("person {person}: {names:?}, generated {items:?}")));
        }
    }
    Ok(())
}

fn wrong(answer: &str) -> Error {
    Error::new(ErrorKind::Bug, format!("these are not neighbours: {answer}"))
}
