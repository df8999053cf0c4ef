//! The type of a value, entries of lists included, in the words of GQL (ISO/IEC 39075).

use std::collections::BTreeSet;

use millrace_model::temporal::DateTime;
use millrace_model::{Result, Value};

use crate::functions::Function;
use crate::functions::arguments::{bad, misplaced};

/// The rows of this family; see `functions!`.
macro_rules! value_type_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// The name of a value's type; a list with the types of its entries.
            ValueType: [1, 1], 0, Fails::May => by_type::value_type::call;
        }
    };
}

/// How deep lists may stand inside each other.
const DEEPEST: usize = 128;

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    if function != Function::ValueType {
        return Err(misplaced(function));
    }
    let name = name(&arguments[0], 0)?;
    let suffix = if arguments[0].is_null() { "" } else { NOT_NULL };
    Ok(Value::string(&format!("{}{suffix}", name.1)))
}

const NOT_NULL: &str = " NOT NULL";

/// A type by its rank among those of a union, and its name.
type Type = (u8, String);

fn name(value: &Value, depth: usize) -> Result<Type> {
    let (rank, name) = match value {
        Value::Null => (0, "NULL"),
        Value::Bool(_) => (1, "BOOLEAN"),
        Value::String(_) => (2, "STRING"),
        Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) => (3, "INTEGER"),
        Value::F32(_) | Value::F64(_) => (4, "FLOAT"),
        Value::Decimal(_) => (5, "DECIMAL"),
        Value::Date(_) => (6, "DATE"),
        Value::Time(time) if time.offset_seconds.is_none() => (7, "LOCAL TIME"),
        Value::Time(_) => (8, "ZONED TIME"),
        Value::DateTime(timestamp) if timestamp.offset_seconds == DateTime::LOCAL => {
            (9, "LOCAL DATETIME")
        }
        Value::DateTime(_) | Value::ZonedDateTime(_) => (10, "ZONED DATETIME"),
        Value::Duration(_) => (11, "DURATION"),
        Value::Point(_) => (12, "POINT"),
        Value::Geometry(_) => (22, "GEOMETRY"),
        Value::Vertex(_) => (13, "NODE"),
        Value::Edge(_) => (14, "RELATIONSHIP"),
        Value::Map(_) | Value::MapEntry(_) => (15, "MAP"),
        Value::List(entries) | Value::Set(entries) => return list(entries, depth),
        Value::Vector(_) => return name(&value.clone().vectors_as_lists(), depth),
        Value::Path(_) => (17, "PATH"),
        Value::Bytes(_) => (18, "BYTES"),
        Value::Uuid(_) => (19, "UUID"),
        Value::VertexProperty(_) | Value::Property(_) | Value::PropertyValues(_) => {
            (20, "PROPERTY VALUE")
        }
        Value::Tree(_) | Value::Token(_) | Value::Subgraph(_) => (21, "ANY"),
    };
    Ok((rank, name.to_owned()))
}

/// If null is among the entries, none of their types excludes it.
fn list(entries: &[Value], depth: usize) -> Result<Type> {
    if DEEPEST < depth {
        return Err(bad("lists stand too deep inside each other for their type to be named"));
    }
    let types = entries.iter().filter(|entry| !entry.is_null());
    let types = types.map(|entry| name(entry, depth + 1)).collect::<Result<BTreeSet<Type>>>()?;
    let has_null = entries.iter().any(Value::is_null);
    let suffix = if has_null { "" } else { NOT_NULL };
    let names: Vec<String> = types.iter().map(|(_, name)| format!("{name}{suffix}")).collect();
    let inner = match (names.is_empty(), has_null) {
        (true, true) => "NULL".to_owned(),
        (true, false) => "NOTHING".to_owned(),
        (false, _) => names.join(" | "),
    };
    Ok((LIST_RANK, format!("LIST<{inner}>")))
}

const LIST_RANK: u8 = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_types_of_its_entries() {
        let list = |entries: Vec<Value>| Value::list(entries);
        for (value, expected) in [
            (Value::Null, "NULL"),
            (1.into(), "INTEGER NOT NULL"),
            (Value::F32(1.0), "FLOAT NOT NULL"),
            (Value::map(Vec::new()), "MAP NOT NULL"),
            (list(vec![]), "LIST<NOTHING> NOT NULL"),
            (list(vec![Value::Null]), "LIST<NULL> NOT NULL"),
            (list(vec![1.into(), 2.into()]), "LIST<INTEGER NOT NULL> NOT NULL"),
            (list(vec![1.into(), Value::Null]), "LIST<INTEGER> NOT NULL"),
            (
                list(vec![1.into(), "a".into(), true.into()]),
                "LIST<BOOLEAN NOT NULL | STRING NOT NULL | INTEGER NOT NULL> NOT NULL",
            ),
            (
                list(vec![list(vec![1.into()]), list(vec![])]),
                "LIST<LIST<INTEGER NOT NULL> NOT NULL | LIST<NOTHING> NOT NULL> NOT NULL",
            ),
        ] {
            let found = Function::ValueType.call(std::slice::from_ref(&value));
            assert_eq!(found, Ok(expected.into()), "{value:?}");
        }
        let zoned = DateTime { seconds: 0, nanos: 0, offset_seconds: 0 };
        let local = DateTime { offset_seconds: DateTime::LOCAL, ..zoned };
        let names = [zoned, local].map(|own| Function::ValueType.call(&[Value::DateTime(own)]));
        assert_eq!(
            names,
            [Ok("ZONED DATETIME NOT NULL".into()), Ok("LOCAL DATETIME NOT NULL".into())]
        );
    }
}
