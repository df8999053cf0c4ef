//! Random values of every type, near and far: the order of keys is the order of values.

use std::cmp::Ordering;
use std::sync::Arc;

use super::*;
use crate::base::ids::{EdgeId, VertexId};
use crate::base::random::SplitMix64;
use crate::calendar::{Date, DateTime, Duration, Time};
use crate::compare::order;
use crate::values::parts::{Property, Subgraph, Token, VertexProperty};
use crate::values::path::Path;
use crate::values::property_values::PropertyValues;

struct Random(SplitMix64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// Numbers that lie close together, around the limits of a double's precision.
    fn int(&mut self) -> i64 {
        let near = [0, 1, -1, 1 << 53, -(1 << 53), 1 << 62, i64::MAX - 9, i64::MIN + 9, 300];
        let near = self.pick(&near);
        match self.below(3) {
            0 => self.next() as i64,
            _ => near.saturating_add(self.below(9) as i64 - 4),
        }
    }

    fn double(&mut self) -> f64 {
        let near =
            [0.0, -0.0, 0.1, -0.5, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324];
        match self.below(3) {
            0 => f64::from_bits(self.next()),
            1 => self.int() as f64,
            _ => self.pick(&near),
        }
    }

    fn decimal(&mut self) -> Decimal {
        let scale = self.pick(&[0, 0, 1, 2, 17, 30, 400]);
        let unscaled = match self.below(4) {
            0 => i128::from(self.next() as i64) << self.below(64),
            1 => i128::from(self.int()),
            2 => i128::from(self.int()) * 10 + i128::from(self.below(3)),
            _ => i128::from(self.below(40)) - 20,
        };
        Decimal { unscaled, scale }
    }

    fn number(&mut self) -> Value {
        match self.below(7) {
            0 => Value::I8(self.next() as i8),
            1 => Value::I16(self.int() as i16),
            2 => Value::I32(self.int() as i32),
            3 => Value::I64(self.int()),
            4 => Value::F32(self.double() as f32),
            5 => Value::F64(self.double()),
            _ => Value::Decimal(Arc::new(self.decimal())),
        }
    }

    fn content(&mut self) -> Vec<u8> {
        (0..self.below(4)).map(|_| self.pick(&[0, 0, 1, 2, 127])).collect()
    }

    fn text(&mut self) -> Arc<str> {
        Arc::from(String::from_utf8(self.content()).expect("bytes below 128 are text"))
    }

    fn timestamp(&mut self) -> DateTime {
        let offset_seconds = self.pick(&[DateTime::LOCAL, 0, 3600]);
        let nanos = self.below(2) as u32;
        DateTime { seconds: self.int(), nanos, offset_seconds }
    }

    fn values(&mut self, depth: u32) -> Vec<Value> {
        (0..self.below(3)).map(|_| self.value(depth)).collect()
    }

    fn tree(&mut self, depth: u32) -> Tree {
        let branches = (0..self.below(3)).filter(|_| depth != 0);
        let branches = branches.map(|_| (self.number(), Tree::default())).collect();
        Tree { branches }
    }

    fn property_values(&mut self, depth: u32) -> Value {
        let mut property = PropertyValues::default();
        for value in self.values(depth - 1) {
            let meta = [(self.text(), self.number()), (self.text(), self.number())];
            property.append(&value, &meta[..self.below(3) as usize]);
        }
        property.remove(self.below(4) as u32);
        property.into_value().unwrap_or_default()
    }

    fn geometry(&mut self) -> Value {
        let mut random = |bound| (0..self.below(bound)).map(|_| [self.double(), 1.0]).collect();
        let rings: Vec<_> = vec![random(3), random(2)];
        let (point, count) = ([self.double(), self.double()], self.below(3) as usize);
        Value::from(match self.below(3) {
            0 => Geometry::Point(point),
            1 => Geometry::Polygon(rings[..count].to_vec()),
            _ => Geometry::MultiPolygon(vec![rings[..count].to_vec(); self.below(3) as usize]),
        })
    }

    fn value(&mut self, depth: u32) -> Value {
        let kinds = if depth == 0 { 14 } else { 24 };
        match self.below(kinds) {
            0 => Value::Null,
            1 => Value::Bool(self.below(2) == 0),
            2..=4 => self.number(),
            5 => Value::String(self.text()),
            6 => Value::Bytes(Arc::from(self.content())),
            7 => Value::Date(Date { days: self.int() >> 20 }),
            8 => {
                let offset_seconds = self.pick(&[None, Some(0), Some(-60)]);
                Value::Time(Time { nanos: self.below(3), offset_seconds })
            }
            9 => Value::DateTime(self.timestamp()),
            10 => Value::ZonedDateTime(Arc::new((self.timestamp(), self.text()))),
            11 => {
                let (months, days) = (self.int(), self.int());
                let (seconds, nanos) = (self.int(), self.below(2) as u32);
                Value::Duration(Arc::new(Duration { months, days, seconds, nanos }))
            }
            12 => Value::Uuid([self.next() as u8; 16]),
            13 => Value::Vertex(VertexId(self.below(3))),
            14 => Value::Edge(EdgeId(self.next())),
            15 => {
                let coordinates = (0..self.below(4)).map(|_| self.double()).collect();
                Value::Point(Arc::new(Point { srid: self.below(2) as u32, coordinates }))
            }
            16 => Value::list(self.values(depth - 1)),
            17 => Value::Set(Arc::from(self.values(depth - 1))),
            18 => {
                let keys = self.values(depth - 1);
                Value::map(keys.into_iter().map(|key| (key, self.number())).collect())
            }
            19 => Value::Path(Arc::new(Path::untagged(self.values(depth - 1)))),
            20 => {
                let (owner, key) = (self.number(), self.text());
                Value::Property(Arc::new(Property { owner, key, value: self.value(depth - 1) }))
            }
            22 => self.geometry(),
            21 => {
                let numbers = (0..self.below(3)).map(|_| self.pick(&[0.0, -0.0, 0.5, 2.0]));
                Value::vector(&numbers.collect::<Vec<f32>>())
            }
            _ => match self.below(6) {
                3 => self.property_values(depth),
                4 => {
                    let vertices = (0..self.below(3)).map(|_| VertexId(self.below(3)));
                    let vertices: Vec<_> = vertices.collect();
                    let edges = (0..self.below(3)).map(|_| EdgeId(self.below(3)));
                    let edges: Vec<_> = edges.collect();
                    Value::Subgraph(Arc::new(Subgraph::new(vertices, edges)))
                }
                5 => Value::map_entry(self.number(), self.value(depth - 1)),
                0 => Value::Tree(Arc::new(self.tree(depth))),
                1 => Value::Token(self.pick(&Token::ALL)),
                _ => {
                    let (owner, ordinal) = (VertexId(self.below(2)), self.below(2) as u32);
                    let key = self.text();
                    Value::VertexProperty(Arc::new(VertexProperty { owner, key, ordinal }))
                }
            },
        }
    }
}

