//! Random things: written and read they are the same, in every format that can say them.

use std::sync::Arc;

use millrace_bytecode::{Argument, Bytecode, Instruction, Predicate, Symbol, SymbolFamily};
use millrace_bytecode::{Geoshape, GeoshapeKind, JANUSGRAPH_PREDICATES, Lambda, Strategy};
use millrace_model::detached::{DetachedEdge, DetachedProperty, DetachedVertex};
use millrace_model::temporal::{Date, DateTime, Duration, Time};
use millrace_model::{Decimal, Token, Value};
use millrace_testkit::{Rng, run_seeds};
use millrace_wire::gremlin::graphson::{self, Version};
use millrace_wire::gremlin::{
    Datum, Graph, Metrics, Path, TraversalMetrics, Traverser, Tree, graphbinary,
};

const DEPTH: u32 = 3;

pub(super) fn text(rng: &mut Rng) -> Arc<str> {
    let pieces = ["a", "", "ü", "\"", "\\", "\n", "世", "\u{1}", "g:Map", "@type"];
    Arc::from((0..rng.below(4)).map(|_| *rng.pick(&pieces)).collect::<String>())
}

fn texts(rng: &mut Rng) -> Vec<Arc<str>> {
    (0..rng.below(3)).map(|_| text(rng)).collect()
}

fn temporal(rng: &mut Rng) -> Value {
    let nanos = *rng.pick(&[0, 1, 500_000_000, 999_999_999]);
    let seconds = rng.below(1 << 40) as i64 - (1 << 39);
    let offset_seconds = *rng.pick(&[0, 19_800, -64_800, DateTime::LOCAL]);
    let timestamp = DateTime { seconds, nanos, offset_seconds };
    let duration = |months, days, seconds, nanos| {
        Value::Duration(Arc::new(Duration { months, days, seconds, nanos }))
    };
    match rng.below(5) {
        0 => Value::Date(Date { days: rng.below(5_000_000) as i64 - 2_500_000 }),
        1 => {
            let offset_seconds = [None, Some(0), Some(-3_600)][rng.index(3)];
            Value::Time(Time { nanos: rng.below(86_400_000_000_000), offset_seconds })
        }
        2 => Value::DateTime(timestamp),
        3 => duration(0, 0, seconds, nanos),
        _ => duration(1 + rng.below(1_000) as i64, rng.below(100) as i64 - 50, 0, 0),
    }
}

fn scalar(rng: &mut Rng) -> Value {
    let bits = rng.next_u64();
    match rng.below(13) {
        0 => Value::Null,
        1 => Value::Bool(bits & 1 == 1),
        2 => Value::I8(bits as i8),
        3 => Value::I16(bits as i16),
        4 => Value::I32(bits as i32),
        5 => Value::I64(bits as i64),
        6 => Value::F32(f32::from_bits(bits as u32)),
        7 => Value::F64(f64::from_bits(bits)),
        8 => {
            // As a number JSON keeps 64 bits of an integer, else 15 digits without zeros at the end.
            let scale = rng.below(10) as u32;
            let unscaled = i128::from(bits as i64 >> if scale == 0 { 0 } else { 24 });
            let unscaled = if scale == 0 { unscaled } else { unscaled * 10 + 1 };
            Value::Decimal(Arc::new(Decimal { unscaled, scale }))
        }
        9 => Value::String(text(rng)),
        10 => Value::Bytes(Arc::from((0..rng.below(6)).map(|_| bits as u8).collect::<Vec<_>>())),
        11 => Value::Uuid((u128::from(bits) << 64 | u128::from(rng.next_u64())).to_be_bytes()),
        _ => match rng.below(2) {
            0 => Value::Token(*rng.pick(&Token::ALL)),
            _ => temporal(rng),
        },
    }
}

/// A NaN has many bit patterns, and JSON has one.
fn without_nan(value: Value) -> Value {
    match value {
        Value::F32(double) if double.is_nan() => Value::F32(0.0),
        Value::F64(double) if double.is_nan() => Value::F64(0.0),
        value => value,
    }
}

fn value(rng: &mut Rng, depth: u32) -> Value {
    let values =
        |rng: &mut Rng| (0..rng.below(4)).map(|_| value(rng, depth - 1)).collect::<Vec<_>>();
    match rng.below(if depth == 0 { 3 } else { 6 }) {
        3 => Value::list(values(rng)),
        4 => Value::Set(Arc::from(values(rng))),
        5 => {
            let (keys, values) = (values(rng), values(rng));
            Value::map(keys.into_iter().zip(values).collect())
        }
        _ => without_nan(scalar(rng)),
    }
}

fn properties(rng: &mut Rng) -> Option<Vec<(Arc<str>, Value)>> {
    // GraphSON says no properties and none asked for alike.
    let count = rng.below(3);
    (0 < count).then(|| (0..count).map(|n| (Arc::from(format!("k{n}")), value(rng, 1))).collect())
}

fn vertex_property(rng: &mut Rng) -> DetachedProperty {
    let (id, key, value) = (scalar_id(rng), text(rng), value(rng, 1));
    DetachedProperty { id, key, value, properties: properties(rng) }
}

