//! Nodes, relationships and paths, with element ids and without.

use std::sync::Arc;

use millrace_model::detached::{DetachedEdge, DetachedProperty, DetachedVertex};
use millrace_model::path::Path;
use millrace_model::{DetachedElements, EdgeId, Value, VertexId, VertexProperty};
use millrace_wire::bolt::packstream::{Datum, Node};

use super::{forms, read, written};

fn property(key: &str, value: i64) -> DetachedProperty {
    DetachedProperty {
        id: Value::Null,
        key: key.into(),
        value: Value::I64(value),
        properties: None,
    }
}

fn elements() -> DetachedElements {
    let properties = Some(vec![property("n", 1), property("n", 2), property("m", 3)]);
    let ann = DetachedVertex { id: Value::I64(1), label: "A::B".into(), properties };
    let bob = DetachedVertex { id: Value::from("bob"), label: "vertex".into(), properties: None };
    let knows = DetachedEdge {
        id: Value::I64(9),
        label: "KNOWS".into(),
        source: (Value::I64(1), "A::B".into()),
        target: (Value::from("bob"), "vertex".into()),
        properties: Some(vec![("since".into(), Value::I64(1999))]),
    };
    let labels: Arc<[Arc<str>]> = Arc::from(["A".into(), "B".into()]);
    let own = VertexProperty { owner: VertexId(1), key: "n".into(), ordinal: 0 };
    DetachedElements {
        vertices: [(VertexId(1), Arc::new(ann)), (VertexId(2), Arc::new(bob))].into(),
        labels: [(VertexId(1), labels), (VertexId(2), Arc::from([]))].into(),
        edges: [(EdgeId(9), Arc::new(knows))].into(),
        properties: [(own, Arc::new(property("n", 1)))].into(),
    }
}

fn read_all(value: &Value) -> [Datum; 3] {
    forms()
        .map(|form| read(&written(value, &elements(), form).expect("is written")).expect("reads"))
}

fn node(datum: &Datum) -> &Node {
    match datum {
        Datum::Node(node) => node,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_node_has_its_labels_and_the_values_of_a_key_as_a_list() {
    for datum in read_all(&Value::Vertex(VertexId(1))) {
        let node = node(&datum);
        assert_eq!(node.id, 1);
        // Versions below 5 send none, and a driver takes the number.
        assert!(["1", "4:0:1"].contains(&&*node.element_id), "{}", node.element_id);
        assert_eq!(node.labels, ["A".into(), "B".into()]);
        let several = Value::list(vec![Value::I64(1), Value::I64(2)]);
        assert_eq!(node.properties, [("n".into(), several), ("m".into(), Value::I64(3))]);
    }
}

#[test]
fn a_text_as_an_id_has_a_negative_number() {
    let [old, _, new] = read_all(&Value::Vertex(VertexId(2)));
    assert!(node(&new).id < 0 && node(&new).labels.is_empty());
    assert_eq!(&*node(&new).element_id, "4:0:bob");
    assert_eq!(node(&old).id, node(&new).id);
    let [_, _, edge] = read_all(&Value::Edge(EdgeId(9)));
    let Datum::Relationship(edge) = &edge else { panic!("{edge:?}") };
    assert_eq!(edge.end, (node(&new).id, "4:0:bob".into()), "the same number at both places");
    assert_eq!((edge.start.0, &*edge.kind), (1, "KNOWS"));
    assert_eq!(edge.properties, [("since".into(), Value::I64(1999))]);
}

#[test]
fn an_element_that_is_gone_has_its_id_only() {
    for datum in read_all(&Value::Vertex(VertexId(7))) {
        assert_eq!((node(&datum).id, node(&datum).labels.len()), (7, 0));
    }
    let [old, _, new] = read_all(&Value::Edge(EdgeId(8)));
    for datum in [old, new] {
        assert!(matches!(datum, Datum::Relationship(edge) if edge.id == 8 && edge.kind.is_empty()));
    }
}

#[test]
fn a_path_knows_the_ways_of_its_relationships() {
    let objects = [
        Value::Vertex(VertexId(1)),
        Value::Edge(EdgeId(9)),
        Value::Vertex(VertexId(2)),
        Value::Edge(EdgeId(9)),
        Value::Vertex(VertexId(1)),
    ];
    let path = Value::Path(Arc::new(Path::untagged(objects.into())));
    for datum in read_all(&path) {
        let Datum::Path(path) = &datum else { panic!("{datum:?}") };
        let ids: Vec<i64> = path.nodes.iter().map(|node| node.id).collect();
        assert_eq!((ids[0], ids[2], path.relationships.len()), (1, 1, 2));
        for edge in &path.relationships {
            assert_eq!((edge.start.0, edge.end.0), (1, ids[1]), "the second is walked backwards");
        }
    }
    let alone = Value::Path(Arc::new(Path::untagged(objects_of(1))));
    for datum in read_all(&alone) {
        assert!(matches!(datum, Datum::Path(path) if path.nodes.len() == 1));
    }
}

fn objects_of(vertex: u64) -> Vec<Value> {
    vec![Value::Vertex(VertexId(vertex))]
}

#[test]
fn a_property_of_a_vertex_is_its_value() {
    let own = VertexProperty { owner: VertexId(1), key: "n".into(), ordinal: 0 };
    let [_, _, datum] = read_all(&Value::VertexProperty(Arc::new(own)));
    assert_eq!(datum, Datum::Value(Value::I64(1)));
}

#[test]
fn lists_and_maps_hold_elements() {
    let list = Value::list(vec![Value::I64(1), Value::Vertex(VertexId(1))]);
    let [_, _, datum] = read_all(&list);
    assert!(matches!(datum, Datum::List(items) if matches!(items[1], Datum::Node(_))));
    let [_, _, datum] = read_all(&Value::map(vec![(Value::from("n"), Value::Vertex(VertexId(1)))]));
    assert!(matches!(datum, Datum::Map(pairs) if matches!(pairs[0].1, Datum::Node(_))));
}
