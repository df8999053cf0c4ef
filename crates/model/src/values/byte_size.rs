//! How many bytes a value takes in memory: for budgets, so near enough and quick to find.
//!
//! Memory that several values share (a text, a list) is counted for each of them, but where a holder of many
//! values counts them with one [`CountedOnce`].

use std::collections::HashSet;
use std::mem::needs_drop;
use std::sync::Arc;

use super::parts::{Property, Tree, VertexProperty};
use super::path::Path;
use super::property_values::{PropertyValue, PropertyValues};
use super::value::{Value, ValueMap};
use crate::geometry::{Geometry, Polygon, Ring};

/// The two counters in front of everything shared.
const SHARED: usize = 16;

/// Bytes that the allocator takes for so many: its own head, and rounding.
fn allocation_size(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        bytes => bytes.saturating_add(8).next_multiple_of(16).max(32),
    }
}

/// Memory that was counted already: what many values share is there once.
#[derive(Debug, Default)]
pub struct CountedOnce {
    seen: HashSet<usize>,
    /// Whether what others hold as well is counted with them, and not here.
    is_own_only: bool,
}

/// Texts and bytes below this are counted wherever they occur: to remember them would take as much.
const REMEMBERED_BYTES_MIN: usize = 256;

impl CountedOnce {
    /// Counts nothing that others hold as well: so of new values what they were made of.
    pub fn own_only() -> CountedOnce {
        CountedOnce { is_own_only: true, ..CountedOnce::default() }
    }

    /// Bytes of a value with all it points to that was not counted before. It must stay in memory as long as this is
    /// asked: another value may come where one was.
    pub fn byte_size(&mut self, value: &Value) -> usize {
        size_of::<Value>() + self.heap_size(value)
    }

    /// Bytes of the memory that the value points to, but for memory that was counted before.
    pub fn heap_size(&mut self, value: &Value) -> usize {
        match value {
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
            Value::String(text) => self.once(text, text.len(), |_| 0),
            Value::Bytes(bytes) => self.once(bytes, bytes.len(), |_| 0),
            Value::Vector(numbers) => self.once(numbers, size_of_val(&numbers[..]), |_| 0),
            Value::Point(point) => 64 + allocation_size(size_of_val(&point.coordinates[..])),
            Value::Geometry(shape) => {
                self.once(shape, size_of::<Geometry>(), |_| geometry_size(shape))
            }
            Value::List(values) | Value::Set(values) => {
                self.once(values, size_of_val(&values[..]), |own| own.heap_of_all(values))
            }
            Value::Map(pairs) => self.once(pairs, size_of::<ValueMap>(), |own| {
                let heaps =
                    pairs.iter().map(|(key, value)| own.heap_size(key) + own.heap_size(value));
                let heaps = heaps.sum::<usize>();
                allocation_size(pairs.capacity() * size_of::<(Value, Value)>()) + heaps
            }),
            Value::MapEntry(entry) => {
                allocation_size(SHARED + size_of::<(Value, Value)>())
                    + self.heap_size(&entry.0)
                    + self.heap_size(&entry.1)
            }
            Value::Path(path) => self.once(path, size_of::<Path>(), |own| own.path_size(path)),
            Value::VertexProperty(property) => {
                allocation_size(SHARED + size_of::<VertexProperty>()) + property.key.len()
            }
            Value::Property(property) => {
                allocation_size(SHARED + size_of::<Property>())
                    + property.key.len()
                    + self.heap_size(&property.owner)
                    + self.heap_size(&property.value)
            }
            Value::Tree(tree) => self.once(tree, size_of::<Tree>(), |own| own.tree_size(tree)),
            Value::PropertyValues(property) => {
                let values = property.values();
                allocation_size(SHARED + size_of::<PropertyValues>())
                    + allocation_size(size_of_val(values))
                    + values.iter().map(|own| self.property_value_size(own)).sum::<usize>()
            }
            Value::Subgraph(part) => self.once(part, 48, |_| {
                allocation_size(size_of_val(part.vertices()))
                    + allocation_size(size_of_val(part.edges()))
            }),
        }
    }

    /// The bytes of memory that others may point to, and of those below it, if it was not counted yet.
    fn once<T: ?Sized>(
        &mut self,
        shared: &Arc<T>,
        bytes: usize,
        below: impl FnOnce(&mut CountedOnce) -> usize,
    ) -> usize {
        let is_plain = size_of_val(&**shared) < REMEMBERED_BYTES_MIN && !needs_drop::<T>();
        let is_shared = 1 < Arc::strong_count(shared) && !is_plain;
        if is_shared && self.is_own_only {
            return 0;
        }
        if is_shared && !self.seen.insert(Arc::as_ptr(shared).cast::<()>() as usize) {
            return 0;
        }
        allocation_size(SHARED + bytes).saturating_add(below(self))
    }

