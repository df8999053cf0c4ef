//! How many bytes a value takes in memory: for budgets, so near enough and quick to find.
//!
//! What a reader would get wrong: what values share (a text, a list) is counted for each of them.

use crate::parts::Tree;
use crate::value::Value;

/// What a list, a text or a boxed value takes beside its entries: the head of its allocation.
const HEAD: usize = 16;

impl Value {
    /// Bytes of the value with all it points to.
    pub fn byte_size(&self) -> usize {
        size_of::<Value>() + self.heap_size()
    }

    /// Bytes of what the value points to.
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
            Value::String(text) => text.len() + HEAD,
            Value::Bytes(bytes) => bytes.len() + HEAD,
            Value::Point(point) => size_of_val(&point.coordinates[..]) + 48,
            Value::List(values) | Value::Set(values) => sum(values),
            Value::Map(pairs) => {
                pairs.iter().map(|(key, value)| key.byte_size() + value.byte_size()).sum::<usize>()
                    + HEAD
            }
            Value::Path(path) => {
                let tags = path.tags.iter().map(|tags| 24 + size_of_val(&tags[..]));
                sum(&path.objects) + tags.sum::<usize>()
            }
            Value::VertexProperty(property) => property.key.len() + 48,
            Value::Property(property) => {
                property.owner.byte_size() + property.value.byte_size() + 32
            }
            Value::Tree(tree) => tree_size(tree),
            Value::Entries(entries) => {
                let entries = entries.entries().iter();
                entries.map(|entry| entry.values().map(Value::byte_size).sum::<usize>() + 48).sum()
            }
            Value::Subgraph(part) => size_of_val(part.vertices()) + size_of_val(part.edges()) + 48,
        }
    }
}

fn sum(values: &[Value]) -> usize {
    values.iter().map(Value::byte_size).sum::<usize>() + HEAD
}

fn tree_size(tree: &Tree) -> usize {
    let branch = |(value, below): &(Value, Tree)| value.byte_size() + tree_size(below);
    tree.branches.iter().map(branch).sum::<usize>() + 24
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
}
