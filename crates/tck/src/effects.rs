//! Side effects of a query: the difference between the states of a graph before and after it.
//!
//! Elements count by their ids, labels by their distinct names, properties as triples of element, key and value. A
//! driver's counters count otherwise: five nodes with one new label are `+labels 1` here. The kinds of steps
//! never enter here.

use std::collections::{BTreeMap, BTreeSet};

use crate::executor::{Executor, RunError};
use crate::values::{Properties, Value};

const ALL_NODES: &str = "MATCH (n) RETURN n";
const ALL_RELATIONSHIPS: &str = "MATCH ()-[r]->() RETURN r";

/// The kinds of changes, without sign.
const KINDS: [&str; 4] = ["nodes", "relationships", "labels", "properties"];

/// The state of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    nodes: BTreeSet<String>,
    relationships: BTreeSet<String>,
    labels: BTreeSet<String>,
    /// Element, key and value as text.
    properties: BTreeSet<(String, String, String)>,
}

impl State {
    /// Reads the state of the executor's graph.
    pub(crate) fn read(executor: &mut dyn Executor) -> Result<State, RunError> {
        let mut state = State::default();
        for query in [ALL_NODES, ALL_RELATIONSHIPS] {
            let answer = executor.run(query, &[])?;
            answer.rows.iter().flatten().for_each(|value| state.add(value));
        }
        Ok(state)
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Node(node) => {
                self.labels.extend(node.labels.iter().cloned());
                self.add_properties(&format!("node {}", node.id), &node.properties);
                self.nodes.insert(node.id.clone());
            }
            Value::Relationship(own) => {
                self.add_properties(&format!("relationship {}", own.id), &own.properties);
                self.relationships.insert(own.id.clone());
            }
            Value::Null
            | Value::Boolean(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::String(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Path(_)
            | Value::Temporal(_)
            | Value::Zoned(_)
            | Value::Other(_) => {}
        }
    }

    fn add_properties(&mut self, element: &str, properties: &Properties) {
        let triples = properties
            .iter()
            .map(|(key, value)| (element.to_owned(), key.clone(), value.to_string()));
        self.properties.extend(triples);
    }

    /// How many parts of each kind are here and not in `other`, in the order of [`KINDS`].
    fn beyond(&self, other: &State) -> [usize; 4] {
        [
            self.nodes.difference(&other.nodes).count(),
            self.relationships.difference(&other.relationships).count(),
            self.labels.difference(&other.labels).count(),
            self.properties.difference(&other.properties).count(),
        ]
    }
}

/// The changes between two states by sign and kind, without those that did not occur.
pub(crate) fn changes(before: &State, after: &State) -> BTreeMap<String, usize> {
    let signed = |sign: char, counts: [usize; 4]| {
        KINDS.iter().zip(counts).map(move |(kind, count)| (format!("{sign}{kind}"), count))
    };
    let added = signed('+', after.beyond(before));
    let removed = signed('-', before.beyond(after));
    added.chain(removed).filter(|(_, count)| *count != 0).collect()
}

/// Fails with both if the changes are not those that a step's table expects.
pub(crate) fn compare(table: &[Vec<String>], before: &State, after: &State) -> Result<(), String> {
    let mut expected = BTreeMap::new();
    for row in table {
        let [change, count] = row.as_slice() else {
            return Err(format!("a side effect has a kind and a count, not {row:?}"));
        };
        let is_known = change.strip_prefix(['+', '-']).is_some_and(|kind| KINDS.contains(&kind));
        let count: usize = match count.parse() {
            Ok(count) if is_known => count,
            Ok(_) | Err(_) => return Err(format!("there is no side effect `{change} {count}`")),
        };
        if count != 0 {
            expected.insert(change.clone(), count);
        }
    }
    let changes = changes(before, after);
    if changes == expected {
        return Ok(());
    }
    Err(format!("expected the side effects {}, not {}", shown(&expected), shown(&changes)))
}

fn shown(changes: &BTreeMap<String, usize>) -> String {
    if changes.is_empty() {
        return "none".to_owned();
    }
    changes.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Node, Relationship, parse};

    fn state(nodes: &[(&str, &str)], relationships: &[(&str, &str)]) -> State {
        let mut state = State::default();
        for (id, text) in nodes {
            let Ok(Value::Node(node)) = parse(text) else { panic!("{text}") };
            state.add(&Value::Node(Node { id: (*id).to_owned(), ..node }));
        }
        for (id, text) in relationships {
            let Ok(Value::Relationship(own)) = parse(text) else { panic!("{text}") };
            state.add(&Value::Relationship(Relationship { id: (*id).to_owned(), ..own }));
        }
        state
    }

    fn table(text: &str) -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
    }

    #[test]
    fn labels_count_by_name_and_properties_by_element_key_and_value() {
        let before = state(&[("1", "(:A {k: 1})"), ("2", "(:A:B)")], &[("1", "[:T {k: 1}]")]);
        let after = state(
            &[("1", "(:A {k: 2})"), ("3", "(:A:C {k: 1, l: 1})"), ("4", "(:C)")],
            &[("2", "[:T {k: 1}]")],
        );
        let wanted = "+nodes 2\n-nodes 1\n+relationships 1\n-relationships 1\n+labels 1\n-labels 1\n\
                      +properties 4\n-properties 2";
        assert_eq!(compare(&table(wanted), &before, &after), Ok(()));
        let refused = compare(&table("+nodes 2"), &before, &after).expect_err("more changes");
        assert!(
            refused.starts_with("expected the side effects +nodes 2, not +labels 1, "),
            "{refused}"
        );
    }

    #[test]
    fn equal_states_have_no_effects() {
        let own = state(&[("1", "(:A {k: 1})")], &[]);
        assert_eq!(compare(&[], &own, &own), Ok(()));
        assert_eq!(compare(&table("+nodes 0"), &own, &own), Ok(()));
        let refused = compare(&table("+labels 1"), &own, &own).expect_err("no change");
        assert_eq!(refused, "expected the side effects +labels 1, not none");
    }

    #[test]
    fn an_unknown_effect_is_an_error() {
        let own = State::default();
        for wrong in ["+indexes 1", "nodes 1", "+nodes many", "+nodes"] {
            assert!(compare(&table(wrong), &own, &own).is_err(), "{wrong}");
        }
    }
}
