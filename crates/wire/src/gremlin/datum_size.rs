//! The bytes that a datum takes in memory: an estimate for budgets, quick to compute. A shared part (an
//! element, a text) is counted for each of its owners.

use std::sync::Arc;

use millrace_model::{DetachedEdge, DetachedProperty, DetachedVertex, Value};

use super::datum::{Datum, Path, Tree};

/// Overhead of an allocation, about.
const ALLOCATION: usize = 32;

impl Datum {
    /// Bytes of the datum with all it points to.
    pub fn byte_size(&self) -> usize {
        size_of::<Datum>() + self.heap_size()
    }

    fn heap_size(&self) -> usize {
        match self {
            Datum::Value(value) => value.heap_size(),
            Datum::List(data) | Datum::Set(data) => all(data),
            Datum::Map(pairs) => {
                let sizes = pairs.iter().map(|(key, value)| key.byte_size() + value.byte_size());
                ALLOCATION + sizes.sum::<usize>()
            }
            Datum::Vertex(vertex) => of_vertex(vertex),
            Datum::Edge(edge) => of_edge(edge),
            Datum::VertexProperty(property) => of_property(property),
            Datum::Property(property) => ALLOCATION + property.0.len() + property.1.byte_size(),
            Datum::Path(path) => of_path(path),
            Datum::Tree(tree) => of_tree(tree),
            Datum::BulkSet(data) => {
                ALLOCATION + data.iter().map(|(datum, _)| 8 + datum.byte_size()).sum::<usize>()
            }
            Datum::Graph(graph) => {
                let vertices = graph.vertices.iter().map(|vertex| of_vertex(vertex));
                let edges = graph.edges.iter().map(|edge| of_edge(edge));
                ALLOCATION + vertices.chain(edges).sum::<usize>()
            }
            Datum::Traverser(traverser) => ALLOCATION + traverser.value.byte_size(),
            // One of a request, and small.
            Datum::Metrics(_) | Datum::TraversalMetrics(_) | Datum::Argument(_) => ALLOCATION,
        }
    }
}

fn all(data: &[Datum]) -> usize {
    ALLOCATION + data.iter().map(Datum::byte_size).sum::<usize>()
}

fn text(text: &Arc<str>) -> usize {
    ALLOCATION + text.len()
}

fn of_properties(properties: Option<&[(Arc<str>, Value)]>) -> usize {
    let pairs = properties.unwrap_or_default().iter();
    pairs.map(|(key, value)| text(key) + value.byte_size()).sum()
}

fn of_vertex(vertex: &DetachedVertex) -> usize {
    let properties = vertex.properties.iter().flatten().map(of_property);
    size_of::<DetachedVertex>()
        + vertex.id.heap_size()
        + text(&vertex.label)
        + properties.sum::<usize>()
}

fn of_edge(edge: &DetachedEdge) -> usize {
    let ends = [&edge.source, &edge.target].map(|(id, label)| id.heap_size() + text(label));
    size_of::<DetachedEdge>()
        + edge.id.heap_size()
        + text(&edge.label)
        + ends.iter().sum::<usize>()
        + of_properties(edge.properties.as_deref())
}

fn of_property(property: &DetachedProperty) -> usize {
    size_of::<DetachedProperty>()
        + property.id.heap_size()
        + text(&property.key)
        + property.value.heap_size()
        + of_properties(property.properties.as_deref())
}

fn of_path(path: &Path) -> usize {
    let labels = path.labels.iter().flatten().map(text);
    ALLOCATION + all(&path.objects) + labels.sum::<usize>()
}

fn of_tree(tree: &Tree) -> usize {
    let branches = tree.branches.iter().map(|(datum, tree)| datum.byte_size() + of_tree(tree));
    ALLOCATION + branches.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_values_count_in_every_kind_of_datum() {
        let long = Value::from("x".repeat(100_000).as_str());
        let key = Arc::<str>::from("k");
        let property = DetachedProperty {
            id: Value::I64(1),
            key: key.clone(),
            value: long.clone(),
            properties: None,
        };
        let vertex = Arc::new(DetachedVertex {
            id: Value::I64(1),
            label: key.clone(),
            properties: Some(vec![property.clone()]),
        });
        let edge = DetachedEdge {
            id: Value::I64(1),
            label: key.clone(),
            source: (Value::I64(1), key.clone()),
            target: (Value::I64(1), key.clone()),
            properties: Some(vec![(key.clone(), long.clone())]),
        };
        let inner = Datum::Vertex(Arc::clone(&vertex));
        for datum in [
            Datum::Value(long.clone()),
            inner.clone(),
            Datum::Edge(Arc::new(edge)),
            Datum::VertexProperty(Arc::new(property)),
            Datum::Property(Box::new((key, long))),
            Datum::List(vec![inner.clone()]),
            Datum::Map(vec![(Datum::NULL, inner.clone())]),
            Datum::BulkSet(vec![(inner.clone(), 3)]),
            Datum::Tree(Tree { branches: vec![(inner.clone(), Tree::default())] }),
            Datum::Path(Box::new(Path { labels: vec![], objects: vec![inner] })),
        ] {
            assert!((100_000..102_000).contains(&datum.byte_size()), "{}", datum.byte_size());
        }
        assert!(Datum::Value(Value::I64(1)).byte_size() < 100);
    }
}
