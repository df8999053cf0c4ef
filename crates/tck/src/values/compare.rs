//! Whether a value is the expected one.
//!
//! A list may have to be in order or not, by the step. Dates, times and durations equal the string that a scenario
//! writes for them; numbers are equal only to numbers of their own kind.

use super::temporal::Instant;
use super::{Hop, Node, Path, Properties, Relationship, Value};

/// Whether the order of a list's elements counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListOrder {
    Counts,
    Ignored,
}

/// Whether a value is the expected one.
pub(crate) fn matches(expected: &Value, actual: &Value, order: ListOrder) -> bool {
    match (expected, actual) {
        (Value::Null, Value::Null) => true,
        (Value::Boolean(expected), Value::Boolean(actual)) => expected == actual,
        (Value::Integer(expected), Value::Integer(actual)) => expected == actual,
        (Value::Float(expected), Value::Float(actual)) => {
            expected == actual || (expected.is_nan() && actual.is_nan())
        }
        (Value::String(expected), Value::String(actual) | Value::Temporal(actual)) => {
            expected == actual
        }
        (Value::String(expected), Value::Zoned(actual)) => {
            Instant::parse(expected).as_ref() == Some(actual)
        }
        (Value::List(expected), Value::List(actual)) => lists(expected, actual, order),
        (Value::Map(expected), Value::Map(actual)) => properties(expected, actual, order),
        (Value::Node(expected), Value::Node(actual)) => nodes(expected, actual, order),
        (Value::Relationship(expected), Value::Relationship(actual)) => {
            relationships(expected, actual, order)
        }
        (Value::Path(expected), Value::Path(actual)) => paths(expected, actual, order),
        (_, _) => false,
    }
}

/// Whether each expected part has a partner of its own among `actual`, with no part left.
pub(super) fn in_any_order<T>(
    expected: &[T],
    actual: &[T],
    is_partner: impl Fn(&T, &T) -> bool,
) -> bool {
    let mut left: Vec<&T> = actual.iter().collect();
    let all_found = expected.iter().all(|wanted| {
        let found = left.iter().position(|part| is_partner(wanted, part));
        found.map(|position| left.swap_remove(position)).is_some()
    });
    all_found && left.is_empty()
}

fn lists(expected: &[Value], actual: &[Value], order: ListOrder) -> bool {
    let is_equal = |expected: &Value, actual: &Value| matches(expected, actual, order);
    match order {
        ListOrder::Ignored => in_any_order(expected, actual, is_equal),
        ListOrder::Counts => {
            expected.len() == actual.len()
                && expected.iter().zip(actual).all(|(expected, actual)| is_equal(expected, actual))
        }
    }
}

fn properties(expected: &Properties, actual: &Properties, order: ListOrder) -> bool {
    expected.len() == actual.len()
        && expected
            .iter()
            .all(|(key, value)| actual.get(key).is_some_and(|own| matches(value, own, order)))
}

fn nodes(expected: &Node, actual: &Node, order: ListOrder) -> bool {
    expected.labels == actual.labels && properties(&expected.properties, &actual.properties, order)
}

fn relationships(expected: &Relationship, actual: &Relationship, order: ListOrder) -> bool {
    expected.kind == actual.kind && properties(&expected.properties, &actual.properties, order)
}

fn paths(expected: &Path, actual: &Path, order: ListOrder) -> bool {
    let is_equal = |expected: &Hop, actual: &Hop| {
        expected.forward == actual.forward
            && relationships(&expected.relationship, &actual.relationship, order)
            && nodes(&expected.node, &actual.node, order)
    };
    nodes(&expected.start, &actual.start, order)
        && expected.hops.len() == actual.hops.len()
        && expected
            .hops
            .iter()
            .zip(&actual.hops)
            .all(|(expected, actual)| is_equal(expected, actual))
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn equal(expected: &str, actual: &str, order: ListOrder) -> bool {
        let read = |text: &str| parse(text).expect("a value");
        matches(&read(expected), &read(actual), order)
    }

    #[test]
    fn a_value_matches_itself_and_no_other() {
        let texts = [
            "null",
            "true",
            "false",
            "1",
            "1.0",
            "NaN",
            "'1'",
            "[]",
            "[1, 2]",
            "[2, 1]",
            "[1, 2, 2]",
            "{}",
            "{a: 1}",
            "{a: 1, b: null}",
            "()",
            "(:A)",
            "(:A {a: 1})",
            "[:T]",
            "[:T {a: 1}]",
            "<()>",
            "<()-[:T]->()>",
            "<()<-[:T]-()>",
        ];
        for expected in texts {
            for actual in texts {
                let is_same = expected == actual;
                assert_eq!(
                    equal(expected, actual, ListOrder::Counts),
                    is_same,
                    "{expected} {actual}"
                );
            }
        }
    }

    #[test]
    fn without_order_lists_are_bags_at_any_depth() {
        assert!(equal("[1, 2]", "[2, 1]", ListOrder::Ignored));
        assert!(equal("{a: [[1, 2], []]}", "{a: [[], [2, 1]]}", ListOrder::Ignored));
        assert!(equal("(:A {a: [1, 2]})", "(:A {a: [2, 1]})", ListOrder::Ignored));
        assert!(!equal("[1, 1, 2]", "[1, 2, 2]", ListOrder::Ignored));
        assert!(!equal("[1, 2]", "[1, 2, 2]", ListOrder::Ignored));
    }

    #[test]
    fn a_temporal_value_matches_its_text() {
        let text = |text: &str| Value::String(text.to_owned());
        let date = Value::Temporal("1984-10-11".to_owned());
        assert!(matches(&text("1984-10-11"), &date, ListOrder::Counts));
        assert!(!matches(&text("1984-10-12"), &date, ListOrder::Counts));
        let zoned = Value::Zoned(Instant { seconds: 0, nanos: 0, zone: "Europe/Paris".to_owned() });
        assert!(matches(&text("1970-01-01T01:00+01:00[Europe/Paris]"), &zoned, ListOrder::Counts));
        assert!(!matches(&text("1970-01-01T01:00+01:00[Europe/Rome]"), &zoned, ListOrder::Counts));
        assert!(!matches(&text("1970-01-01T01:00Z"), &zoned, ListOrder::Counts));
    }
}
