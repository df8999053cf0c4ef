//! The hash of indexed values: equal by [`order`](millrace_model::compare::order) means equal hash,
//! so `1`, `1.0` and the decimal `1.00` share one, and so do `0.0` and `-0.0`.
//!
//! Hashes are stored in files. The function is therefore written out here and never changes:
//! a library's may change with its next version.

use millrace_model::compare::order;
use millrace_model::{Decimal, Value};

/// The hash of the values of an index's keys, in the order of the keys. `None` if one of them is
/// null or absent: such an element has no entry, and such a key finds nothing.
pub fn hash_values<'a>(values: impl IntoIterator<Item = Option<&'a Value>>) -> Option<u64> {
    let mut state = Hash(0);
    for value in values {
        state.value(value.filter(|value| !value.is_null())?);
    }
    Some(state.0)
}

/// Whether an element with these values is one that a seek for `keys` finds: what is left to do
/// after equal hashes.
pub fn values_match(values: &[Option<Value>], keys: &[Option<Value>]) -> bool {
    let found = |(value, key): (&Option<Value>, &Option<Value>)| match (value, key) {
        (Some(value), Some(key)) => !key.is_null() && order(value, key).is_eq(),
        _ => false,
    };
    values.len() == keys.len() && values.iter().zip(keys).all(found)
}

/// The state; each word is folded in by one 128-bit product.
struct Hash(u64);

impl Hash {
    fn word(&mut self, word: u64) {
        let left = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15);
        let product = left * 0xa076_1d64_78bd_642f + u128::from(self.0.rotate_left(29));
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn sequence(&mut self, values: &[Value]) {
        self.word(values.len() as u64);
        values.iter().for_each(|value| self.value(value));
    }

    fn double(&mut self, double: f64) {
        let one_zero = if double == 0.0 { 0.0 } else { double };
        let one_nan = if one_zero.is_nan() { f64::NAN.to_bits() } else { one_zero.to_bits() };
        self.tagged(2, one_nan);
    }

    fn tagged(&mut self, class: u64, word: u64) {
        self.word(class);
        self.word(word);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.word(0),
            Value::Bool(truth) => self.tagged(1, u64::from(*truth)),
            Value::I8(int) => self.double(f64::from(*int)),
            Value::I16(int) => self.double(f64::from(*int)),
            Value::I32(int) => self.double(f64::from(*int)),
            Value::I64(int) => self.double(*int as f64),
            Value::F32(float) => self.double(f64::from(*float)),
            Value::F64(double) => self.double(*double),
            Value::Decimal(decimal) => self.double(nearest_double(**decimal)),
            Value::Date(date) => self.tagged(3, date.days as u64),
            Value::Time(time) => {
                self.tagged(4, time.nanos);
                self.word(time.offset_seconds.map_or(u64::MAX, |offset| offset as u64));
            }
            Value::DateTime(moment) => self.moment(*moment),
            Value::ZonedDateTime(zoned) => self.moment(zoned.0),
            Value::Duration(duration) => {
                self.tagged(6, duration.months as u64);
                self.word(duration.days as u64);
                self.word(duration.seconds as u64);
                self.word(u64::from(duration.nanos));
            }
            Value::String(text) => self.text(7, text.as_bytes()),
            Value::Uuid(bytes) => self.text(8, bytes),
            Value::Bytes(bytes) => self.text(9, bytes),
            Value::Point(point) => {
                self.tagged(10, u64::from(point.srid));
                self.word(point.coordinates.len() as u64);
                point.coordinates.iter().for_each(|coordinate| self.word(coordinate.to_bits()));
            }
            Value::Vertex(vertex) => self.tagged(11, vertex.0),
            Value::Edge(edge) => self.tagged(12, edge.0),
            Value::Path(path) => self.tagged_sequence(13, &path.objects),
            Value::Set(values) => self.tagged_sequence(14, values),
            Value::List(values) => self.tagged_sequence(15, values),
            Value::Map(pairs) => {
                let mut pairs = pairs.to_vec();
                pairs.sort();
                self.tagged(16, pairs.len() as u64);
                for (key, value) in &pairs {
                    self.value(key);
                    self.value(value);
                }
            }
        }
    }

    fn moment(&mut self, moment: millrace_model::temporal::DateTime) {
        self.word(5);
        self.word(u64::from(moment.offset_seconds != millrace_model::temporal::DateTime::LOCAL));
        self.word(moment.seconds as u64);
        self.word(u64::from(moment.nanos));
    }

    fn text(&mut self, class: u64, bytes: &[u8]) {
        self.word(class);
        self.bytes(bytes);
    }

    fn tagged_sequence(&mut self, class: u64, values: &[Value]) {
        self.word(class);
        self.sequence(values);
    }
}

/// The double of a decimal, the same for every scale that writes the same number.
fn nearest_double(decimal: Decimal) -> f64 {
    let Decimal { mut unscaled, mut scale } = decimal;
    while scale != 0 && unscaled % 10 == 0 {
        unscaled /= 10;
        scale -= 1;
    }
    Decimal { unscaled, scale }.to_f64()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn hash(value: &Value) -> u64 {
        hash_values([Some(value)]).unwrap()
    }

    #[test]
    fn values_of_equal_order_have_equal_hashes() {
        let decimal = |text: &str| Value::Decimal(Arc::new(Decimal::parse(text).unwrap()));
        let values = [
            Value::I8(1),
            Value::I64(1),
            Value::F32(1.0),
            Value::F64(1.0),
            decimal("1"),
            decimal("1.00"),
            Value::F64(0.1),
            decimal("0.1"),
            decimal("0.10"),
            Value::F64(0.0),
            Value::F64(-0.0),
            Value::I64(0),
            Value::F64(f64::NAN),
            Value::F32(-f32::NAN),
            Value::I64(i64::MAX),
            Value::I64(1 << 53),
            Value::F64((1u64 << 53) as f64),
            Value::from("1"),
            Value::Bytes(Arc::from(*b"1")),
            Value::list(vec![Value::I64(1)]),
            Value::list(vec![Value::F64(1.0)]),
            Value::map(vec![(1.into(), 2.into()), (3.into(), 4.into())]),
            Value::map(vec![(3.into(), 4.into()), (1.0.into(), 2.into())]),
        ];
        for left in &values {
            for right in &values {
                let (equal, hashes) = (order(left, right).is_eq(), hash(left) == hash(right));
                assert_eq!(equal, hashes, "{left:?} and {right:?}");
            }
        }
    }

    #[test]
    fn null_and_absent_have_no_hash_and_match_nothing() {
        assert_eq!(hash_values([Some(&Value::I64(1)), None]), None);
        assert_eq!(hash_values([Some(&Value::Null)]), None);
        assert!(!values_match(&[Some(Value::Null)], &[Some(Value::Null)]));
        assert!(!values_match(&[None], &[Some(Value::I64(1))]));
        assert!(values_match(&[Some(Value::I64(1))], &[Some(Value::F64(1.0))]));
    }

    #[test]
    fn hashes_are_those_that_files_hold() {
        assert_eq!(hash(&Value::I64(1)), 5_383_443_986_731_168_361);
        assert_eq!(hash(&Value::from("millrace")), 13_469_977_097_158_533_929);
    }
}
