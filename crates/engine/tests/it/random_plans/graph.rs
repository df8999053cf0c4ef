//! Small random graphs with everything that is easily got wrong: loops, parallel edges, hubs, two
//! labels, several types, two numeric types under one key, keys that are missing.

use std::fmt::Write;
use std::sync::Arc;

use millrace_model::schema::{CatalogChange, IndexDefinition, IndexKind};
use millrace_model::temporal::{DateTime, Duration, Time};
use millrace_model::{Column, EdgeTypeId, KeyId, LabelId, Owner, PropertyValues, Value, VertexId};
use millrace_store::memory::MemoryBackend;
use millrace_store::{Backend, Isolation, NameKind, Store, Transaction};
use millrace_testkit::Rng;

pub(super) const LABELS: [&str; 2] = ["A", "B"];
pub(super) const TYPES: [&str; 3] = ["R", "S", "T"];

type Properties = Vec<(&'static str, Value)>;

/// A graph before it is stored, so that it can be made smaller.
#[derive(Clone, Default)]
pub(super) struct Graph {
    pub(super) vertices: Vec<Vertex>,
    pub(super) edges: Vec<Edge>,
    pub(super) indexes: Vec<Index>,
}

/// An index: of a label, of a type, or of all vertices.
#[derive(Clone, Debug)]
pub(super) struct Index {
    owner: Indexed,
    keys: Vec<&'static str>,
    kind: IndexKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Indexed {
    Label(&'static str),
    Type(&'static str),
    All,
}

#[derive(Clone)]
pub(super) struct Vertex {
    pub(super) labels: Vec<&'static str>,
    pub(super) properties: Properties,
}

#[derive(Clone)]
pub(super) struct Edge {
    pub(super) edge_type: &'static str,
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) properties: Properties,
}

impl Graph {
    pub(super) fn random(rng: &mut Rng) -> Graph {
        let count = rng.range(1..8) as usize;
        let labels = |rng: &mut Rng| -> Vec<&'static str> {
            LABELS.into_iter().filter(|_| rng.chance(0.6)).collect()
        };
        let vertices = (0..count)
            .map(|_| Vertex { labels: labels(rng), properties: properties(rng) })
            .collect();
        let edge_count = rng.below(4 * count as u64 + 1);
        let edges = (0..edge_count)
            .map(|_| Edge {
                edge_type: TYPES[rng.index(TYPES.len())],
                // Low numbers are hubs.
                source: rng.rank(count as u64, 0.8) as usize,
                target: rng.rank(count as u64, 0.5) as usize,
                properties: if rng.chance(0.5) { properties(rng) } else { Vec::new() },
            })
            .collect();
        let indexes = if rng.chance(0.7) { indexes(rng) } else { Vec::new() };
        Graph { vertices, edges, indexes }
    }

    /// The graph without a vertex and its edges.
    pub(super) fn without_vertex(&self, gone: usize) -> Graph {
        let mut graph = self.clone();
        graph.vertices.remove(gone);
        graph.edges.retain(|edge| edge.source != gone && edge.target != gone);
        for edge in &mut graph.edges {
            edge.source -= usize::from(gone < edge.source);
            edge.target -= usize::from(gone < edge.target);
        }
        graph
    }

    /// The graph in a store; vertices are numbered from 1.
    pub(super) fn store(&self) -> Arc<dyn Store> {
        let store = MemoryBackend::new().create_graph("g").expect("an empty backend");
        let transaction = Transaction::begin(store.clone(), Isolation::Snapshot).expect("begins");
        let number = |kind, name| transaction.intern(&[(kind, name)]).expect("interns")[0];
        let columns = |properties: &Properties| -> Vec<(KeyId, Column)> {
            let pairs = properties.iter();
            pairs
                .map(|(key, value)| {
                    (KeyId(number(NameKind::Key, key)), Column::from_values([value.clone()]))
                })
                .collect()
        };
        let mut ids: Vec<VertexId> = Vec::new();
        for vertex in &self.vertices {
            let labels = vertex.labels.iter();
            let mut labels: Vec<_> =
                labels.map(|label| LabelId(number(NameKind::Label, label))).collect();
            labels.sort();
            let own = columns(&vertex.properties);
            let own: Vec<_> = own.iter().map(|(key, column)| (*key, column)).collect();
            let made = transaction.create_vertices(&labels.into(), 1, &own);
            ids.extend(made.expect("creates a vertex"));
        }
        for edge in &self.edges {
            let edge_type = EdgeTypeId(number(NameKind::EdgeType, edge.edge_type));
            let own = columns(&edge.properties);
            let own: Vec<_> = own.iter().map(|(key, column)| (*key, column)).collect();
            let (source, target) = (ids[edge.source], ids[edge.target]);
            let made = transaction.create_edges(edge_type, &[source], &[target], &own);
            made.expect("creates an edge");
        }
        for Index { owner, keys, kind } in &self.indexes {
            let owner = match owner {
                Indexed::Label(name) => Owner::Label(LabelId(number(NameKind::Label, name))),
                Indexed::Type(name) => {
                    Owner::EdgeType(EdgeTypeId(number(NameKind::EdgeType, name)))
                }
                Indexed::All => Owner::AllVertices,
            };
            let keys = keys.iter().map(|key| KeyId(number(NameKind::Key, key))).collect();
            let index = IndexDefinition::new(owner, keys, *kind);
            transaction.change_schema(&[CatalogChange::CreateIndex(index)]).expect("declares");
        }
        transaction.commit().expect("commits").wait().expect("is visible");
        store
    }

    pub(super) fn describe(&self) -> String {
        let mut text = String::new();
        for (number, vertex) in self.vertices.iter().enumerate() {
            let (labels, properties) = (&vertex.labels, &vertex.properties);
            writeln!(text, "v{} {labels:?} {properties:?}", number + 1).expect("writes to text");
        }
        for Edge { edge_type, source, target, properties } in &self.edges {
            writeln!(text, "v{} -{edge_type}-> v{} {properties:?}", source + 1, target + 1)
                .expect("writes to text");
        }
        for Index { owner, keys, kind } in &self.indexes {
            writeln!(text, "{kind:?} index of {owner:?} over {keys:?}").expect("writes to text");
        }
        text
    }
}

fn indexes(rng: &mut Rng) -> Vec<Index> {
    let mut indexes: Vec<Index> = Vec::new();
    for _ in 0..rng.range(1..4) {
        let owner = match rng.below(4) {
            0 => Indexed::Type(TYPES[rng.index(TYPES.len())]),
            1 => Indexed::All,
            _ => Indexed::Label(LABELS[rng.index(LABELS.len())]),
        };
        let choices = [vec!["i"], vec!["n"], vec!["s"], vec!["n", "i"], vec!["i", "n"]];
        let keys = rng.pick(&choices);
        let kind = if rng.chance(0.8) { IndexKind::Range } else { IndexKind::Exact };
        let is_new = |index: &Index| index.owner != owner || index.keys != *keys;
        if indexes.iter().all(is_new) {
            indexes.push(Index { owner, keys: keys.clone(), kind });
        }
    }
    indexes
}

fn properties(rng: &mut Rng) -> Properties {
    let mut properties = Vec::new();
    if rng.chance(0.7) {
        properties.push(("i", Value::I64(rng.below(4) as i64)));
    }
    if rng.chance(0.7) {
        // Null can be stored: nothing finds it by an index, and some modes compare it.
        let null = rng.chance(0.1);
        properties.push(("n", if null { Value::Null } else { number(rng) }));
    }
    if rng.chance(0.5) {
        let text = |rng: &mut Rng| Value::from(*rng.pick(&["", "a", "ab", "b"]));
        let value = if rng.chance(0.25) { several(rng, text) } else { text(rng) };
        properties.push(("s", value));
    }
    // Languages of values, one of a key that has no other, and facets of values.
    for key in ["s@en", "s@fr-CA", "t@de", "s|since", "s@en|since", "s@en|by", "u|since"] {
        if rng.chance(0.1) {
            properties.push((key, Value::from(*rng.pick(&["a", "b"]))));
        }
    }
    if rng.chance(0.2) {
        properties.push(("l", Value::list(vec![number(rng), Value::I64(1), number(rng)])));
    }
    properties
}

/// A property of a few values, equal ones among them, some with properties of their own.
fn several(rng: &mut Rng, value: impl Fn(&mut Rng) -> Value) -> Value {
    let mut property = PropertyValues::default();
    for _ in 0..2 + rng.below(3) {
        let meta = [("since".into(), Value::I64(rng.below(3) as i64))];
        property.append(&value(rng), if rng.chance(0.3) { &meta } else { &[] });
    }
    property.remove(rng.below(5) as u32);
    property.into_value().unwrap_or_default()
}

/// Equal numbers of two types, and one whose sums depend on the order if they are rounded.
pub(super) fn number(rng: &mut Rng) -> Value {
    let numbers = [
        Value::I64(1),
        Value::F64(1.0),
        Value::I64(2),
        Value::F64(0.1),
        Value::F64(1e17),
        Value::I64(-1),
        Value::F64(-0.0),
        Value::I64(0),
    ];
    rng.pick(&numbers).clone()
}

/// A value of a type that modes compare in ways of their own.
pub(super) fn odd(rng: &mut Rng) -> Value {
    let time = |nanos, offset_seconds| Value::Time(Time { nanos, offset_seconds });
    let timestamp =
        |offset_seconds| Value::DateTime(DateTime { seconds: 0, nanos: 0, offset_seconds });
    let duration =
        |months, days| Value::Duration(Duration { months, days, seconds: 0, nanos: 0 }.into());
    let map = |value| Value::map(vec![("a".into(), value)]);
    let values = [
        Value::F64(f64::NAN),
        Value::F32(1.0),
        Value::Bool(true),
        time(3_600_000_000_000, Some(3_600)),
        time(0, Some(0)),
        time(0, None),
        timestamp(0),
        timestamp(3_600),
        timestamp(DateTime::LOCAL),
        duration(1, 0),
        duration(0, 30),
        map(Value::Null),
        map(Value::I64(1)),
        map(Value::F64(1.0)),
        Value::list(vec![Value::I64(1), Value::Null]),
        Value::list(vec![Value::F64(f64::NAN)]),
        Value::list(vec![timestamp(0)]),
    ];
    rng.pick(&values).clone()
}
