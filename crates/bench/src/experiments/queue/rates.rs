//! Messages in a second.

use millrace_model::Result;
use millrace_queue::QueueSettings;
use millrace_queue::settings::{Format, KeyFrom};

use super::consumed::{Consumed, Message, alternately};
use crate::experiments::cypher;
use crate::experiments::measurement::Conditions;
use crate::report::{Row, Unit};

/// A node for each message.
const ONE: &str = "UNWIND $messages AS m CREATE (:Person {id: m.id, name: m.name})";

/// A node for each of a message's rows, as `cypher.unwind` makes them.
const HUNDRED: &str =
    "UNWIND $messages AS rows UNWIND rows AS row CREATE (:Person {id: row.id, name: row.name})";

/// Messages of a run.
const MESSAGES: u64 = 50_000;

/// Messages of a run, if each has a hundred nodes.
const MESSAGES_OF_HUNDRED: u64 = 2_000;
const NODES_PER_MESSAGE: u64 = 100;

/// Messages of a transaction then.
const BATCH_OF_HUNDRED: usize = 100;

/// Messages that are sent again: as many as keys are kept.
const AGAIN: u64 = 100_000;

fn messages(conditions: &Conditions, full: u64) -> u64 {
    ((full as f64 * conditions.scale) as u64).max(1_000)
}

fn person(id: u64) -> String {
    format!("{{\"id\":{id},\"name\":\"person{id}\"}}")
}

/// A message of one node, whose id is its key.
fn one_node(id: u64) -> Message {
    (Some(id.to_string()), person(id).into_bytes())
}

fn open(conditions: &Conditions, name: &str, statement: &str) -> Result<Consumed> {
    let mut consumed = Consumed::new(conditions, name, statement)?;
    consumed.settings.format = Format::Json;
    Ok(consumed)
}

/// A node a message; the reference does nothing.
pub(super) fn one(conditions: &Conditions) -> Result<Row> {
    let count = messages(conditions, MESSAGES);
    let consumed = open(conditions, "queue.one", ONE)?;
    let fill = |run: usize| {
        let first = run as u64 * count;
        consumed.publish((first..first + count).map(one_node))
    };
    let (value, reference) = alternately(
        |run| fill(run).and_then(|()| consumed.millrace(&consumed.settings, count)),
        |run| fill(run).and_then(|()| consumed.idle(count as usize)),
    )?;
    consumed.expect(RUNS * count)?;
    consumed.end()?;
    Ok(rate(count, value, reference))
}

/// Runs that fill the graph.
const RUNS: u64 = 5;

fn rate(count: u64, value: f64, reference: f64) -> Row {
    let rate = |seconds: f64| count as f64 / seconds;
    Row::new(rate(value), Unit::PerSecond).beside(rate(reference))
}

/// A hundred nodes a message; the reference is `cypher.unwind`.
pub(super) fn hundred(conditions: &Conditions) -> Result<Row> {
    let count = messages(conditions, MESSAGES_OF_HUNDRED);
    let consumed = open(conditions, "queue.hundred", HUNDRED)?;
    let settings = QueueSettings { batch_messages: BATCH_OF_HUNDRED, ..consumed.settings.clone() };
    let message = |number: u64| {
        let first = number * NODES_PER_MESSAGE;
        let people: Vec<String> = (first..first + NODES_PER_MESSAGE).map(person).collect();
        (Some(number.to_string()), format!("[{}]", people.join(",")).into_bytes())
    };
    let (value, _) = alternately(
        |run| {
            let first = run as u64 * count;
            consumed.publish((first..first + count).map(message))?;
            consumed.millrace(&settings, count)
        },
        |_| Ok(0.0),
    )?;
    consumed.expect(RUNS * count * NODES_PER_MESSAGE)?;
    consumed.end()?;
    let nodes = (count * NODES_PER_MESSAGE) as f64 / value;
    Ok(Row::new(nodes, Unit::PerSecond).beside(cypher::unwind(conditions)?.value))
}

/// A node a message with keys; the reference keeps none.
pub(super) fn keys(conditions: &Conditions) -> Result<Row> {
    let count = messages(conditions, MESSAGES);
    let consumed = open(conditions, "queue.keys", ONE)?;
    let none = QueueSettings { key: KeyFrom::None, ..consumed.settings.clone() };
    let fill = |run: usize| {
        let first = run as u64 * count;
        consumed.publish((first..first + count).map(one_node))
    };
    let (value, reference) = alternately(
        |run| fill(run).and_then(|()| consumed.millrace(&consumed.settings, count)),
        |run| fill(run).and_then(|()| consumed.millrace(&none, count)),
    )?;
    consumed.expect(2 * RUNS * count)?;
    consumed.end()?;
    Ok(rate(count, value, reference))
}

/// Messages that were applied before; the reference does nothing.
pub(super) fn again(conditions: &Conditions) -> Result<Row> {
    let count = messages(conditions, AGAIN);
    let consumed = open(conditions, "queue.again", ONE)?;
    let fill = || consumed.publish((0..count).map(one_node));
    fill()?;
    consumed.millrace(&consumed.settings, count)?;
    consumed.expect(count)?;
    let position = consumed.database.graph(super::consumed::GRAPH)?.visible_position();
    let (value, reference) = alternately(
        |_| fill().and_then(|()| consumed.millrace(&consumed.settings, count)),
        |_| fill().and_then(|()| consumed.idle(count as usize)),
    )?;
    consumed.expect(count)?;
    let after = consumed.database.graph(super::consumed::GRAPH)?.visible_position();
    let mut row = rate(count, value, reference);
    if after != position {
        row.fault = Some("messages that were sent again wrote something".to_owned());
    }
    consumed.end()?;
    Ok(row)
}
