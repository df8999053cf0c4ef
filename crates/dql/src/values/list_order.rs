//! The order of the values of a list: by a hash of their bytes, as Dgraph keeps them.

use millrace_model::Value;
use millrace_model::temporal::DateTime;

use super::farm_hash::fingerprint64;
use super::write::write_text;

/// Seconds from the year 1 to 1970.
const SECONDS_BEFORE_1970: i64 = 62_135_596_800;

/// The hash by which a value has its place in a list.
pub(crate) fn fingerprint(value: &Value) -> u64 {
    match value {
        Value::String(text) => fingerprint64(text.as_bytes()),
        Value::I64(number) => fingerprint64(&number.to_le_bytes()),
        Value::F64(number) => fingerprint64(&number.to_bits().to_le_bytes()),
        Value::Bool(truth) => fingerprint64(&[u8::from(*truth)]),
        Value::DateTime(instant) => fingerprint64(&go_time(*instant)),
        Value::Vector(numbers) => {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            fingerprint64(&bytes)
        }
        other => fingerprint64(write_text(other).as_bytes()),
    }
}

/// The hash by which the values of a node in several languages are ordered.
pub(crate) fn order_of_language(tag: &str) -> u64 {
    fingerprint64(tag.as_bytes())
}

/// A point in time as Go's `MarshalBinary` has it.
fn go_time(instant: DateTime) -> [u8; 15] {
    let mut bytes = [0; 15];
    bytes[0] = 1;
    bytes[1..9].copy_from_slice(&(instant.seconds + SECONDS_BEFORE_1970).to_be_bytes());
    bytes[9..13].copy_from_slice(&instant.nanos.to_be_bytes());
    let offset = match instant.offset_seconds {
        0 | DateTime::LOCAL => -1,
        seconds => i16::try_from(seconds / 60).unwrap_or_default(),
    };
    bytes[13..].copy_from_slice(&offset.to_be_bytes());
    bytes
}

/// The values of a list, in their order, each with its place in the stored one.
pub(crate) fn in_order(value: &Value) -> Vec<(usize, &Value)> {
    let mut values: Vec<(usize, &Value)> = match value {
        Value::PropertyValues(several) => {
            several.values().iter().map(|own| &own.value).enumerate().collect()
        }
        Value::List(values) | Value::Set(values) => values.iter().enumerate().collect(),
        single => vec![(0, single)],
    };
    if 1 < values.len() {
        values.sort_by_cached_key(|(_, value)| fingerprint(value));
    }
    values
}

/// The first value of a list in that order; null if there is none.
pub fn first_in_order(value: &Value) -> Value {
    in_order(value).first().map_or(Value::Null, |(_, first)| (*first).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(values: Vec<Value>) -> Vec<Value> {
        let list = Value::list(values);
        in_order(&list).into_iter().map(|(_, value)| value.clone()).collect()
    }

    #[test]
    fn values_come_in_the_order_that_dgraph_has() {
        let texts = |words: [&str; 3]| words.map(Value::from).to_vec();
        assert_eq!(
            ordered(texts(["english", "french", "hindi"])),
            texts(["french", "hindi", "english"])
        );
        let numbers = |pair: [i64; 2]| pair.map(Value::I64).to_vec();
        assert_eq!(ordered(numbers([90, 56])), numbers([56, 90]));
    }
}
