//! A relationship for each pair of a list, between nodes found by index: the time must not grow with the graph.

use std::collections::BTreeMap;

use millrace_db::ingest::generate::Likes;
use millrace_model::random::SplitMix64;
use millrace_model::{Error, ErrorKind, Result, Value};

use super::{answer, count};
use crate::clients::bolt::{Connection, Query};
use crate::data::Scratch;
use crate::experiments::likes::{GRAPH_NAME, cached};
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::measure;
use crate::report::{Row, Unit};

const QUERY: &str = "UNWIND $pairs AS pair \
                     MATCH (a:Person {username: pair.source}) \
                     MATCH (b:Person {username: pair.target}) \
                     CREATE (a)-[:KNOWS]->(b)";

/// Pairs of a request.
const PAIRS: u64 = 5_000;

/// Nodes of both graphs at full size.
const MANY: f64 = 1e6;
const FEW: u32 = 10_000;

/// So many sources have their relationships compared with the pairs that were sent.
const CHECKED: usize = 16;

const SEED: u64 = 77;

/// A request among many nodes; the reference is the same among few.
pub(super) fn edges(conditions: &Conditions) -> Result<Row> {
    let many = ((MANY * conditions.scale) as u32).max(1);
    let mut many = Pairs::new(conditions, "cypher.edges.many", many)?;
    let mut few = Pairs::new(conditions, "cypher.edges.few", FEW)?;
    let medians = measure::side_by_side(conditions.seconds, || many.run(), || few.run())?;
    many.check()?;
    few.check()?;
    let rate = PAIRS as f64 / medians.value;
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3).with(
        "relationships",
        rate,
        Unit::PerSecond,
    ))
}

/// A graph of nodes without relationships, served, and the pairs that were sent to it.
struct Pairs {
    served: Served,
    connection: Connection,
    query: Query,
    nodes: u32,
    random: SplitMix64,
    /// The targets of each source.
    sent: BTreeMap<u64, Vec<String>>,
    _folder: Scratch,
}

impl Pairs {
    fn new(conditions: &Conditions, row: &str, nodes: u32) -> Result<Pairs> {
        let likes = Likes { people: nodes, items: 1, likes_a_person: 0, ..Likes::default() };
        let folder = Scratch::copy(&conditions.data, row, &cached(&conditions.data, &likes)?)?;
        let served = Served::start(conditions, folder.path().to_owned())?;
        let connection = Connection::open(served.bolt())?;
        let (query, random) = (Query::new(GRAPH_NAME, QUERY), SplitMix64::new(SEED));
        let sent = BTreeMap::new();
        Ok(Pairs { served, connection, query, nodes, random, sent, _folder: folder })
    }

    fn run(&mut self) -> Result<()> {
        let mut pairs = Vec::with_capacity(PAIRS as usize);
        for _ in 0..PAIRS {
            let [source, target] = [(); 2].map(|()| self.random.below(u64::from(self.nodes)) + 1);
            let target = format!("person{target}");
            let name = Value::from(format!("person{source}").as_str());
            pairs.push(Value::map(vec![
                (Value::from("source"), name),
                (Value::from("target"), Value::from(target.as_str())),
            ]));
            self.sent.entry(source).or_default().push(target);
        }
        let request = self.query.request(vec![("pairs".into(), Value::list(pairs))])?;
        self.connection.send(&request)?;
        self.connection.receive_answer().map(drop)
    }

    /// Each pair that was acknowledged is one relationship.
    fn check(mut self) -> Result<()> {
        let text = format!("USE {GRAPH_NAME} MATCH ()-[k:KNOWS]->() RETURN count(k)");
        let found = count(&answer(&self.served, &text, &[])?)?;
        let sent: usize = self.sent.values().map(Vec::len).sum();
        if found != sent as u64 {
            return Err(wrong(&format!("{found} of {sent}")));
        }
        let text = format!(
            "USE {GRAPH_NAME} MATCH (a:Person {{username: $name}})-[:KNOWS]->(b) \
             RETURN b.username AS name ORDER BY name"
        );
        for (source, targets) in self.sent.iter_mut().take(CHECKED) {
            let name = Value::from(format!("person{source}").as_str());
            let records = answer(&self.served, &text, &[("name".into(), name)])?;
            let found: Vec<&str> = records.iter().filter_map(|record| record[0].as_str()).collect();
            targets.sort_unstable();
            if found != *targets {
                return Err(wrong(&format!("person{source}: {found:?}, sent {targets:?}")));
            }
        }
        Ok(())
    }
}

fn wrong(what: &str) -> Error {
    Error::new(ErrorKind::Bug, format!("these are not the relationships that were sent: {what}"))
}
