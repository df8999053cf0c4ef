//! The hash of indexed values: equal wherever [`millrace_model::compare::order`] says equal.
//!
//! `1` and `1.0` must hash alike. The hash is stored in files, so it may never change and never
//! comes from the standard library's hashers.

use millrace_model::{Column, ColumnValues, Geometry, PropertyValue, Tree, Value, compare};

/// The hash of one row of key columns; `None` if an entry is null or absent, as such a row has no
/// entry in any index.
pub fn hash_row(keys: &[&Column], row: usize) -> Option<u64> {
    let mut hasher = KeyHasher::default();
    for column in keys {
        if column.is_null(row) || column.is_absent(row) {
            return None;
        }
        match &column.values {
            ColumnValues::I64(entries) => hasher.number(entries[row] as f64),
            ColumnValues::F64(entries) => hasher.number(entries[row]),
            ColumnValues::String(entries) => hasher.text(entries.get(row)),
            other => hasher.value(&other.value(row)),
        }
    }
    Some(hasher.finish())
}

/// The hash of the values of one key; `None` if one is null.
pub fn hash_values(values: &[Value]) -> Option<u64> {
    let mut hasher = KeyHasher::default();
    for value in values {
        if value.is_null() {
            return None;
        }
        hasher.value(value);
    }
    Some(hasher.finish())
}

/// Whether two entries are equal by the order's equality.
pub fn entries_equal(left: &Column, left_row: usize, right: &Column, right_row: usize) -> bool {
    match (&left.values, &right.values) {
        (ColumnValues::I64(left), ColumnValues::I64(right)) => left[left_row] == right[right_row],
        (ColumnValues::String(left), ColumnValues::String(right)) => {
            left.get(left_row) == right.get(right_row)
        }
        (left, right) => compare::order(&left.value(left_row), &right.value(right_row)).is_eq(),
    }
}

#[derive(Default)]
struct KeyHasher {
    state: u64,
}

