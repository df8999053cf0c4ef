//! The three hops of the likes graph over Bolt, beside the same in Lua over HTTP: Cypher uses no relationship
//! twice in a pattern, the scripts do. Every answer is compared with that of arrays first.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::bolt::client::Connection as Driver;
use millrace_wire::bolt::packstream::Datum;

use super::count as only_number;
use crate::clients::bolt::driver;
use crate::experiments::likes::{
    GRAPH_NAME, arrays, cached, check, edges, people, question, script, size,
};
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::limit::{Counted, count_trails, recommend_bulked};
use crate::measure;
use crate::report::{Row, Unit};

const LABELLED: &str =
    "MATCH (p:Person {username: $name})-[:LIKES]->(:Item)<-[:LIKES]-(:Person)-[:LIKES]->(i:Item) ";

const PLAIN: &str = "MATCH (p:Person {username: $name})-[:LIKES]->()<-[:LIKES]-()-[:LIKES]->(i) ";

/// The best items, grouped by name; the person's own are left out in the `MATCH`.
pub(super) fn recommend(conditions: &Conditions) -> Result<Row> {
    let rest = "WHERE NOT (p)-[:LIKES]->(i) \
                RETURN i.name, count(*) AS c ORDER BY c DESC LIMIT 25";
    recommended(conditions, &format!("{LABELLED}{rest}"))
}

/// The same, the person's own items left out once they are counted.
pub(super) fn recommend_with(conditions: &Conditions) -> Result<Row> {
    let rest = "WITH p, i, count(*) AS c WHERE NOT (p)-[:LIKES]->(i) \
                RETURN i.name, c ORDER BY c DESC LIMIT 25";
    recommended(conditions, &format!("{LABELLED}{rest}"))
}

/// The number of paths, with a label on every node, beside a recommendation.
pub(super) fn count_labelled(conditions: &Conditions) -> Result<Row> {
    counted(conditions, LABELLED, question)
}

/// The number of paths, beside that of walks.
pub(super) fn count(conditions: &Conditions) -> Result<Row> {
    counted(conditions, PLAIN, |person| {
        let hops = ":out('LIKES'):in_('LIKES'):out('LIKES'):count()";
        script(&format!("Traversal.from('Person', 'person{}'){hops}", person + 1))
    })
}

fn recommended(conditions: &Conditions, text: &str) -> Result<Row> {
    let likes = size(conditions);
    let served = Served::start(conditions, cached(&conditions.data, &likes)?)?;
    let arrays = arrays(&likes, &edges(&likes));
    let mut bolt = Asking::open(&served, text)?;
    for person in people(&likes) {
        let items: Option<Vec<Counted>> = bolt.ask(person)?.iter().map(|row| item(row)).collect();
        let items = items.ok_or_else(|| wrong(person, "is no list of items"))?;
        check(person, &in_order(items), &recommend_bulked(&arrays, person, 1))?;
    }
    compared(conditions, &served, bolt, question)
}

fn counted(
    conditions: &Conditions,
    pattern: &str,
    reference: impl Fn(u32) -> Vec<u8>,
) -> Result<Row> {
    let likes = size(conditions);
    let served = Served::start(conditions, cached(&conditions.data, &likes)?)?;
    let arrays = arrays(&likes, &edges(&likes));
    let mut bolt = Asking::open(&served, &format!("{pattern}RETURN count(*)"))?;
    for person in people(&likes) {
        let (found, expected) = (only_number(&bolt.ask(person)?)?, count_trails(&arrays, person));
        if found != expected {
            return Err(wrong(person, &format!("has {found} paths, by arrays {expected}")));
        }
    }
    compared(conditions, &served, bolt, reference)
}

/// The median times of a question over Bolt and of a script over HTTP, in turn.
fn compared(
    conditions: &Conditions,
    served: &Served,
    mut bolt: Asking,
    reference: impl Fn(u32) -> Vec<u8>,
) -> Result<Row> {
    let likes = size(conditions);
    let mut scripts = served.connect()?;
    let (mut asked, mut others) = (people(&likes).cycle(), people(&likes).cycle());
    let medians = measure::side_by_side(
        conditions.seconds,
        || bolt.ask(asked.next().unwrap_or(0)).map(|_| ()),
        || scripts.ask(&reference(others.next().unwrap_or(0))).map(|_| ()),
    )?;
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3))
}

/// A question that differs in the name of a person.
struct Asking {
    driver: Driver<std::net::TcpStream>,
    text: String,
}

impl Asking {
    fn open(served: &Served, text: &str) -> Result<Asking> {
        Ok(Asking { driver: driver(served.bolt())?, text: format!("USE {GRAPH_NAME} {text}") })
    }

    fn ask(&mut self, person: u32) -> Result<Vec<Vec<Datum>>> {
        let name = Value::from(format!("person{}", person + 1).as_str());
        let answer = self.driver.run(&self.text, &[(Arc::from("name"), name)]);
        Ok(answer.map_err(|error| wrong(person, &error.to_string()))?.records)
    }
}

/// The number of an item by its name, and how often it is there.
fn item(record: &[Datum]) -> Option<Counted> {
    let [name, count] = record else { return None };
    let number: u32 = name.as_str()?.strip_prefix("item")?.parse().ok()?;
    Some((number.checked_sub(1)?, u64::try_from(count.as_int()?).ok()?))
}

fn in_order(mut items: Vec<Counted>) -> Vec<Counted> {
    items.sort_unstable_by_key(|(item, count)| (std::cmp::Reverse(*count), *item));
    items
}

fn wrong(person: u32, answer: &str) -> Error {
    Error::new(ErrorKind::Bug, format!("the answer for person {person}: {answer}"))
}
