//! Random values and columns of every kind, for property tests.

use std::sync::Arc;

use millrace_model::decimal::Decimal;
use millrace_model::path::Path;
use millrace_model::temporal::{Date, DateTime, Duration, Time};
use millrace_model::value::Point;
use millrace_model::{
    Column, EdgeId, Geometry, Property, PropertyValues, Subgraph, Token, Tree, Value, VertexId,
    VertexProperty,
};

use crate::base::random::SimNumbers;

/// How many kinds [`value_of_kind`] makes.
pub(crate) const KINDS: u64 = 33;

/// Any value, nesting at most `depth` deep.
pub(crate) fn value(random: &mut SimNumbers, depth: u32) -> Value {
    let kind = random.below(if depth == 0 { 20 } else { KINDS });
    value_of_kind(random, kind, depth)
}

/// A value of one kind.
pub(crate) fn value_of_kind(random: &mut SimNumbers, kind: u64, depth: u32) -> Value {
    let bits = random.next_u64();
    match kind {
        0 => Value::Null,
        1 => Value::Bool(bits & 1 == 1),
        2 => Value::I8(bits as i8),
        3 => Value::I16(bits as i16),
        4 => Value::I32(bits as i32),
        5 => Value::I64(bits as i64),
        6 => Value::F32(f32::from_bits(bits as u32)),
        7 => Value::F64(f64::from_bits(bits)),
        8 => {
            let unscaled = i128::from(bits as i64) * i128::from(random.next_u64());
            Value::Decimal(Arc::new(Decimal { unscaled, scale: bits as u32 % 40 }))
        }
        9 => Value::string(&text(random)),
        10 => Value::Bytes(bits.to_le_bytes()[..bits as usize % 8].into()),
        11 => Value::Uuid([bits as u8; 16]),
        12 => Value::Date(Date { days: i64::from(bits as i32) << ((bits >> 60) % 7) }),
        13 => {
            let offset_seconds = random.chance(1, 2).then_some(bits as i32 % 50_000);
            Value::Time(Time { nanos: bits, offset_seconds })
        }
        14 => Value::DateTime(timestamp(random)),
        15 => Value::ZonedDateTime(Arc::new((timestamp(random), Arc::from(text(random))))),
        16 => {
            let (months, days) = (bits as i64, bits as i64 >> 7);
            let nanos = bits as u32 % 1_000_000_000;
            Value::Duration(Arc::new(Duration { months, days, seconds: -days, nanos }))
        }
        17 => {
            let coordinates = vec![f64::from_bits(bits), -0.0, 1.5];
            Value::Point(Arc::new(Point { srid: bits as u32, coordinates }))
        }
        18 => Value::Vertex(VertexId(bits)),
        19 => Value::Edge(EdgeId(bits)),
        20 => Value::List(values(random, depth).into()),
        21 => Value::Set(values(random, depth).into()),
        22 => {
            let values = values(random, depth);
            Value::map(values.chunks_exact(2).map(|it| (it[0].clone(), it[1].clone())).collect())
        }
        23 => {
            let (owner, key) = (VertexId(bits), Arc::from(text(random)));
            let ordinal = bits as u32 % 7;
            Value::VertexProperty(Arc::new(VertexProperty { owner, key, ordinal }))
        }
        24 => {
            let (owner, value) = (Value::Edge(EdgeId(bits)), value(random, depth - 1));
            Value::Property(Arc::new(Property { owner, key: Arc::from(text(random)), value }))
        }
        25 => {
            let leaf = |value| (value, Tree::default());
            let below = Tree { branches: values(random, depth).into_iter().map(leaf).collect() };
            Value::Tree(Arc::new(Tree { branches: vec![(Value::I64(bits as i64), below)] }))
        }
        26 => Value::Token(Token::ALL[bits as usize % Token::ALL.len()]),
        27 => property_values(random, depth),
        28 => {
            let part = Subgraph::new(vec![VertexId(bits), VertexId(1)], vec![EdgeId(bits)]);
            Value::Subgraph(Arc::new(part))
        }
        29 => Value::map_entry(value(random, depth - 1), Value::I64(bits as i64)),
        31 => Value::from(geometry(random)),
        30 => Value::vector(&[f32::from_bits(bits as u32), -0.0, 1.5][..bits as usize % 4]),
        _ => {
            let objects = values(random, depth);
            let tags = objects.iter().map(|_| vec![Arc::from(text(random))]).collect();
            Value::Path(Arc::new(Path::new(objects, tags)))
        }
    }
}

/// A geometry that is well formed, as all are that a file may hold.
fn geometry(random: &mut SimNumbers) -> Geometry {
    let mut position = || {
        let bits = random.next_u64();
        [(bits % 360) as f64 / 1.1, -0.25 * (bits % 300) as f64]
    };
    let ring = [position(), position(), position()];
    let ring = vec![ring[0], ring[1], ring[2], ring[0]];
    let rings = vec![ring; 1 + random.below(2) as usize];
    match random.below(3) {
        0 => Geometry::Point(rings[0][0]),
        1 => Geometry::Polygon(rings),
        _ => Geometry::MultiPolygon(vec![rings; 1 + random.below(2) as usize]),
    }
}

fn property_values(random: &mut SimNumbers, depth: u32) -> Value {
    let mut property = PropertyValues::default();
    property.append(&Value::I64(random.next_u64() as i64), &[("since".into(), 1i64.into())]);
    for value in values(random, depth) {
        let meta = (Arc::from(text(random)), value.clone());
        property.append(&value, std::slice::from_ref(&meta));
    }
    let gone = random.below(4) as u32;
    property.remove(gone);
    property.into_value().unwrap_or_default()
}

/// A column of up to 70 entries: mostly of one kind, with null and absent entries in some.
pub(crate) fn column(random: &mut SimNumbers) -> Column {
    let (kind, mixed) = (random.below(KINDS), random.chance(1, 4));
    let (nulls, absents) = (random.below(3), random.below(3));
    let mut column = Column::default();
    for _ in 0..random.below(70) {
        match random.below(10) {
            number if number < nulls => column.push(Value::Null),
            number if number < nulls + absents => column.push_absent(),
            _ if mixed => column.push(value(random, 2)),
            _ => column.push(value_of_kind(random, kind, 2)),
        }
    }
    column
}

fn timestamp(random: &mut SimNumbers) -> DateTime {
    let bits = random.next_u64();
    let offset_seconds = if random.chance(1, 2) { DateTime::LOCAL } else { bits as i32 % 50_000 };
    DateTime { seconds: bits as i64, nanos: bits as u32 % 1_000_000_000, offset_seconds }
}

fn text(random: &mut SimNumbers) -> String {
    (0..random.below(9)).map(|_| ['a', 'ß', '水', '🦀'][random.below(4) as usize]).collect()
}

fn values(random: &mut SimNumbers, depth: u32) -> Vec<Value> {
    (0..random.below(5)).map(|_| value(random, depth.saturating_sub(1))).collect()
}