impl KeyHasher {
    fn word(&mut self, word: u64) {
        self.state = (self.state.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn words(&mut self, class: u64, words: &[u64]) {
        self.word(class << 56);
        words.iter().for_each(|&word| self.word(word));
    }

    fn bytes(&mut self, class: u64, bytes: &[u8]) {
        self.word(class << 56 | bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes(1, text.as_bytes());
    }

    /// Every integer and double of one value rounds to the same double; that neighbours beyond
    /// 2^53 collide is harmless.
    fn number(&mut self, double: f64) {
        let bits = if double.is_nan() {
            f64::NAN.to_bits()
        } else if double == 0.0 {
            0
        } else {
            double.to_bits()
        };
        self.words(2, &[bits]);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.word(0),
            Value::Bool(truth) => self.word(3 << 56 | u64::from(*truth)),
            Value::I8(_)
            | Value::I16(_)
            | Value::I32(_)
            | Value::I64(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Decimal(_) => self.number(value.as_double().unwrap_or(f64::NAN)),
            Value::String(text) => self.text(text),
            Value::Bytes(bytes) => self.bytes(4, bytes),
            Value::Uuid(bytes) => self.bytes(5, bytes),
            Value::Date(date) => self.words(6, &[date.days as u64]),
            Value::Time(time) => {
                let offset = time.offset_seconds.map_or(u64::MAX, |offset| offset as u32 as u64);
                self.words(7, &[time.nanos, offset]);
            }
            Value::DateTime(timestamp) => self.timestamp(timestamp),
            Value::ZonedDateTime(zoned) => self.timestamp(&zoned.0),
            Value::Duration(duration) => {
                let (months, days) = (duration.months as u64, duration.days as u64);
                self.words(9, &[months, days, duration.seconds as u64, duration.nanos.into()]);
            }
            Value::Point(point) => {
                self.words(10, &[point.srid.into()]);
                point.coordinates.iter().for_each(|coordinate| self.word(coordinate.to_bits()));
            }
            Value::Geometry(shape) => self.geometry(shape),
            Value::List(values) => self.values(11, values),
            Value::Vector(numbers) => {
                self.word(11 << 56 | numbers.len() as u64);
                numbers.iter().for_each(|number| self.number(f64::from(*number)));
            }
            Value::Set(values) => self.values(12, values),
            Value::Map(pairs) => {
                let mut pairs = pairs.to_vec();
                pairs.sort();
                self.word(13 << 56 | pairs.len() as u64);
                pairs.iter().for_each(|(key, value)| {
                    self.value(key);
                    self.value(value);
                });
            }
            Value::Vertex(vertex) => self.words(14, &[vertex.0]),
            Value::Edge(edge) => self.words(15, &[edge.0]),
            Value::Path(path) => self.values(16, &path.objects()),
            Value::VertexProperty(property) => {
                self.words(17, &[property.owner.0, property.ordinal.into()]);
                self.text(&property.key);
            }
            Value::Property(property) => {
                self.word(18 << 56);
                self.value(&property.owner);
                self.text(&property.key);
                self.value(&property.value);
            }
            Value::Tree(tree) => self.tree(tree),
            Value::Token(token) => self.words(20, &[token.number().into()]),
            // An index holds its values one by one; this is for rows that are distinguished.
            Value::PropertyValues(property) => {
                self.word(21 << 56 | property.values().len() as u64);
                let values = property.values().iter().flat_map(PropertyValue::all_values);
                values.for_each(|value| self.value(value));
            }
            Value::MapEntry(entry) => {
                self.word(23 << 56);
                self.value(&entry.0);
                self.value(&entry.1);
            }
            Value::Subgraph(part) => {
                self.word(22 << 56 | part.vertices().len() as u64);
                part.vertices().iter().for_each(|vertex| self.word(vertex.0));
                self.word(part.edges().len() as u64);
                part.edges().iter().for_each(|edge| self.word(edge.0));
            }
        }
    }

    fn geometry(&mut self, shape: &Geometry) {
        self.words(24, &[shape.type_number().into()]);
        if let Geometry::Point(at) = shape {
            return at.iter().for_each(|coordinate| self.word(coordinate.to_bits()));
        }
        for ring in shape.polygons().iter().flatten() {
            self.word(ring.len() as u64);
            ring.iter().flatten().for_each(|coordinate| self.word(coordinate.to_bits()));
        }
    }

    fn tree(&mut self, tree: &Tree) {
        self.word(19 << 56 | tree.branches.len() as u64);
        tree.branches.iter().for_each(|(value, below)| {
            self.value(value);
            self.tree(below);
        });
    }

    fn values(&mut self, class: u64, values: &[Value]) {
        self.word(class << 56 | values.len() as u64);
        values.iter().for_each(|value| self.value(value));
    }

    /// By instant, as the order compares: neither the offset nor the zone's name counts.
    fn timestamp(&mut self, timestamp: &millrace_model::temporal::DateTime) {
        let zoned = timestamp.offset_seconds != millrace_model::temporal::DateTime::LOCAL;
        self.word(8 << 56 | u64::from(zoned) << 32 | u64::from(timestamp.nanos));
        self.word(timestamp.seconds as u64);
    }

    fn finish(self) -> u64 {
        let mut hash = self.state;
        hash = (hash ^ hash >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        hash = (hash ^ hash >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        hash ^ hash >> 33
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::Decimal;

    use super::*;

    fn hash(value: &Value) -> Option<u64> {
        hash_values(std::slice::from_ref(value))
    }

    #[test]
    fn values_of_equal_order_hash_alike_in_columns_and_alone() {
        let decimal = |text: &str| Value::Decimal(Decimal::parse(text).unwrap().into());
        let groups = [
            vec![Value::I8(1), Value::I64(1), Value::F32(1.0), Value::F64(1.0), decimal("1.00")],
            vec![Value::F64(0.0), Value::F64(-0.0), Value::I64(0)],
            vec![Value::F64(f64::NAN), Value::F32(-f32::NAN)],
            vec![decimal("1.10"), decimal("1.1")],
            vec![decimal("0.50"), Value::F64(0.5), Value::F32(0.5)],
            vec![Value::list(vec![Value::I64(1)]), Value::list(vec![Value::F64(1.0)])],
            vec![Value::from("héllo"), Value::from("héllo")],
        ];
        for group in groups {
            for value in &group {
                assert!(compare::order(&group[0], value).is_eq(), "{value:?}");
                assert_eq!(hash(value), hash(&group[0]), "{value:?}");
                let column = Column::from_values([value.clone()]);
                assert_eq!(hash_row(&[&column], 0), hash(value), "{value:?}");
            }
        }
        assert_ne!(hash(&Value::from("1")), hash(&Value::I64(1)));
        assert_eq!(hash_values(&[Value::I64(1), Value::Null]), None);
    }

    #[test]
    fn the_hash_never_changes_because_files_hold_it() {
        let values = [Value::from("Person"), Value::I64(42), Value::Bool(true)];
        assert_eq!(hash_values(&values), Some(HASH_OF_THE_SAMPLE));
    }

    const HASH_OF_THE_SAMPLE: u64 = 15_372_414_290_690_412_146;
}
