//! Values that have no form of their own, and bytes that Neo4j's documents give.

use std::sync::Arc;

use millrace_model::path::Path;
use millrace_model::temporal::{Date, DateTime, Duration, Time};
use millrace_model::value::Point;
use millrace_model::{Decimal, DetachedElements, Geometry, Property, Token, Tree, Value};
use millrace_wire::bolt::Version;
use millrace_wire::bolt::packstream::{Datum, Form};

use super::{forms, read, sent, written};

fn decimal(unscaled: i128, scale: u32) -> Value {
    Value::Decimal(Arc::new(Decimal { unscaled, scale }))
}

fn map(pairs: &[(&str, Value)]) -> Value {
    Value::map(pairs.iter().map(|(key, value)| (Value::from(*key), value.clone())).collect())
}

#[test]
fn a_value_without_a_form_is_sent_in_the_nearest_one() {
    let tree = Tree { branches: vec![(Value::I64(1), Tree::default())] };
    let owner = Value::I64(1);
    let property = Property { owner, key: "k".into(), value: Value::I64(2) };
    let path = Path::untagged(vec![Value::I64(1), Value::I64(2)]);
    let uuid = "f47af10b-58cc-4372-a567-0f02b2f3d479";
    for (value, expected) in [
        (Value::I8(-7), Value::I64(-7)),
        (Value::I16(300), Value::I64(300)),
        (Value::I32(1 << 20), Value::I64(1 << 20)),
        (Value::F32(0.5), Value::F64(0.5)),
        (decimal(7, 0), Value::I64(7)),
        (decimal(15, 1), Value::F64(1.5)),
        (decimal(1 << 80, 0), Value::F64((1u128 << 80) as f64)),
        (Value::Uuid(millrace_model::uuid::parse(uuid).unwrap()), Value::from(uuid)),
        (Value::Set(vec![Value::I64(1)].into()), Value::list(vec![Value::I64(1)])),
        (Value::Token(Token::Label), Value::from("label")),
        (Value::map_entry(Value::I64(1), Value::I64(2)), map(&[("1", Value::I64(2))])),
        (Value::Property(Arc::new(property)), map(&[("k", Value::I64(2))])),
        (Value::Path(Arc::new(path)), Value::list(vec![Value::I64(1), Value::I64(2)])),
        (Value::map(vec![(Value::F64(1.0), Value::Null)]), map(&[("1.0", Value::Null)])),
        (
            Value::Tree(Arc::new(tree)),
            Value::list(vec![map(&[("value", Value::I64(1)), ("branches", Value::list(vec![]))])]),
        ),
    ] {
        assert_eq!(sent(&value), Datum::Value(expected), "{value:?}");
    }
}

#[test]
fn structures_have_the_bytes_of_the_documents() {
    let at = |offset_seconds| DateTime { seconds: 1, nanos: 2, offset_seconds };
    let zoned = Value::ZonedDateTime(Arc::new((at(0), "UTC".into())));
    let [old, patched, new] = forms();
    for (value, form, expected) in [
        (Value::Date(Date { days: 1 }), new, vec![0xB1, 0x44, 1]),
        (Value::Time(Time { nanos: 5, offset_seconds: None }), new, vec![0xB1, 0x74, 5]),
        (Value::Time(Time { nanos: 5, offset_seconds: Some(7) }), new, vec![0xB2, 0x54, 5, 7]),
        (Value::DateTime(at(DateTime::LOCAL)), old, vec![0xB2, 0x64, 1, 2]),
        (Value::DateTime(at(60)), new, vec![0xB3, 0x49, 1, 2, 60]),
        (Value::DateTime(at(60)), patched, vec![0xB3, 0x49, 1, 2, 60]),
        (Value::DateTime(at(60)), old, vec![0xB3, 0x46, 61, 2, 60]),
        (zoned.clone(), new, vec![0xB3, 0x69, 1, 2, 0x83, b'U', b'T', b'C']),
        (zoned, old, vec![0xB3, 0x66, 1, 2, 0x83, b'U', b'T', b'C']),
        (
            Value::Duration(Arc::new(Duration { months: 1, days: 2, seconds: 3, nanos: 4 })),
            new,
            vec![0xB4, 0x45, 1, 2, 3, 4],
        ),
    ] {
        let bytes = written(&value, &DetachedElements::default(), form).unwrap();
        assert_eq!(bytes, expected, "{value:?}");
        assert_eq!(read::<Value>(&bytes), Ok(value));
    }
}

#[test]
fn nanoseconds_beyond_a_second_are_carried() {
    let bytes = [0xB4, 0x45, 0, 0, 3, 0xFF];
    let expected = Duration { months: 0, days: 0, seconds: 2, nanos: 999_999_999 };
    assert_eq!(read::<Value>(&bytes), Ok(Value::Duration(Arc::new(expected))));
}

#[test]
fn a_point_of_other_dimensions_is_a_list() {
    let point = Value::Point(Arc::new(Point { srid: 1, coordinates: vec![1.0] }));
    assert_eq!(sent(&point), Datum::Value(Value::list(vec![Value::F64(1.0)])));
}

#[test]
fn a_geometry_is_a_map_as_geojson_has_it() {
    let ring = vec![[0.0, 0.0], [1.5, 0.0], [1.0, 1.0], [0.0, 0.0]];
    let list = |values: &[Value]| Value::list(values.to_vec());
    let position = |[x, y]: [f64; 2]| list(&[x.into(), y.into()]);
    let positions: Vec<Value> = ring.iter().map(|own| position(*own)).collect();
    let coordinates = list(&[list(&positions)]);
    let expected = map(&[("type", "Polygon".into()), ("coordinates", coordinates)]);
    let polygon = Value::from(Geometry::Polygon(vec![ring]));
    assert_eq!(sent(&polygon), Datum::Value(expected));
    let key = Value::map(vec![(Value::from(Geometry::Point([1.5, 2.0])), Value::I64(1))]);
    let expected = map(&[(r#"{"type":"Point","coordinates":[1.5,2]}"#, Value::I64(1))]);
    assert_eq!(sent(&key), Datum::Value(expected));
}

#[test]
fn a_result_that_nests_too_deep_is_refused() {
    let deep = (0..2_000).fold(Value::Null, |inner, _| Value::list(vec![inner]));
    let form = Form::of(Version::NEWEST);
    assert!(written(&deep, &DetachedElements::default(), form).is_err());
}
