//! MERGE of a relationship at a node that has very many: existing ones and new ones, with the hub as source and as
//! target.

use std::collections::HashSet;
use std::sync::Arc;

use millrace_db::ingest::generate::Likes;
use millrace_model::{Error, ErrorKind, Result, Value};

use super::{answer, count};
use crate::clients::bolt::{Connection, Query};
use crate::data::Scratch;
use crate::experiments::likes::{GRAPH_NAME, cached};
use crate::experiments::measurement::Conditions;
use crate::experiments::rounds::rounds;
use crate::experiments::served::Served;
use crate::measure;
use crate::report::{Row, Unit};

/// Relationships of the larger node at full size, in each direction, and of the smaller one.
const MANY: f64 = 1e6;
const FEW: u64 = 100;

/// Nodes that have no relationship to a hub before, at full size, and at least.
const NEW: f64 = 2e5;
const NEW_MIN: u64 = 1_000;

/// Connections, each with one request under way.
const CONNECTIONS: usize = 16;

/// Requests of a connection in one run.
const ROUNDS: usize = 32;

const MATCHED: &str = "MATCH (h:Hub {name: $hub}) MATCH (p:Person {username: $person})";

/// How both directions are written.
const PATTERNS: [&str; 2] = ["(h)-[:FOLLOWS]->(p)", "(p)-[:FOLLOWS]->(h)"];

/// Time of a MERGE at the larger node; the reference is that at the smaller one.
pub(super) fn merge_hub(conditions: &Conditions) -> Result<Row> {
    let many = ((MANY * conditions.scale) as u64).max(FEW);
    let new = ((NEW * conditions.scale) as u64).max(NEW_MIN);
    let people = (many + new) as u32;
    let likes = Likes { people, items: 1, likes_a_person: 0, ..Likes::default() };
    let graph = cached(&conditions.data, &likes)?;
    let folder = Scratch::copy(&conditions.data, "cypher.merge.hub", &graph)?;
    let served = Served::start(conditions, folder.path().to_owned())?;
    answer(&served, &format!("USE {GRAPH_NAME} CREATE INDEX FOR (h:Hub) ON (h.name)"), &[])?;
    let (mut many, mut few) =
        (Hub::new(&served, "many", (many, new))?, Hub::new(&served, "few", (FEW, new))?);
    let medians = measure::side_by_side(conditions.seconds, || many.run(), || few.run())?;
    many.check(&served)?;
    few.check(&served)?;
    let each = |seconds: f64| seconds * 1e6 / (CONNECTIONS * ROUNDS) as f64;
    Ok(Row::new(each(medians.value), Unit::Microseconds).beside(each(medians.reference)))
}

/// A node with relationships to, and from, the first people.
struct Hub {
    name: &'static str,
    degree: u64,
    /// People that have no relationship to it before, behind the first ones.
    new_people: u64,
    connections: Vec<Connection>,
    queries: [Query; 2],
    asked: u64,
    /// Direction and number of the people that had no relationship.
    new: HashSet<(usize, u64)>,
}

impl Hub {
    fn new(served: &Served, name: &'static str, (degree, new_people): (u64, u64)) -> Result<Hub> {
        let own = [("name".into(), Value::from(name))];
        answer(served, &format!("USE {GRAPH_NAME} CREATE (:Hub {{name: $name}})"), &own)?;
        for pattern in PATTERNS {
            let text = format!(
                "USE {GRAPH_NAME} MATCH (h:Hub {{name: $name}}) UNWIND range(1, {degree}) AS number \
                 MATCH (p:Person {{username: 'person' + number}}) CREATE {pattern}"
            );
            answer(served, &text, &own)?;
        }
        let opened: Result<Vec<_>> =
            (0..CONNECTIONS).map(|_| Connection::open(served.bolt())).collect();
        let queries =
            PATTERNS.map(|pattern| Query::new(GRAPH_NAME, &format!("{MATCHED} MERGE {pattern}")));
        let (connections, new) = (opened?, HashSet::new());
        Ok(Hub { name, degree, new_people, connections, queries, asked: 0, new })
    }

    fn run(&mut self) -> Result<()> {
        let Hub { name, degree, new_people, connections, queries, asked, new } = self;
        rounds(
            connections,
            ROUNDS,
            |connection| {
                *asked += 1;
                let direction = (*asked % 2) as usize;
                // The half of them are there.
                let person = match *asked / 2 % 2 {
                    0 => *asked * 7_919 % *degree + 1,
                    _ => *degree + *asked % *new_people + 1,
                };
                if *degree < person {
                    new.insert((direction, person));
                }
                connection.send(&queries[direction].request(parameters(name, person))?)
            },
            |connection| connection.receive_answer().map(drop),
        )
    }

    /// Existing relationships are no more than before, and new ones are there once.
    fn check(&self, served: &Served) -> Result<()> {
        for (direction, pattern) in PATTERNS.into_iter().enumerate() {
            let own = [("name".into(), Value::from(self.name))];
            let text = format!(
                "USE {GRAPH_NAME} MATCH (h:Hub {{name: $name}}) MATCH {pattern} \
                 RETURN count(DISTINCT p)"
            );
            let all = text.replace("DISTINCT ", "");
            let new = self.new.iter().filter(|(own, _)| *own == direction).count() as u64;
            for text in [text, all] {
                let found = count(&answer(served, &text, &own)?)?;
                if found != self.degree + new {
                    let detail =
                        format!("{} and {new} new ones, `{text}` gives {found}", self.degree);
                    return Err(Error::new(ErrorKind::Bug, detail));
                }
            }
        }
        Ok(())
    }
}

fn parameters(hub: &str, person: u64) -> Vec<(Arc<str>, Value)> {
    let person = Value::from(format!("person{person}").as_str());
    vec![("hub".into(), Value::from(hub)), ("person".into(), person)]
}