fn scalar_id(rng: &mut Rng) -> Value {
    without_nan(scalar(rng))
}

fn vertex(rng: &mut Rng) -> Arc<DetachedVertex> {
    let mut keyed: Vec<DetachedProperty> =
        (0..rng.below(3)).map(|_| vertex_property(rng)).collect();
    keyed.sort_by(|left, right| left.key.cmp(&right.key));
    let properties = (!keyed.is_empty()).then_some(keyed);
    Arc::new(DetachedVertex { id: scalar_id(rng), label: text(rng), properties })
}

fn edge(rng: &mut Rng) -> Arc<DetachedEdge> {
    let mut end = || (scalar_id(rng), text(rng));
    let (source, target) = (end(), end());
    let (id, label, properties) = (scalar_id(rng), text(rng), properties(rng));
    Arc::new(DetachedEdge { id, label, source, target, properties })
}

fn metrics(rng: &mut Rng, depth: u32) -> Metrics {
    let nested = if depth == 0 { 0 } else { rng.below(3) };
    Metrics {
        id: text(rng),
        name: text(rng),
        nanos: rng.below(1 << 40) as i64,
        counts: texts(rng).into_iter().map(|key| (key, rng.next_u64() as i64)).collect(),
        annotations: vec![(Value::String(text(rng)), value(rng, 1))],
        nested: (0..nested).map(|_| metrics(rng, depth - 1)).collect(),
        variables: Vec::new(),
    }
}

fn tree(rng: &mut Rng, depth: u32) -> Tree {
    let count = if depth == 0 { 0 } else { rng.below(3) };
    Tree { branches: (0..count).map(|_| (datum(rng, 1), tree(rng, depth - 1))).collect() }
}

fn data(rng: &mut Rng, depth: u32) -> Vec<Datum> {
    (0..rng.below(4)).map(|_| datum(rng, depth)).collect()
}

fn datum(rng: &mut Rng, depth: u32) -> Datum {
    if depth == 0 {
        return Datum::Value(value(rng, 0));
    }
    match rng.below(15) {
        0 => Datum::list(data(rng, depth - 1)),
        1 => Datum::set(data(rng, depth - 1)),
        2 => {
            let (keys, values) = (data(rng, depth - 1), data(rng, depth - 1));
            Datum::map(keys.into_iter().zip(values).collect())
        }
        3 => Datum::Vertex(vertex(rng)),
        4 => Datum::Edge(edge(rng)),
        5 => Datum::VertexProperty(Arc::new(vertex_property(rng))),
        6 => Datum::Property(Box::new((text(rng), value(rng, 1)))),
        7 => {
            let objects = data(rng, depth - 1);
            let labels = objects.iter().map(|_| texts(rng)).collect();
            Datum::Path(Box::new(Path { labels, objects }))
        }
        8 => Datum::Tree(tree(rng, 2)),
        9 => Datum::BulkSet(
            data(rng, depth - 1).into_iter().map(|datum| (datum, 1 + rng.below(9))).collect(),
        ),
        10 => Datum::Traverser(Box::new(Traverser {
            bulk: 1 + rng.below(u64::MAX >> 2),
            value: datum(rng, depth - 1),
        })),
        11 => Datum::Metrics(Box::new(metrics(rng, 1))),
        12 => {
            let (nanos, steps) = (rng.below(1 << 40) as i64, vec![metrics(rng, 1)]);
            Datum::TraversalMetrics(Box::new(TraversalMetrics { nanos, operators: steps }))
        }
        13 => match argument(rng, depth - 1) {
            argument @ (Argument::Bytecode(_) | Argument::Predicate(_) | Argument::Symbol(_)) => {
                Datum::Argument(Box::new(argument))
            }
            _ => Datum::NULL,
        },
        _ => Datum::Value(value(rng, depth)),
    }
}

pub(super) fn instructions(rng: &mut Rng, depth: u32) -> Vec<Instruction> {
    let count = rng.below(3);
    let instruction = |_| {
        let arguments = (0..rng.below(3)).map(|_| argument(rng, depth)).collect();
        Instruction { name: text(rng), arguments, position: None }
    };
    (0..count).map(instruction).collect()
}

/// A circle or a box: a point is a value when it was read.
fn geoshape(rng: &mut Rng) -> Argument {
    let mut number = |most: u64| rng.below(most) as f64 / 4.0;
    let (south, west) = (number(300) - 90.0, number(1_400) - 180.0);
    Argument::Geoshape(match rng.below(2) {
        0 => Geoshape::of_numbers(GeoshapeKind::Circle, &[south, west, 0.5]),
        _ => Geoshape::of_numbers(GeoshapeKind::Box, &[south, west, south + 1.0, west + 3.0]),
    })
}

