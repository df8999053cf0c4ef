//! Values and columns read back as they were, and damaged bytes are an error or a value.

use millrace_model::temporal::Date;
use millrace_model::{Column, PropertyValues, Value};

use super::samples;
use super::*;
use crate::base::error::Error;
use crate::base::limits::VALUE_DEPTH_MAX;
use crate::base::random::SimNumbers;

fn entries(column: &Column) -> Vec<Option<Value>> {
    (0..column.len()).map(|index| column.get(index)).collect()
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(Value::Null, |value, _| Value::list(vec![value]))
}

#[test]
fn values_of_every_kind_read_back_bit_for_bit() {
    for seed in 0..400 {
        let mut random = SimNumbers::new(seed);
        let written = samples::value_of_kind(&mut random, seed % samples::KINDS, 3);
        let mut bytes = Vec::new();
        encode_value(&mut bytes, &written).unwrap();
        let mut reader = Reader::new(&bytes);
        assert_eq!(decode_value(&mut reader), Ok(written), "seed {seed}");
        assert_eq!(reader.finish(), Ok(()), "seed {seed}");
    }
}

#[test]
fn columns_of_every_kind_read_back_with_their_marks() {
    for seed in 0..400 {
        let written = samples::column(&mut SimNumbers::new(seed));
        let mut bytes = Vec::new();
        encode_column(&mut bytes, &written).unwrap();
        let mut reader = Reader::new(&bytes);
        let read =
            decode_column(&mut reader).unwrap_or_else(|error| panic!("seed {seed}: {error:?}"));
        assert_eq!(entries(&read), entries(&written), "seed {seed}");
        assert_eq!(reader.finish(), Ok(()), "seed {seed}");
    }
}

fn two_values() -> Value {
    let mut property = PropertyValues::default();
    property.append(&Value::I8(1), &[]);
    property.append(&Value::I8(2), &[("k".into(), Value::Null), ("since".into(), Value::I8(3))]);
    property.into_value().unwrap_or_default()
}

#[test]
fn values_that_no_property_could_have_are_refused() {
    let mut bytes = Vec::new();
    encode_value(&mut bytes, &two_values()).unwrap();
    // The ordinal of the second is that of the first, and the next one's is too low.
    let second = bytes.windows(5).position(|window| window == [1, 0, 0, 0, 3]).unwrap();
    for (place, byte) in [(second, 0), (1, 1)] {
        let mut damaged = bytes.clone();
        damaged[place] = byte;
        let error = decode_value(&mut Reader::new(&damaged)).unwrap_err();
        assert!(format!("{error:?}").contains("damaged"), "{error:?}");
    }
}

#[test]
fn bytes_of_values_are_part_of_the_format() {
    let values = [
        (Value::Bool(true), "02"),
        (Value::I32(-2), "05feffffff"),
        (Value::F64(1.5), "08000000000000f83f"),
        (Value::from("ab"), "0a020000006162"),
        (Value::list(vec![Value::Null, Value::I8(7)]), "120200000000000000000307"),
        (Value::Date(Date { days: -1 }), "0cffffffff"),
        (Value::Date(Date { days: 1 << 33 }), "200000000002000000"),
        (two_values(), "1d0200000002000000000000000000000003010000000000000000"),
    ];
    for (value, expected) in values {
        let mut bytes = Vec::new();
        encode_value(&mut bytes, &value).unwrap();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(hex.starts_with(expected), "{value:?} is {hex}");
    }
}

#[test]
fn damaged_and_truncated_bytes_never_panic() {
    for seed in 0..300 {
        let mut random = SimNumbers::new(seed);
        let mut bytes = Vec::new();
        encode_column(&mut bytes, &samples::column(&mut random)).unwrap();
        for _ in 0..20 {
            let mut damaged = bytes.clone();
            let at = random.below(damaged.len() as u64) as usize;
            damaged[at] ^= 1 << random.below(8);
            damaged.truncate(random.below(damaged.len() as u64 + 1) as usize);
            // Either is right: a checksum tells damage; this only must come back.
            let _ = decode_column(&mut Reader::new(&damaged));
            let _ = decode_value(&mut Reader::new(&damaged));
        }
    }
}

#[test]
fn a_count_beyond_the_bytes_is_refused_before_anything_is_allocated() {
    let mut bytes = vec![18];
    put_u64(&mut bytes, u64::MAX / 2);
    let error = decode_value(&mut Reader::new(&bytes)).unwrap_err();
    assert_eq!(error.what, "a count exceeds the bytes there are");
}

#[test]
fn a_value_nested_too_deep_is_refused_when_written_and_when_read() {
    let mut bytes = Vec::new();
    encode_value(&mut bytes, &nested(VALUE_DEPTH_MAX)).unwrap();
    assert_eq!(decode_value(&mut Reader::new(&bytes)), Ok(nested(VALUE_DEPTH_MAX)));
    let too_deep = encode_value(&mut Vec::new(), &nested(VALUE_DEPTH_MAX + 1));
    assert!(matches!(too_deep, Err(Error::TooDeep { .. })));
    let mut lists = Vec::new();
    for _ in 0..100_000 {
        lists.push(18);
        put_u64(&mut lists, 1);
    }
    assert_eq!(decode_value(&mut Reader::new(&lists)).unwrap_err().what, "a value nests too deep");
}
