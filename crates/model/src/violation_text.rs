//! The text of a broken rule of the schema. It is Neo4j's, on which its clients act: they look for
//! `already exists with label`.
//!
//! Above the errors, as it shows values in the forms of `temporal`; no other text enters.

use std::fmt;

use crate::base::ids::VertexId;
use crate::base::java_float;
use crate::errors::violation::{Violation, Violator};
use crate::geometry::geojson;
use crate::temporal::{Seconds, text};
use crate::values::value::Value;

/// Characters of a value that a message repeats: an error is no place for a book.
const VALUE_CHARS_MAX: usize = 200;

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::Duplicate { element, other, values } => {
                let (word, owner) = (element.owner_word(), &element.owner);
                match other {
                    None => write!(f, "{element} already exists with {word} `{owner}` and ")?,
                    Some(id) => {
                        let other = Violator { id: *id, ..element.clone() };
                        write!(f, "Both {element} and {other} have the {word} `{owner}` and ")?;
                    }
                }
                f.write_str(if values.len() == 1 { "property" } else { "properties" })?;
                for (place, (key, value)) in values.iter().enumerate() {
                    let separator = if place == 0 { " " } else { ", " };
                    write!(f, "{separator}`{key}` = {}", shown(value))?;
                }
                Ok(())
            }
            Violation::Missing { element, key } => {
                let (word, owner) = (element.owner_word(), &element.owner);
                write!(f, "{element} with {word} `{owner}` must have the property `{key}`")
            }
            Violation::Connected { is_new: true, .. } => f.write_str(
                "Cannot delete node that was created in this transaction, because it still has relationships.",
            ),
            Violation::Connected { vertex: VertexId(id), is_new: false } => write!(
                f,
                "Cannot delete node<{id}>, because it still has relationships. To delete this node, you must \
                 first delete its relationships."
            ),
        }
    }
}

impl Violator {
    fn owner_word(&self) -> &'static str {
        if self.is_edge { "type" } else { "label" }
    }
}

impl fmt::Display for Violator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_edge { "Relationship" } else { "Node" };
        write!(f, "{kind}({})", self.id)
    }
}

/// A value as Neo4j writes it in messages, shortened.
fn shown(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    if out.chars().count() <= VALUE_CHARS_MAX {
        return out;
    }
    out.chars().take(VALUE_CHARS_MAX).chain(['…']).collect()
}

fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::String(text) => {
            out.push('\'');
            out.extend(text.chars().take(VALUE_CHARS_MAX));
            out.push('\'');
        }
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::F64(double) => out.push_str(&java_float::text(*double)),
        Value::F32(float) => out.push_str(&java_float::text_of_f32(*float)),
        Value::List(values) => {
            out.push('[');
            for (place, value) in values.iter().take(VALUE_CHARS_MAX).enumerate() {
                out.push_str(if place == 0 { "" } else { ", " });
                write_value(out, value);
            }
            out.push(']');
        }
        Value::Vector(_) => write_value(out, &value.clone().vectors_as_lists()),
        Value::Point(point) => {
            let numbers = point.coordinates.iter().map(|number| java_float::text(*number));
            let numbers = numbers.collect::<Vec<_>>().join(", ");
            out.push_str(&format!(
                "{{geometry: {{type: \"Point\", coordinates: [{numbers}], crs: {{type: link, properties: \
                 {{href: \"{}\", code: {}}}}}}}}}",
                reference(point.srid),
                point.srid
            ));
        }
        Value::Geometry(shape) => out.push_str(&geojson::text(shape)),
        other => match other.as_int() {
            Some(int) => out.push_str(&int.to_string()),
            None => match text(other, Seconds::Always) {
                Some(text) => out.push_str(&text),
                None => out.push_str(other.type_name()),
            },
        },
    }
}

/// Where a coordinate system is described.
fn reference(srid: u32) -> String {
    match srid {
        4326 | 4979 => format!("http://spatialreference.org/ref/epsg/{srid}/"),
        _ => format!("https://spatialreference.org/ref/sr-org/{srid}/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: u64) -> Violator {
        Violator { is_edge: false, id, owner: "U".into() }
    }

    #[test]
    fn the_words_are_those_that_clients_look_for() {
        let one = vec![("k".into(), Value::I64(1))];
        let both = vec![("a".into(), Value::I64(1)), ("b".into(), Value::from("x"))];
        let edge = Violator { is_edge: true, id: 2, owner: "R".into() };
        let duplicate = |element, other, values| Violation::Duplicate { element, other, values };
        for (violation, expected) in [
            (
                duplicate(node(1), None, one.clone()),
                "Node(1) already exists with label `U` and property `k` = 1",
            ),
            (
                duplicate(edge, None, both),
                "Relationship(2) already exists with type `R` and properties `a` = 1, `b` = 'x'",
            ),
            (
                duplicate(node(0), Some(2), one),
                "Both Node(0) and Node(2) have the label `U` and property `k` = 1",
            ),
            (
                Violation::Missing { element: node(0), key: "k".into() },
                "Node(0) with label `U` must have the property `k`",
            ),
            (
                Violation::Connected { vertex: VertexId(11), is_new: false },
                "Cannot delete node<11>, because it still has relationships. To delete this node, you must first \
                 delete its relationships.",
            ),
        ] {
            assert_eq!(violation.to_string(), expected);
        }
    }

    #[test]
    fn values_are_written_as_in_neo4j_and_shortened() {
        let list =
            |values: &[&str]| Value::list(values.iter().map(|text| Value::from(*text)).collect());
        for (value, expected) in [
            (Value::F64(1.5), "1.5"),
            (Value::F64(1e10), "1.0E10"),
            (Value::Bool(true), "true"),
            (Value::from("it's \"q\""), "'it's \"q\"'"),
            (list(&["a", "b"]), "['a', 'b']"),
        ] {
            assert_eq!(shown(&value), expected);
        }
        assert_eq!(shown(&Value::from(&*"x".repeat(10_000))).chars().count(), VALUE_CHARS_MAX + 1);
    }
}
