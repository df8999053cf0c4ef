//! Paths of variable length: the first of very many, one that is very long, whether there is any, and the shortest
//! that meets a condition.

use std::net::TcpStream;
use std::sync::Arc;

use millrace_model::random::SplitMix64;
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::bolt::client::Connection as Driver;
use millrace_wire::bolt::packstream::Datum;

use super::count;
use crate::clients::bolt::driver;
use crate::data::Scratch;
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::limit::{BreadthFirst, Lists, Relationships, chain_length, first_paths};
use crate::measure;
use crate::process::PeakOf;
use crate::report::{MEMORY_GROWTH, Row, Unit};

/// Nodes and relationships of the network at full size.
const NODES: f64 = 5_000.0;
const RELATIONSHIPS_EACH: u32 = 10;

/// Nodes of the chain at full size.
const CHAIN: f64 = 20_000.0;

/// One node in so many has a second label.
const RARE_EVERY: u32 = 500;

/// So many nodes, at full size, are asked whether a node of that label is near.
const ASKED: f64 = 1_000.0;

/// Paths of a pattern have at most so many relationships.
const LENGTH_MAX: usize = 6;

/// Paths that are returned.
const PATHS: usize = 10;

/// Weights are below 100; a path may have relationships below this one.
const WEIGHT_MAX: u32 = 30;

/// Pairs between which a shortest path is searched, in turn.
const PAIRS: usize = 16;

/// Elements that one statement makes.
const PART: usize = 5_000;

const SEED: u64 = 91;

/// The first paths of very many.
pub(super) fn paths_limit(conditions: &Conditions) -> Result<Row> {
    let mut network = Network::serve(conditions, "cypher.paths.limit")?;
    let pattern = "MATCH p = (a {id: 1})-[:KW*1..6]-(b) RETURN";
    let numbers = format!("{pattern} [r IN relationships(p) | r.number] LIMIT {PATHS}");
    let records = network.client.ask(&numbers, &[])?;
    let paths: Option<Vec<Vec<u32>>> = records.iter().map(|record| numbers_of(record)).collect();
    network.check_paths(1, &paths.ok_or_else(|| wrong("no lists of numbers"))?)?;
    let (text, relationships) = (format!("{pattern} p LIMIT {PATHS}"), network.relationships());
    network.compared(
        conditions,
        |client| match client.ask(&text, &[])?.len() {
            PATHS => Ok(()),
            other => Err(wrong(&format!("{other} paths"))),
        },
        || {
            std::hint::black_box(first_paths(&relationships, 1, LENGTH_MAX, PATHS));
        },
    )
}

/// Whether a node is near, for many nodes.
pub(super) fn paths_exists(conditions: &Conditions) -> Result<Row> {
    let mut network = Network::serve(conditions, "cypher.paths.exists")?;
    let relationships = network.relationships();
    let asked = ((ASKED * conditions.scale) as u32).clamp(1, network.nodes - 1);
    let mut search = BreadthFirst::new(&relationships);
    let mut near = || {
        let is_near = |node: &u32| search.shortest(*node, LENGTH_MAX, |_| true, is_rare).is_some();
        (1..=asked).filter(is_near).count() as u64
    };
    let text = "MATCH (n:Node) WHERE n.id >= 1 AND n.id <= $asked \
                AND EXISTS { (n)-[:KW*1..6]-(:Rare) } RETURN count(n)";
    let parameters = [(Arc::from("asked"), Value::I64(i64::from(asked)))];
    let expected = near();
    network.compared(
        conditions,
        |client| client.must_give(text, &parameters, expected),
        || {
            std::hint::black_box(near());
        },
    )
}