    fn heap_of_all(&mut self, values: &[Value]) -> usize {
        values.iter().map(|value| self.heap_size(value)).fold(0, usize::saturating_add)
    }

    fn path_size(&mut self, path: &Path) -> usize {
        let (objects, all_tags) = path.own_parts();
        let tags = all_tags.iter().map(|tags| allocation_size(size_of_val(&tags[..])));
        allocation_size(size_of_val(objects))
            + self.heap_of_all(objects)
            + allocation_size(size_of_val(all_tags))
            + tags.sum::<usize>()
    }

    fn property_value_size(&mut self, own: &PropertyValue) -> usize {
        own.all_values().map(|value| self.heap_size(value)).sum::<usize>()
            + allocation_size(size_of_val(&own.meta[..]))
    }

    fn tree_size(&mut self, tree: &Tree) -> usize {
        let below = tree
            .branches
            .iter()
            .map(|(value, below)| self.heap_size(value) + self.tree_size(below));
        let below = below.sum::<usize>();
        allocation_size(size_of_val(&tree.branches[..])) + below
    }
}

/// Bytes of the lists below a geometry.
fn geometry_size(shape: &Geometry) -> usize {
    let ring = |ring: &Ring| allocation_size(size_of_val(&ring[..]));
    let polygon = |rings: &Polygon| {
        allocation_size(size_of_val(&rings[..])) + rings.iter().map(ring).sum::<usize>()
    };
    match shape {
        Geometry::Point(_) => 0,
        Geometry::Polygon(rings) => polygon(rings),
        Geometry::MultiPolygon(polygons) => {
            allocation_size(size_of_val(&polygons[..]))
                + polygons.iter().map(polygon).sum::<usize>()
        }
    }
}

impl Value {
    /// Bytes of the value with all it points to; a part that it holds several times counts once.
    pub fn byte_size(&self) -> usize {
        CountedOnce::default().byte_size(self)
    }

    /// Bytes of the memory that the value points to; a part that it holds several times counts once.
    pub fn heap_size(&self) -> usize {
        CountedOnce::default().heap_size(self)
    }
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
        let ring = vec![[0.0, 0.0]; 100];
        let shape = Value::from(Geometry::MultiPolygon(vec![vec![ring.clone()], vec![ring]]));
        assert!((3_200..4_000).contains(&shape.byte_size()), "{}", shape.byte_size());
        for holder in [text.clone(), list, Value::Map(vec![(Value::Null, text)].into()), tree] {
            assert!(holder.byte_size() > 1_000, "{holder:?}");
        }
        assert_eq!(Value::I64(7).byte_size(), size_of::<Value>());
    }

    #[test]
    fn a_shared_part_counts_once() {
        let list = Value::list((0..1_000).map(Value::I64).collect());
        let one = list.byte_size();
        let often = Value::list(vec![list.clone(); 1_000]);
        assert!(often.byte_size() < one + 1_100 * size_of::<Value>(), "{}", often.byte_size());
        let mut counted = CountedOnce::default();
        assert_eq!(counted.byte_size(&list), one);
        assert_eq!(counted.byte_size(&list), size_of::<Value>());
        // Counted part by part it would be 2^100.
        let doubled = (0..100).fold(list, |own, _| Value::list(vec![own.clone(), own]));
        assert!(doubled.byte_size() < one + 20_000, "{}", doubled.byte_size());
    }

    #[test]
    fn of_new_values_only_what_they_were_made_of_counts() {
        let part = Value::list((0..1_000).map(Value::I64).collect());
        let new = Value::list(vec![part.clone(), Value::String("x".repeat(500).into())]);
        let own = CountedOnce::own_only().byte_size(&new);
        assert!((500..1_000).contains(&own), "{own}");
        drop(part);
        assert_eq!(CountedOnce::own_only().byte_size(&new), new.byte_size());
        let held = [new.clone(), new];
        assert_eq!(CountedOnce::own_only().byte_size(&held[0]), size_of::<Value>());
    }

    #[test]
    fn a_small_map_counts_its_allocations_and_not_its_entries_alone() {
        let pair = |key: &str| (Value::from(key), Value::Null);
        let map = Value::map(vec![pair("a"), pair("b")]);
        assert!(160 <= map.heap_size(), "{}", map.heap_size());
        assert!(64 <= Value::list(vec![Value::I64(1)]).byte_size());
    }
}
