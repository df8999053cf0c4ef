//! Properties of every kind, of vertices and edges, set, replaced and removed.

use std::sync::Arc;

use millrace_model::path::Path;
use millrace_model::temporal::{Date, DateTime, Duration, Time};
use millrace_model::value::Point;
use millrace_model::{
    Column, Decimal, EdgeId, Geometry, KeyId, PropertyValues, Result, Value, VertexId,
};

use crate::backend::NameKind;
use crate::conformance::fixture::{Fixture, commit, ints, texts, write};
use crate::conformance::{Case, Harness};
use crate::reads::Elements;
use crate::snapshot::Snapshot;

pub(in crate::conformance) const CASES: &[Case] = &[
    ("values of every kind read back identical, after reopening too", every_kind),
    ("null is a value and absent is none", null_and_absent),
    ("the last value of an owner wins, an absent one removes", replace_and_remove),
    ("fields are all properties by key number", fields),
    ("a column keeps its type where it can", typed_columns),
];

/// A value of each kind at least.
pub(in crate::conformance) fn one_of_each() -> Vec<Value> {
    let timestamp = DateTime { seconds: -5, nanos: 999_999_999, offset_seconds: 3_600 };
    let local = DateTime { seconds: 1, nanos: 0, offset_seconds: DateTime::LOCAL };
    let path = Path::new(vec![Value::Vertex(VertexId(3))], vec![vec!["a".into()]]);
    vec![
        Value::Bool(true),
        Value::I8(-8),
        Value::I16(-16),
        Value::I32(-32),
        Value::I64(i64::MIN),
        Value::F32(f32::MIN_POSITIVE),
        Value::F64(-0.0),
        Value::F64(f64::NAN),
        Value::F64(f64::NEG_INFINITY),
        Value::Decimal(Arc::new(Decimal { unscaled: i128::MAX, scale: 7 })),
        Value::from(""),
        Value::from("Żółć 🦀 \u{0} \u{10FFFF}"),
        Value::from(&*"long ".repeat(300_000)),
        Value::Bytes(Arc::from([0, 255, 7])),
        Value::vector(&[1.5, -0.0, 3e38]),
        Value::Uuid([9; 16]),
        Value::Date(Date { days: -719_528 }),
        Value::Date(Date::MIN),
        Value::Date(Date::MAX),
        Value::Time(Time { nanos: 86_399_999_999_999, offset_seconds: Some(-3_600) }),
        Value::DateTime(timestamp),
        Value::DateTime(local),
        Value::ZonedDateTime(Arc::new((timestamp, "Europe/Warsaw".into()))),
        Value::Duration(Arc::new(Duration { months: 1, days: -2, seconds: 3, nanos: 4 })),
        Value::Point(Arc::new(Point { srid: 4_326, coordinates: vec![1.5, -2.5, 0.0] })),
        Value::from(Geometry::Point([1.5, -2.5])),
        Value::from(Geometry::Polygon(vec![vec![[0.0, 0.0], [9.5, -0.0], [1.0, 2.0], [0.0, 0.0]]])),
        Value::list(vec![Value::I64(1), Value::Null, Value::list(vec![Value::from("x")])]),
        Value::Set(Arc::from([Value::from("a"), Value::I64(2)])),
        Value::map(vec![(Value::from("b"), Value::I64(1)), (Value::I64(1), Value::Bool(false))]),
        Value::Vertex(VertexId(1)),
        Value::Edge(EdgeId(2)),
        Value::Path(Arc::new(path)),
        several_values(),
        Value::Null,
    ]
}

/// A property of two values, one with a property of its own.
fn several_values() -> Value {
    let mut property = PropertyValues::default();
    property.append(&Value::from("a"), &[("since".into(), Value::I64(1997))]);
    property.append(&Value::list(vec![Value::I64(1)]), &[]);
    property.into_value().unwrap_or_default()
}

fn every_kind(harness: &mut dyn Harness) -> Result<()> {
    let mut fixture = Fixture::new(harness)?;
    let values = one_of_each();
    let mixed = Column::from_values(values.clone());
    let transaction = fixture.begin()?;
    let properties = [(fixture.name, &mixed)];
    let vertices = transaction.create_vertices(&fixture.people(), values.len(), &properties)?;
    let edges = transaction.create_edges(fixture.knows, &vertices, &vertices, &properties)?;
    commit(transaction)?;
    // Each alone too, so that every kind is the first of its column.
    for (row, value) in values.iter().enumerate() {
        let column = Column::from_values([value.clone()]);
        write(&fixture, |transaction| {
            transaction.set_vertex_properties(fixture.age, &vertices[row..=row], &column)?;
            transaction.set_edge_properties(fixture.age, &edges[row..=row], &column)
        })?;
    }
    for _ in 0..2 {
        let snapshot = fixture.snapshot()?;
        for elements in [Elements::Vertices(&vertices), Elements::Edges(&edges)] {
            for column in snapshot.gather(elements, &[fixture.name, fixture.age])? {
                for (row, value) in values.iter().enumerate() {
                    assert_eq!(column.get(row).as_ref(), Some(value), "{}", value.type_name());
                }
            }
            let fields = snapshot.fields(elements)?;
            assert!(fields.iter().zip(&values).all(|(fields, value)| {
                fields.len() == 2 && fields.iter().all(|field| field.value == *value)
            }));
        }
        drop(snapshot);
        fixture = fixture.reopen(harness)?;
    }
    Ok(())
}