/// The shortest path without heavy relationships, between two nodes.
pub(super) fn shortest_where(conditions: &Conditions) -> Result<Row> {
    let mut network = Network::serve(conditions, "cypher.shortest.where")?;
    let relationships = network.relationships();
    let pairs = network.pairs();
    let weights = std::mem::take(&mut network.weights);
    let accepts = |relationship: u32| weights[relationship as usize] < WEIGHT_MAX;
    let mut search = BreadthFirst::new(&relationships);
    let mut shortest = |(source, target): (u32, u32)| {
        search.shortest(source, relationships.ends.len(), accepts, |node| node == target)
    };
    let text = format!(
        "MATCH p = shortestPath((a:Node {{id: $source}})-[:KW*]-(b:Node {{id: $target}})) \
         WHERE all(r IN relationships(p) WHERE r.weight < {WEIGHT_MAX}) RETURN length(p)"
    );
    for pair in &pairs {
        let found = network.client.ask(&text, &ends_of(*pair))?;
        let found = if found.is_empty() { None } else { Some(count(&found)? as usize) };
        let expected = shortest(*pair);
        if found != expected {
            return Err(wrong(&format!("{pair:?}: length {found:?}, by arrays {expected:?}")));
        }
    }
    let (mut asked, mut others) = (pairs.iter().cycle(), pairs.iter().cycle());
    network.compared(
        conditions,
        |client| client.ask(&text, &ends_of(*asked.next().unwrap_or(&(0, 1)))).map(drop),
        || {
            std::hint::black_box(shortest(*others.next().unwrap_or(&(0, 1))));
        },
    )
}

/// A path of very many relationships.
pub(super) fn paths_chain(conditions: &Conditions) -> Result<Row> {
    let mut client = Client::serve(conditions, "cypher.paths.chain")?;
    let nodes = ((CHAIN * conditions.scale) as u32).max(10);
    client.ask("CREATE INDEX links FOR (n:Link) ON (n.id)", &[])?;
    let links: Vec<u32> = (1..nodes).collect();
    client.make("UNWIND $rows AS id CREATE (:Link {id: id})", 1..=nodes, |id| int(*id))?;
    client.make(
        "UNWIND $rows AS id MATCH (a:Link {id: id}) MATCH (b:Link {id: id + 1}) CREATE (a)-[:NX]->(b)",
        links,
        |id| int(*id),
    )?;
    let next = Lists::from_pairs(nodes as usize + 1, (1..nodes).map(|id| (id, id + 1)));
    let text = "MATCH p = (a {id: 1})-[:NX*]->(m) WHERE NOT (m)-[:NX]->() RETURN length(p)";
    let expected = chain_length(&next, 1) as u64;
    client.must_give(text, &[], expected)?;
    let memory = PeakOf::begin(client.served.process_id());
    let medians = measure::side_by_side(
        conditions.seconds,
        || client.must_give(text, &[], expected),
        || {
            std::hint::black_box(chain_length(&next, 1));
            Ok(())
        },
    )?;
    let row = Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3);
    Ok(match memory.and_then(PeakOf::end) {
        Some((_, growth)) => row.with(MEMORY_GROWTH, growth, Unit::Bytes),
        None => row,
    })
}

/// A server of an empty folder, and its client.
struct Client {
    driver: Driver<TcpStream>,
    served: Served,
    _folder: Scratch,
}

impl Client {
    fn serve(conditions: &Conditions, row: &str) -> Result<Client> {
        let folder = Scratch::empty(&conditions.data, row)?;
        let served = Served::start(conditions, folder.path().to_owned())?;
        Ok(Client { driver: driver(served.bolt())?, served, _folder: folder })
    }

    fn ask(&mut self, text: &str, parameters: &[(Arc<str>, Value)]) -> Result<Vec<Vec<Datum>>> {
        let answer = self.driver.run(text, parameters);
        Ok(answer.map_err(|error| wrong(&format!("{text}: {error}")))?.records)
    }

    fn must_give(
        &mut self,
        text: &str,
        parameters: &[(Arc<str>, Value)],
        right: u64,
    ) -> Result<()> {
        match count(&self.ask(text, parameters)?)? {
            found if found == right => Ok(()),
            found => Err(wrong(&format!("`{text}` gives {found}, by arrays {right}"))),
        }
    }

    /// Makes elements of rows, a part of them with each statement.
    fn make<T>(
        &mut self,
        text: &str,
        rows: impl IntoIterator<Item = T>,
        value: impl Fn(&T) -> Value,
    ) -> Result<()> {
        let rows: Vec<Value> = rows.into_iter().map(|row| value(&row)).collect();
        rows.chunks(PART).try_for_each(|part| {
            self.ask(text, &[(Arc::from("rows"), Value::list(part.to_vec()))]).map(drop)
        })
    }
}

/// Nodes with random relationships, each with a number and a weight.
struct Network {
    client: Client,
    nodes: u32,
    ends: Vec<(u32, u32)>,
    weights: Vec<u32>,
}