fn key(values: &[&Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    values.iter().for_each(|value| encode(value, &mut bytes));
    bytes
}

#[test]
fn keys_are_ordered_like_values_of_every_type() {
    let mut random = Random(SplitMix64::new(1));
    let mut equal = 0;
    for _ in 0..60_000 {
        let (left, right) = match random.below(2) {
            0 => (random.number(), random.number()),
            _ => (random.value(2), random.value(2)),
        };
        let expected = order(&left, &right);
        equal += u32::from(expected == Ordering::Equal);
        assert_eq!(key(&[&left]).cmp(&key(&[&right])), expected, "{left:?} to {right:?}");
    }
    assert!(300 < equal, "{equal} pairs were equal");
}

#[test]
fn no_key_begins_another_so_tuples_are_ordered_field_by_field() {
    let mut random = Random(SplitMix64::new(2));
    for _ in 0..20_000 {
        let fields: Vec<Value> = (0..4).map(|_| random.value(1)).collect();
        let (left, right) = ([&fields[0], &fields[1]], [&fields[2], &fields[3]]);
        let expected = order(left[0], right[0]).then(order(left[1], right[1]));
        assert_eq!(key(&left).cmp(&key(&right)), expected, "{left:?} to {right:?}");
        let (first, second) = (key(&left[..1]), key(&right[..1]));
        assert!(first == second || !second.starts_with(&first), "{left:?} begins {right:?}");
    }
}

#[test]
fn the_order_of_numbers_is_total() {
    let mut random = Random(SplitMix64::new(3));
    for _ in 0..60_000 {
        let [a, b, c] = [random.number(), random.number(), random.number()];
        if order(&a, &b).is_le() && order(&b, &c).is_le() {
            assert!(order(&a, &c).is_le(), "{a:?} <= {b:?} <= {c:?}");
        }
    }
}

#[test]
fn the_bytes_never_change_because_files_hold_them() {
    let hex = |value: Value| -> String {
        key(&[&value]).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    assert_eq!(hex(Value::I64(1)), "02bff000000000000000");
    assert_eq!(hex(Value::F64(-0.0)), "02800000000000000000");
    let odd = "02c34000000000000001800000000000001039303037313939323534373430393933\
               00";
    assert_eq!(hex(Value::I64((1 << 53) + 1)), odd);
    assert_eq!(hex(Value::from("a\0b")), "076100ff620000");
    let point = Value::from(Geometry::Point([1.0, -1.0]));
    assert_eq!(hex(point), "1800bff0000000000000400fffffffffffff");
    let ring = vec![[1.0, -1.0]];
    let polygon = Value::from(Geometry::Polygon(vec![ring]));
    assert_eq!(hex(polygon), "1801010101bff0000000000000400fffffffffffff000000");
    assert_eq!(hex(Value::list(vec![Value::Bool(true), Value::Null])), "11010101010000");
}

#[test]
fn what_comes_after_a_prefix_is_the_next_byte_string() {
    assert_eq!(after_prefix(&[1, 2]), [1, 3]);
    assert_eq!(after_prefix(&[1, 255, 255]), [2]);
    assert_eq!(after_prefix(&[255]), [0u8; 0]);
}
