//! The same questions after a tenth of the nodes was changed and no checkpoint merged it, beside the graph without the
//! changes.

use std::sync::Arc;

use millrace_model::{Result, Value};

use super::graph::{GRAPH_NAME, arrays, cached, size};
use super::question::Question;
use crate::data::Scratch;
use crate::experiments::asked::AskedGraph;
use crate::experiments::cypher::count;
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::limit::scans::{People, Texts};
use crate::measure;
use crate::report::{Row, Unit};

/// The first node that is changed, and how far it is from one to the next.
const FIRST: u64 = 3;
const STEP: u64 = 10;

/// Nodes of one transaction.
const BATCH: u64 = 5_000;

/// What is changed, in Cypher and in arrays.
pub(super) struct Change {
    text: &'static str,
    arrays: fn(&mut People),
}

/// Three properties of the nodes: cities are twice as many then.
pub(super) const NODES: Change = Change {
    text: "UNWIND range($first, $last, $step) AS uid MATCH (p:Person {uid: uid}) \
           SET p.age = 108 - p.age, p.score = 100.0 - p.score, p.city = 'New ' + p.city \
           RETURN count(p)",
    arrays: change_nodes,
};

/// A property of the relationships that leave the nodes.
pub(super) const RELATIONSHIPS: Change = Change {
    text: "UNWIND range($first, $last, $step) AS uid MATCH (p:Person {uid: uid}) \
           OPTIONAL MATCH (p)-[r:KNOWS]->() SET r.since = 4025 - r.since \
           RETURN count(DISTINCT p)",
    arrays: change_relationships,
};

/// The median times of the changed graph and of the graph as it was loaded, in turn.
pub(super) fn dirty(
    conditions: &Conditions,
    row: &str,
    question: &Question<People>,
    change: &Change,
) -> Result<Row> {
    let people = size(conditions);
    let cached = cached(&conditions.data, &people)?;
    let copy = Scratch::copy(&conditions.data, row, &cached)?;
    let served = Served::unmerged(conditions, copy.path().to_owned())?;
    let mut dirty = AskedGraph::of(served, GRAPH_NAME, Some(copy))?;
    let mut clean = AskedGraph::of(Served::start(conditions, cached)?, GRAPH_NAME, None)?;
    let mut arrays = arrays(&people);
    let of_clean = question.check(&clean, &arrays)?;
    let changed = change.make(&dirty, u64::from(people.people))?;
    (change.arrays)(&mut arrays);
    let of_dirty = question.check(&dirty, &arrays)?;
    let (one, other) = ([dirty.request(question.text)?], [clean.request(question.text)?]);
    let medians = measure::side_by_side(
        conditions.seconds,
        || dirty.ask(&one, of_dirty),
        || clean.ask(&other, of_clean),
    )?;
    Ok(Row::new(medians.value * 1e3, Unit::Milliseconds).beside(medians.reference * 1e3).with(
        "changed_nodes",
        changed as f64,
        Unit::Count,
    ))
}

impl Change {
    /// Changes the graph; says how many nodes were found.
    fn make(&self, graph: &AskedGraph, people: u64) -> Result<u64> {
        let mut changed = 0;
        for first in (FIRST..people).step_by((BATCH * STEP) as usize) {
            let last = people.min(first + BATCH * STEP) - 1;
            let numbers = [("first", first), ("last", last), ("step", STEP)];
            let numbers: [(Arc<str>, Value); 3] =
                numbers.map(|(name, number)| (name.into(), Value::I64(number as i64)));
            changed += count(&graph.records(self.text, &numbers)?)?;
        }
        Ok(changed)
    }
}

fn is_changed(uid: u64) -> bool {
    uid % STEP == FIRST
}

fn change_nodes(people: &mut People) {
    let mut cities = Texts::default();
    for (uid, city) in (0..).zip(people.city.iter()) {
        match is_changed(uid) {
            true => cities.push(&format!("New {city}")),
            false => cities.push(city),
        }
    }
    people.city = cities;
    for (uid, (age, score)) in (0..).zip(people.age.iter_mut().zip(&mut people.score)) {
        if is_changed(uid) {
            (*age, *score) = (108 - *age, 100.0 - *score);
        }
    }
}

fn change_relationships(people: &mut People) {
    for (source, since) in people.knows.source.iter().zip(&mut people.knows.since) {
        if is_changed(u64::from(*source)) {
            *since = 4025 - *since;
        }
    }
}
