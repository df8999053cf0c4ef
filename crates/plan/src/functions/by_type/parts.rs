//! Parts of a value by their number or name, and whether it has none.
//!
//! These functions never look at the graph: the properties of an element are read by an expression, which
//! gives a map, and `Expr::at` does so.

use millrace_model::{Error, Result, Value, element_id};

use crate::functions::arguments::{bad, int, list, map, misplaced, place, text};
use crate::functions::by_type::temporal;
use crate::functions::{Function, IndexMode, Outside, geometries, points};

/// The rows of this family; see `functions!`.
macro_rules! parts_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// The entry of a list by its number from 0 or, below 0, from the end; the value of a map under a key; a
            /// component. Null where a list or map has none.
            At: [2, 2], ALL, Fails::May => by_type::parts::call;
            /// A part of a value that is not a map, by its name; an error if it has none of that name.
            Component: [2, 2], ALL, Fails::May => by_type::parts::call;
            /// Whether a text, list or map has no characters, entries or pairs.
            IsEmpty: [1, 1], ALL, Fails::May => by_type::parts::call;
            /// The external id of an element as a number: itself, or of a text the internal id below 0. The second
            /// argument is the element.
            NumberOfId: [2, 2], ALL, Fails::May => by_type::parts::call;
            /// The external id of an element as Neo4j's clients know it: its text, with the prefix of vertices or that of
            /// edges. The second argument is the element.
            ElementId: [2, 2], ALL, Fails::May => by_type::parts::call;
        }
    };
}

/// Entries from 0 on, or from the end.
const ENTRIES: IndexMode = IndexMode { first: 0, from_end: true, outside: Outside::Missing };

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let first = &arguments[0];
    match function {
        Function::At => at(first, &arguments[1]),
        Function::Component => component(first, text(function, &arguments[1])?),
        Function::IsEmpty => Ok(Value::Bool(match first {
            Value::String(text) => text.is_empty(),
            Value::Map(pairs) => pairs.is_empty(),
            other => list(function, other)?.is_empty(),
        })),
        Function::NumberOfId => match first {
            Value::String(_) => number_of_text_id(function, &arguments[1]),
            id => Ok(Value::I64(int(function, id)?)),
        },
        Function::ElementId => {
            let prefix = match &arguments[1] {
                Value::Vertex(_) => element_id::NODE_PREFIX,
                Value::Edge(_) => element_id::RELATIONSHIP_PREFIX,
                other => return Err(no_element(function, other)),
            };
            Ok(Value::from(&*match first {
                Value::String(text) => format!("{prefix}{text}"),
                id => format!("{prefix}{}", int(function, id)?),
            }))
        }
        other => Err(misplaced(other)),
    }
}

fn no_element(function: Function, found: &Value) -> Error {
    bad(format!("{function} expects an element but got a {}", found.type_name()))
}

fn at(value: &Value, part: &Value) -> Result<Value> {
    let function = Function::At;
    match (value, part) {
        (Value::List(entries) | Value::Set(entries), part) if part.as_int().is_some() => {
            let found = place(ENTRIES, int(function, part)?, entries.len())?;
            Ok(found.map_or(Value::Null, |found| entries[found].clone()))
        }
        (Value::Map(_), Value::String(_)) => {
            let found = map(function, value)?.iter().find(|(key, _)| key == part);
            Ok(found.map_or(Value::Null, |(_, value)| value.clone()))
        }
        (Value::List(_) | Value::Set(_), part) => {
            let found = part.type_name();
            Err(bad(format!("an entry of a list is asked for by a {found}, not by a whole number")))
        }
        (Value::Map(_), part) => {
            let found = part.type_name();
            let detail = format!("a value of a map is asked for by a {found}, not by a text");
            Err(bad(detail).with_name("MapElementAccessByNonString"))
        }
        (value, Value::String(name)) => component(value, name),
        (value, _) => {
            let found = value.type_name();
            let detail = format!("an entry is asked of a {found}, which is no list and no map");
            Err(bad(detail).with_name("InvalidArgumentType"))
        }
    }
}

fn component(value: &Value, name: &str) -> Result<Value> {
    let found = match value {
        Value::Point(point) => points::component(point, name),
        Value::Geometry(shape) => geometries::component(shape, name),
        value => temporal::component(value, name),
    };
    found.unwrap_or_else(|| {
        let kind = value.type_name();
        let detail = format!("property {name} is asked of a {kind}, which has none");
        Err(bad(detail).with_name("PropertyAccessOnNonMap"))
    })
}

/// Below 0, since external ids that are numbers are not.
fn number_of_text_id(function: Function, element: &Value) -> Result<Value> {
    let internal = match element {
        Value::Vertex(vertex) => vertex.0,
        Value::Edge(edge) => edge.0,
        other => return Err(no_element(function, other)),
    };
    let number = i64::try_from(internal).map_err(|_| bad("an internal id is out of range"))?;
    Ok(Value::I64(-1 - number))
}

#[cfg(test)]
mod tests {
    use millrace_model::{EdgeId, VertexId};

    use super::*;

    #[test]
    fn the_number_of_a_text_id_is_below_zero() {
        let number = |id: Value, element| Function::NumberOfId.call(&[id, element]);
        assert_eq!(number(7.into(), Value::Edge(EdgeId(1))), Ok(7.into()));
        assert_eq!(number("a".into(), Value::Vertex(VertexId(0))), Ok((-1).into()));
        assert_eq!(number("a".into(), Value::Edge(EdgeId(4))), Ok((-5).into()));
        assert_eq!(number(Value::Null, Value::Null), Ok(Value::Null));
        number("a".into(), 1.into()).expect_err("no element");
    }

    #[test]
    fn an_element_id_is_no_number_and_has_the_prefix_of_its_kind() {
        let text = |id: Value, element| Function::ElementId.call(&[id, element]);
        assert_eq!(text(7.into(), Value::Vertex(VertexId(1))), Ok("4:0:7".into()));
        assert_eq!(text("a:b".into(), Value::Edge(EdgeId(1))), Ok("5:0:a:b".into()));
        assert_eq!(text(Value::Null, Value::Null), Ok(Value::Null));
        text(7.into(), 1.into()).expect_err("no element");
    }
}