fn null_and_absent(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let mut ages = Column::from_values([Value::Null]);
    ages.push_absent();
    ages.push(Value::I64(3));
    let transaction = fixture.begin()?;
    let people = transaction.create_vertices(&fixture.people(), 3, &[(fixture.age, &ages)])?;
    commit(transaction)?;
    let snapshot = fixture.snapshot()?;
    let column = &snapshot.gather(Elements::Vertices(&people), &[fixture.age])?[0];
    let entries: Vec<_> = (0..3).map(|row| column.get(row)).collect();
    assert_eq!(entries, [Some(Value::Null), None, Some(Value::I64(3))]);
    let counts: Vec<_> =
        snapshot.fields(Elements::Vertices(&people))?.iter().map(|fields| fields.len()).collect();
    assert_eq!(counts, [1, 0, 1]);
    Ok(())
}

fn replace_and_remove(harness: &mut dyn Harness) -> Result<()> {
    let mut fixture = Fixture::new(harness)?;
    let people = fixture.add_people(2)?;
    let edges = fixture.add_edges(fixture.knows, &[(people[0], people[1]); 2])?;
    write(&fixture, |transaction| {
        let owners = [people[0], people[1], people[0]];
        transaction.set_vertex_properties(fixture.age, &owners, &ints(&[1, 2, 3]))?;
        let mut removal = texts(&["kept"]);
        removal.push_absent();
        transaction.set_vertex_properties(fixture.name, &people, &removal)?;
        transaction.set_edge_properties(fixture.age, &edges, &ints(&[7, 8]))
    })?;
    write(&fixture, |transaction| {
        let mut removal = Column::default();
        removal.push_absent();
        transaction.set_edge_properties(fixture.age, &edges[..1], &removal)
    })?;
    for _ in 0..2 {
        let snapshot = fixture.snapshot()?;
        let keys = [fixture.name, fixture.age];
        let columns = snapshot.gather(Elements::Vertices(&people), &keys)?;
        assert_eq!(columns[0].get(0), Some(Value::from("kept")));
        assert_eq!(columns[0].get(1), None);
        assert_eq!([columns[1].get(0), columns[1].get(1)], [3, 2].map(|i| Some(Value::I64(i))));
        let column = &snapshot.gather(Elements::Edges(&edges), &keys)?[1];
        assert_eq!([column.get(0), column.get(1)], [None, Some(Value::I64(8))]);
        drop(snapshot);
        fixture = fixture.reopen(harness)?;
    }
    Ok(())
}

fn fields(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let names: Vec<_> = (0..20).map(|number| format!("key{number}")).collect();
    let interned: Vec<_> = names.iter().map(|name| (NameKind::Key, &**name)).collect();
    let keys: Vec<_> = fixture.store.intern(&interned)?.into_iter().map(KeyId).collect();
    let columns: Vec<_> = (0..20).map(|number| ints(&[number])).collect();
    let properties: Vec<_> = keys.iter().copied().zip(&columns).rev().collect();
    let transaction = fixture.begin()?;
    let vertices = transaction.create_vertices(&fixture.people(), 1, &properties)?;
    let own = transaction.fields(Elements::Vertices(&vertices))?;
    commit(transaction)?;
    let fields = fixture.snapshot()?.fields(Elements::Vertices(&vertices))?;
    assert_eq!(fields, own);
    assert_eq!(fields[0].iter().map(|field| field.key).collect::<Vec<_>>(), keys);
    assert!(fields[0].iter().zip(0..).all(|(field, number)| field.value == Value::I64(number)));
    Ok(())
}

fn typed_columns(harness: &mut dyn Harness) -> Result<()> {
    let fixture = Fixture::new(harness)?;
    let transaction = fixture.begin()?;
    let properties = [(fixture.age, &ints(&[1, 2])), (fixture.name, &texts(&["a", "b"]))];
    let people = transaction.create_vertices(&fixture.people(), 2, &properties)?;
    commit(transaction)?;
    let keys = [fixture.age, fixture.name];
    let columns = fixture.snapshot()?.gather(Elements::Vertices(&people), &keys)?;
    assert!(matches!(columns[0].values, millrace_model::ColumnValues::I64(_)));
    assert!(matches!(columns[1].values, millrace_model::ColumnValues::String(_)));
    Ok(())
}
