//! Parameters in JSON with types: each value is an object with `$type` and `_value`.

use std::sync::Arc;

use millrace_model::temporal::{TemporalKind, make, make_duration};
use millrace_model::value::Point;
use millrace_model::{Error, ErrorKind, Result, Value};

use crate::base64;
use crate::http::target::bad;

/// The parameters of a query: an object of values with types, or such an object with a type of its own.
pub fn read(parameters: &Value) -> Result<Value> {
    match parameters {
        Value::Map(pairs) if field(pairs, "$type").is_none() => read_map(pairs),
        other => read_value(other),
    }
}

fn field<'p>(pairs: &'p [(Value, Value)], name: &str) -> Option<&'p Value> {
    pairs.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value)
}

fn read_map(pairs: &[(Value, Value)]) -> Result<Value> {
    let pairs = pairs.iter().map(|(key, value)| Ok((key.clone(), read_value(value)?)));
    Ok(Value::map(pairs.collect::<Result<_>>()?))
}

fn read_value(value: &Value) -> Result<Value> {
    let Value::Map(pairs) = value else { return Err(untyped()) };
    let kind = field(pairs, "$type").and_then(Value::as_str).ok_or_else(untyped)?;
    let own = field(pairs, "_value").unwrap_or(&Value::Null);
    let wrong = || bad(format!("a parameter of type `{kind}` has another `_value`"));
    let temporal = |kind| match own {
        Value::String(_) => make(kind, own, &Value::Null).map_err(as_input),
        _ => Err(wrong()),
    };
    match (kind, own) {
        ("Null", Value::Null) => Ok(Value::Null),
        ("Boolean", Value::Bool(_)) | ("String", Value::String(_)) => Ok(own.clone()),
        ("Integer", Value::String(text)) => text.parse().map(Value::I64).map_err(|_| wrong()),
        ("Integer", Value::I64(_)) => Ok(own.clone()),
        ("Float", Value::String(text)) => text.parse().map(Value::F64).map_err(|_| wrong()),
        ("Float", other) => other.as_double().map(Value::F64).ok_or_else(wrong),
        ("Base64", Value::String(text)) => {
            base64::decode(text).map(|bytes| Value::Bytes(bytes.into())).ok_or_else(wrong)
        }
        ("List", Value::List(values)) => {
            Ok(Value::list(values.iter().map(read_value).collect::<Result<_>>()?))
        }
        ("Map", Value::Map(pairs)) => read_map(pairs),
        ("Date", _) => temporal(TemporalKind::Date),
        ("LocalTime", _) => temporal(TemporalKind::LocalTime),
        ("Time", _) => temporal(TemporalKind::Time),
        ("LocalDateTime", _) => temporal(TemporalKind::LocalDateTime),
        ("OffsetDateTime" | "ZonedDateTime", _) => temporal(TemporalKind::DateTime),
        ("Duration", Value::String(_)) => make_duration(own).map_err(as_input),
        ("Point", Value::String(text)) => point(text).ok_or_else(wrong),
        ("Node" | "Relationship" | "Path", _) => Err(bad(format!("a {kind} is no parameter"))),
        _ => Err(wrong()),
    }
}

/// The reference systems of points with so many coordinates.
const SYSTEMS: [(u32, usize); 4] = [(7203, 2), (4326, 2), (9157, 3), (4979, 3)];

/// A point in well-known text: `SRID=7203;POINT (1.0 2.0)`.
fn point(text: &str) -> Option<Value> {
    let (srid, rest) = text.strip_prefix("SRID=")?.split_once(';')?;
    let rest = rest.trim_start().strip_prefix("POINT")?.trim_start();
    let rest = rest.strip_prefix('Z').map_or(rest, str::trim_start);
    let inside = rest.strip_prefix('(')?.trim_end().strip_suffix(')')?;
    let coordinate = |word: &str| word.parse::<f64>().ok().filter(|own| own.is_finite());
    let coordinates = inside.split_whitespace().map(coordinate).collect::<Option<Vec<f64>>>()?;
    let srid = srid.trim().parse().ok()?;
    SYSTEMS
        .contains(&(srid, coordinates.len()))
        .then(|| Value::Point(Arc::new(Point { srid, coordinates })))
}

fn untyped() -> Error {
    bad("each parameter is an object with `$type` and `_value`".to_owned())
        .with_help("send Content-Type: application/json for parameters without types")
}

fn as_input(error: Error) -> Error {
    Error { kind: ErrorKind::BadInput, ..error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn parameter(text: &str) -> Result<Value> {
        read(&parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn types_decide_what_a_parameter_is() {
        let read = parameter(
            r#"{"a": {"$type": "Integer", "_value": "7"}, "b": {"$type": "Float", "_value": "1.5"},
                "c": {"$type": "List", "_value": [{"$type": "Date", "_value": "1970-01-02"}]},
                "d": {"$type": "Map", "_value": {"x": {"$type": "Base64", "_value": "AQ=="}}}}"#,
        )
        .unwrap();
        let Value::Map(pairs) = read else { panic!("a map") };
        assert_eq!((&pairs[0].1, &pairs[1].1), (&Value::I64(7), &Value::F64(1.5)));
        let Value::List(dates) = &pairs[2].1 else { panic!("a list") };
        assert!(matches!(dates[0], Value::Date(date) if date.days == 1));
        let Value::Map(inner) = &pairs[3].1 else { panic!("a map") };
        assert_eq!(inner[0].1, Value::Bytes(vec![1].into()));
    }

    #[test]
    fn wrong_parameters_are_refused() {
        for text in [
            r#"{"a": 1}"#,
            r#"{"a": {"$type": "Integer", "_value": "x"}}"#,
            r#"{"a": {"$type": "Date", "_value": "x"}}"#,
            r#"{"a": {"$type": "Thing", "_value": "x"}}"#,
            r#"{"a": {"$type": "Node", "_value": {}}}"#,
            "[]",
            r#"{"a": {"$type": "Point", "_value": "SRID=7203;POINT (1 2 3)"}}"#,
            r#"{"a": {"$type": "Point", "_value": "SRID=1;POINT (1 2)"}}"#,
        ] {
            assert_eq!(parameter(text).unwrap_err().kind, ErrorKind::BadInput, "{text}");
        }
        let point =
            parameter(r#"{"a": {"$type": "Point", "_value": "SRID=4979;POINT Z (1.5 2 3)"}}"#);
        let Ok(Value::Map(pairs)) = point else { panic!("a map") };
        let wanted = Point { srid: 4979, coordinates: vec![1.5, 2.0, 3.0] };
        assert_eq!(pairs[0].1, Value::Point(Arc::new(wanted)));
    }
}
