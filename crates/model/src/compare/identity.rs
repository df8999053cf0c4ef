//! `==`, `Ord` and hash of values: by identity (type and bits), and by the one total order.
//!
//! Here and not beside the type: the order is above the values, and a hash ends with its query.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::total_order::total;
use crate::limits::query_limits;
use crate::values::value::{Point, Value};

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        // A hash table asks this of one in ten keys that differ, and paths are long.
        if let (Value::Path(left), Value::Path(right)) = (self, other)
            && left.surely_differs(right)
        {
            return false;
        }
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        total(self, other)
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Null => {}
            Value::Bool(truth) => truth.hash(state),
            Value::I8(int) => int.hash(state),
            Value::I16(int) => int.hash(state),
            Value::I32(int) => int.hash(state),
            Value::I64(int) => int.hash(state),
            Value::F32(double) => double.to_bits().hash(state),
            Value::F64(double) => double.to_bits().hash(state),
            Value::Decimal(decimal) => decimal.hash(state),
            Value::String(text) => text.hash(state),
            Value::Bytes(bytes) => bytes.hash(state),
            Value::Vector(numbers) => numbers.iter().for_each(|own| own.to_bits().hash(state)),
            Value::Uuid(bytes) => bytes.hash(state),
            Value::Date(date) => date.hash(state),
            Value::Time(time) => time.hash(state),
            Value::DateTime(timestamp) => timestamp.hash(state),
            Value::ZonedDateTime(zoned) => zoned.hash(state),
            Value::Duration(duration) => duration.hash(state),
            Value::Point(point) => hash_point(point, state),
            Value::Geometry(shape) => shape.hash(state),
            // Lists may be in each other many times over; the hashes of a query that has ended are dropped. They differ all
            // the same: a table that grows at this moment would look at all its entries for each of them.
            Value::List(values) | Value::Set(values) if query_limits::is_over(1) => {
                values.as_ptr().hash(state);
            }
            Value::Map(pairs) if query_limits::is_over(1) => Arc::as_ptr(pairs).hash(state),
            Value::List(values) | Value::Set(values) => values.hash(state),
            Value::Map(pairs) => pairs.hash(state),
            Value::Vertex(vertex) => vertex.hash(state),
            Value::Edge(edge) => edge.hash(state),
            Value::Path(path) => path.hash(state),
            Value::VertexProperty(property) => property.hash(state),
            Value::Property(property) => property.hash(state),
            Value::Tree(tree) => tree.hash(state),
            Value::Token(token) => token.hash(state),
            Value::PropertyValues(property) => property.hash(state),
            Value::Subgraph(part) => part.hash(state),
            Value::MapEntry(entry) => entry.hash(state),
        }
    }
}

fn hash_point<H: Hasher>(point: &Point, state: &mut H) {
    point.srid.hash(state);
    for coordinate in &point.coordinates {
        coordinate.to_bits().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::{BuildHasher, RandomState};
    use std::sync::Arc;

    use crate::errors::error::{Error, ErrorKind, Result};
    use crate::limits::query_limits::{QueryLimits, UNITS_PER_CHECK, enforce, is_over};
    use crate::values::value::Value;

    struct Ended;

    impl QueryLimits for Ended {
        fn check(&self) -> Result<()> {
            Err(Error::new(ErrorKind::DeadlineExceeded, "enough"))
        }

        fn require_room(&self, _: u64) -> Result<()> {
            self.check()
        }
    }

    #[test]
    fn hashes_differ_also_behind_the_end_of_a_query() {
        let list = |number| Value::list(vec![Value::I64(number)]);
        let map = |number| Value::map(vec![(Value::from("n"), Value::I64(number))]);
        let values: Vec<Value> = (0..1_000).flat_map(|n| [list(n), map(n)]).collect();
        let _limits = enforce(Arc::new(Ended));
        assert!(is_over(UNITS_PER_CHECK));
        let hasher = RandomState::new();
        let hashes: HashSet<u64> = values.iter().map(|value| hasher.hash_one(value)).collect();
        assert_eq!(hashes.len(), values.len());
    }
}