pub(super) fn argument(rng: &mut Rng, depth: u32) -> Argument {
    if depth == 0 {
        return Argument::Value(value(rng, 1));
    }
    let below = depth - 1;
    match rng.below(13) {
        11 => geoshape(rng),
        12 => {
            let of_text = [Argument::Value(Value::String(text(rng))), geoshape(rng)];
            let name = rng.pick(&JANUSGRAPH_PREDICATES);
            Argument::Predicate(Predicate::new(name, vec![of_text[rng.index(2)].clone()]))
        }
        0 => Argument::Bytecode(Bytecode {
            sources: instructions(rng, below),
            steps: instructions(rng, below),
        }),
        1 => {
            let (name, wide) = *rng.pick(&[("gt", false), ("regex", false), ("within", true)]);
            let count = if wide { 2 } else { 1 };
            let arguments = (0..count).map(|_| Argument::Value(scalar_id(rng))).collect();
            Argument::Predicate(Predicate::new(name, arguments))
        }
        2 => {
            let (family, _) = *rng.pick(&SymbolFamily::ALL);
            Argument::Symbol(Symbol { family, name: text(rng) })
        }
        3 => Argument::Type(Arc::from("ReadOnlyStrategy")),
        4 => {
            let setting = (text(rng), argument(rng, below));
            Argument::Strategy(Strategy {
                name: Arc::from("SubgraphStrategy"),
                configuration: vec![setting],
            })
        }
        5 => Argument::Lambda(Lambda {
            text: text(rng),
            language: text(rng),
            arity: [None, Some(2)][rng.index(2)],
        }),
        6 => Argument::Binding(text(rng), Box::new(argument(rng, below))),
        7 => Argument::Vertex(scalar_id(rng)),
        8 => Argument::Edge(scalar_id(rng)),
        9 => Argument::list(vec![argument(rng, below), argument(rng, below)]),
        _ => Argument::map(vec![(argument(rng, below), argument(rng, below))]),
    }
}

#[test]
fn graphbinary_reads_back() {
    run_seeds(400, |_, rng| {
        let datum = datum(rng, DEPTH);
        let bytes = graphbinary::write(&datum).expect("it has a form");
        assert_eq!(graphbinary::read(&bytes).expect("it was written"), datum);
    });
}

#[test]
fn graphson_3_reads_back() {
    run_seeds(400, |_, rng| {
        let datum = datum(rng, DEPTH);
        let json = graphson::write(&datum, Version::V3).expect("it has a form");
        let read =
            graphson::read(json.as_bytes()).unwrap_or_else(|error| panic!("{error}: {json}"));
        assert_eq!(read, datum, "{json}");
    });
}

#[test]
fn graphson_2_and_untyped_graphson_are_json() {
    run_seeds(200, |_, rng| {
        let datum = datum(rng, DEPTH);
        for version in [Version::V2, Version::Untyped] {
            let json = graphson::write(&datum, version).expect("it has a form");
            serde_json::from_str::<serde_json::Value>(&json)
                .unwrap_or_else(|error| panic!("{error}: {json}"));
        }
        // Without collections, GraphSON 2 says as much as 3.
        let scalar = Datum::Value(without_nan(scalar(rng)));
        let json = graphson::write(&scalar, Version::V2).expect("it has a form");
        assert_eq!(graphson::read(json.as_bytes()).expect("it was written"), scalar);
    });
}

#[test]
fn instructions_are_read_as_they_were_written() {
    run_seeds(400, |_, rng| {
        let bytecode = Bytecode { sources: instructions(rng, 3), steps: instructions(rng, 3) };
        let datum = Datum::Argument(Box::new(Argument::Bytecode(bytecode)));
        let bytes = graphbinary::write(&datum).expect("it has a form");
        assert_eq!(graphbinary::read(&bytes).expect("it was written"), datum);
        let json = graphson::write(&datum, Version::V3).expect("it has a form");
        assert_eq!(graphson::read(json.as_bytes()).expect("it was written"), datum, "{json}");
    });
}

#[test]
fn a_subgraph_is_read_as_it_was_written() {
    run_seeds(100, |_, rng| {
        let graph = Graph {
            vertices: (0..rng.below(4)).map(|_| vertex(rng)).collect(),
            edges: (0..rng.below(4)).map(|_| edge(rng)).collect(),
        };
        let datum = Datum::Graph(Box::new(graph));
        let json = graphson::write(&datum, Version::V3).expect("it has a form");
        assert_eq!(graphson::read(json.as_bytes()).expect("it was written"), datum, "{json}");
        // GraphBinary leaves the labels of ends out, and has properties where JSON has none.
        let bytes = graphbinary::write(&datum).expect("it has a form");
        let again = graphbinary::read(&bytes).expect("it was written");
        assert_eq!(graphbinary::write(&again).expect("it has a form"), bytes);
    });
}

/// Symptom: a strategy that was read could not be read again. Shape: a class that is called otherwise than
/// its type. Bound: the type's name.
#[test]
fn a_strategy_whose_class_is_called_otherwise_has_the_name_of_its_type() {
    let json = r#"{"@type":"g:SubgraphStrategy","@value":{"fqcn":"a.b.Other","conf":{}}}"#;
    let read = graphson::read(json.as_bytes()).expect("it is a strategy");
    let written = graphson::write(&read, Version::V3).expect("it has a form");
    assert_eq!(written, json.replace("a.b.Other", "SubgraphStrategy"));
    assert_eq!(graphson::read(written.as_bytes()).expect("it was written"), read);
}
