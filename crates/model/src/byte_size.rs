//! How many bytes a value takes in memory: for budgets, so near enough and quick to find.
//!
//! Memory that several values share (a text, a list) is counted for each of them.

use crate::parts::{Property, Tree, VertexProperty};
use crate::path::Path;
use crate::property_values::{PropertyValue, PropertyValues};
use crate::value::{Value, ValueMap};

/// The two counters in front of everything shared.
const SHARED: usize = 16;

/// Bytes that the allocator takes for so many: its own head, and rounding.
fn allocation_size(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        bytes => bytes.saturating_add(8).next_multiple_of(16).max(32),
    }
}

impl Value {
    /// Bytes of the value with all it points to.
    pub fn byte_size(&self) -> usize {
        size_of::<Value>() + self.heap_size()
    }

    /// Bytes of the memory that the value points to.
    pub fn heap_size(&self) -> usize {
        match self {
            Value::Null
            | Value::Bool(_)
            | Value::I8(_)
            | Value::I16(_)
            | Value::I32(_)
            | Value::I64(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Uuid(_)
            | Value::Date(_)
            | Value::Time(_)
            | Value::DateTime(_)
            | Value::Vertex(_)
            | Value::Edge(_)
            | Value::Token(_) => 0,
            Value::Decimal(_) | Value::Duration(_) | Value::ZonedDateTime(_) => 64,
            Value::String(text) => allocation_size(SHARED + text.len()),
            Value::Bytes(bytes) => allocation_size(SHARED + bytes.len()),
            Value::Point(point) => 64 + allocation_size(size_of_val(&point.coordinates[..])),
            Value::List(values) | Value::Set(values) => {
                allocation_size(SHARED + size_of_val(&values[..])) + heap_of_all(values)
            }
            Value::Map(pairs) => {
                let heaps = pairs.iter().map(|(key, value)| key.heap_size() + value.heap_size());
                allocation_size(SHARED + size_of::<ValueMap>())
                    + allocation_size(pairs.capacity() * size_of::<(Value, Value)>())
                    + heaps.sum::<usize>()
            }
            Value::MapEntry(entry) => {
                allocation_size(SHARED + size_of::<(Value, Value)>())
                    + entry.0.heap_size()
                    + entry.1.heap_size()
            }
            Value::Path(path) => path_size(path),
            Value::VertexProperty(property) => {
                allocation_size(SHARED + size_of::<VertexProperty>()) + property.key.len()
            }
            Value::Property(property) => {
                allocation_size(SHARED + size_of::<Property>())
                    + property.key.len()
                    + property.owner.heap_size()
                    + property.value.heap_size()
            }
            Value::Tree(tree) => allocation_size(SHARED + size_of::<Tree>()) + tree_size(tree),
            Value::PropertyValues(property) => {
                let values = property.values();
                allocation_size(SHARED + size_of::<PropertyValues>())
                    + allocation_size(size_of_val(values))
                    + values.iter().map(property_value_size).sum::<usize>()
            }
            Value::Subgraph(part) => {
                64 + allocation_size(size_of_val(part.vertices()))
                    + allocation_size(size_of_val(part.edges()))
            }
        }
    }
}

fn heap_of_all(values: &[Value]) -> usize {
    values.iter().map(Value::heap_size).sum()
}

fn path_size(path: &Path) -> usize {
    let (objects, all_tags) = path.own_parts();
    let tags = all_tags.iter().map(|tags| allocation_size(size_of_val(&tags[..])));
    allocation_size(SHARED + size_of::<Path>())
        + allocation_size(size_of_val(objects))
        + heap_of_all(objects)
        + allocation_size(size_of_val(all_tags))
        + tags.sum::<usize>()
}

fn property_value_size(own: &PropertyValue) -> usize {
    own.all_values().map(Value::heap_size).sum::<usize>()
        + allocation_size(size_of_val(&own.meta[..]))
}

fn tree_size(tree: &Tree) -> usize {
    let below = tree.branches.iter().map(|(value, below)| value.heap_size() + tree_size(below));
    allocation_size(size_of_val(&tree.branches[..])) + below.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_value_holds_counts_whatever_it_is_inside_of() {
        let text = Value::String("x".repeat(1_000).into());
        let list = Value::List(vec![text.clone()].into());
        let below = Tree { branches: vec![(text.clone(), Tree::default())] };
        let tree = Value::Tree(Tree { branches: vec![(Value::Null, below)] }.into());
        for holder in [text.clone(), list, Value::Map(vec![(Value::Null, text)].into()), tree] {
            assert!(holder.byte_size() > 1_000, "{holder:?}");
        }
        assert_eq!(Value::I64(7).byte_size(), size_of::<Value>());
    }

    #[test]
    fn a_small_map_counts_its_allocations_and_not_its_entries_alone() {
        let pair = |key: &str| (Value::from(key), Value::Null);
        let map = Value::map(vec![pair("a"), pair("b")]);
        assert!(160 <= map.heap_size(), "{}", map.heap_size());
        assert!(64 <= Value::list(vec![Value::I64(1)]).byte_size());
    }
}