impl Network {
    fn serve(conditions: &Conditions, row: &str) -> Result<Network> {
        let nodes = ((NODES * conditions.scale) as u32).max(RARE_EVERY + 1);
        let mut random = SplitMix64::new(SEED);
        let mut node = || random.below(u64::from(nodes)) as u32;
        let ends: Vec<(u32, u32)> =
            (0..nodes * RELATIONSHIPS_EACH).map(|_| (node(), node())).collect();
        let weights = ends.iter().map(|_| random.below(100) as u32).collect();
        let mut network = Network { client: Client::serve(conditions, row)?, nodes, ends, weights };
        network.make()?;
        Ok(network)
    }

    fn make(&mut self) -> Result<()> {
        let Network { client, nodes, ends, weights } = self;
        client.ask("CREATE INDEX nodes FOR (n:Node) ON (n.id)", &[])?;
        let (rare, others): (Vec<u32>, Vec<u32>) = (0..*nodes).partition(|node| is_rare(*node));
        client.make("UNWIND $rows AS id CREATE (:Node {id: id})", others, |id| int(*id))?;
        client.make("UNWIND $rows AS id CREATE (:Node:Rare {id: id})", rare, |id| int(*id))?;
        let text = "UNWIND $rows AS row MATCH (a:Node {id: row[0]}) MATCH (b:Node {id: row[1]}) \
                    CREATE (a)-[:KW {number: row[2], weight: row[3]}]->(b)";
        let rows = ends.iter().zip(weights.iter()).enumerate();
        client.make(text, rows, |(number, ((source, target), weight))| {
            Value::list([*source, *target, *number as u32, **weight].map(int).to_vec())
        })
    }

    fn relationships(&self) -> Relationships {
        Relationships::new(self.nodes as usize, self.ends.clone())
    }

    /// Nodes far from one another by number.
    fn pairs(&self) -> Vec<(u32, u32)> {
        let mut random = SplitMix64::new(SEED + 1);
        let mut node = || random.below(u64::from(self.nodes)) as u32;
        let pairs = std::iter::repeat_with(|| (node(), node()));
        pairs.filter(|(source, target)| source != target).take(PAIRS).collect()
    }

    /// Paths from a node, none twice, none with a relationship twice.
    fn check_paths(&self, start: u32, paths: &[Vec<u32>]) -> Result<()> {
        let relationships = self.relationships();
        for (at, path) in paths.iter().enumerate() {
            let mut node = start;
            let is_path = path.iter().enumerate().all(|(at, number)| {
                let is_there = relationships.lists.list(node).contains(number);
                node = relationships.across(*number, node);
                is_there && !path[..at].contains(number)
            });
            let has_length = (1..=LENGTH_MAX).contains(&path.len());
            if !is_path || !has_length || paths[..at].contains(path) {
                return Err(wrong(&format!("{path:?} is no path from {start}, or is there twice")));
            }
        }
        match paths.len() {
            PATHS => Ok(()),
            other => Err(wrong(&format!("{other} paths"))),
        }
    }

    /// The median times of a statement and of array code, in turn.
    fn compared(
        &mut self,
        conditions: &Conditions,
        mut ask: impl FnMut(&mut Client) -> Result<()>,
        mut by_arrays: impl FnMut(),
    ) -> Result<Row> {
        let medians = measure::side_by_side(
            conditions.seconds,
            || ask(&mut self.client),
            || {
                by_arrays();
                Ok(())
            },
        )?;
        Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
    }
}

fn is_rare(node: u32) -> bool {
    node.is_multiple_of(RARE_EVERY)
}

fn int(number: u32) -> Value {
    Value::I64(i64::from(number))
}

fn ends_of((source, target): (u32, u32)) -> [(Arc<str>, Value); 2] {
    [(Arc::from("source"), int(source)), (Arc::from("target"), int(target))]
}

/// A record of one list of numbers.
fn numbers_of(record: &[Datum]) -> Option<Vec<u32>> {
    let Value::List(numbers) = record.first()?.clone().value()? else { return None };
    numbers.iter().map(|number| u32::try_from(number.as_int()?).ok()).collect()
}

fn wrong(what: &str) -> Error {
    Error::new(ErrorKind::Bug, format!("the answer is wrong: {what}"))
}
