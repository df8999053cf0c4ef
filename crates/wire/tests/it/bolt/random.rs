//! Random values are read as they were written, in every version; random bytes never panic.

use std::sync::Arc;

use millrace_model::temporal::{Date, DateTime, Duration, Time};
use millrace_model::value::Point;
use millrace_model::{DetachedElements, Value};
use millrace_testkit::{Rng, run_seeds};
use millrace_wire::bolt::packstream::Datum;
use millrace_wire::bolt::{Reply, Version, read_request};

use super::{forms, read, written};

fn text(rng: &mut Rng) -> Arc<str> {
    let length = *rng.pick(&[0, 1, 3, 15, 16, 300]);
    Arc::from((0..length).map(|_| *rng.pick(&['a', 'ü', '世', '\0'])).collect::<String>())
}

fn int(rng: &mut Rng) -> i64 {
    (rng.next_u64() as i64) >> rng.below(64)
}

fn timestamp(rng: &mut Rng) -> DateTime {
    let offset_seconds = *rng.pick(&[0, 19_800, -64_800, DateTime::LOCAL]);
    let seconds = rng.below(1 << 40) as i64 - (1 << 39);
    DateTime { seconds, nanos: rng.below(1_000_000_000) as u32, offset_seconds }
}

fn value(rng: &mut Rng, depth: u32) -> Value {
    let kinds = if depth == 0 { 12 } else { 14 };
    match rng.below(kinds) {
        0 => Value::Null,
        1 => Value::Bool(rng.below(2) == 1),
        2 => Value::I64(int(rng)),
        3 => Value::F64(f64::from_bits(rng.next_u64())),
        4 => Value::String(text(rng)),
        5 => Value::Bytes(Arc::from(text(rng).as_bytes())),
        6 => Value::Date(Date { days: i64::from(int(rng) as i32) }),
        7 => {
            let offset_seconds = [None, Some(0), Some(-3_600)][rng.index(3)];
            Value::Time(Time { nanos: rng.below(86_400_000_000_000), offset_seconds })
        }
        8 => Value::DateTime(timestamp(rng)),
        9 => {
            let at = DateTime { offset_seconds: 0, ..timestamp(rng) };
            Value::ZonedDateTime(Arc::new((at, Arc::from("UTC"))))
        }
        10 => {
            let (months, days) = (int(rng), int(rng));
            let nanos = rng.below(1_000_000_000) as u32;
            Value::Duration(Arc::new(Duration { months, days, seconds: int(rng), nanos }))
        }
        11 => {
            let coordinates = (0..2 + rng.index(2)).map(|_| int(rng) as f64).collect();
            Value::Point(Arc::new(Point { srid: rng.below(10_000) as u32, coordinates }))
        }
        12 => {
            let count = *rng.pick(&[0, 1, 2, 17]);
            Value::list((0..count).map(|_| value(rng, depth - 1)).collect())
        }
        _ => {
            let count = *rng.pick(&[0, 1, 2, 17]);
            let pair = |place: usize, rng: &mut Rng| {
                (Value::from(format!("{place}{}", text(rng)).as_str()), value(rng, depth - 1))
            };
            Value::map((0..count).map(|place| pair(place, rng)).collect())
        }
    }
}

#[test]
fn values_are_read_as_they_were_written() {
    run_seeds(500, |_seed, rng| {
        let value = value(rng, 3);
        for form in forms() {
            let mut bytes = written(&value, &DetachedElements::default(), form).unwrap();
            // The tags of a timestamp say whether its seconds are of UTC.
            assert_eq!(read::<Value>(&bytes).as_ref(), Ok(&value), "{form:?}");
            assert_eq!(read::<Datum>(&bytes), Ok(Datum::Value(value.clone())));
            // Half of it, and some of it changed, is refused or something else, and never a panic.
            let place = rng.index(bytes.len());
            let _refused = read::<Datum>(&bytes[..place]).unwrap_err();
            bytes[place] = rng.next_u64() as u8;
            let _any = read::<Datum>(&bytes);
        }
    });
}

#[test]
fn random_bytes_are_refused_or_read() {
    run_seeds(2_000, |_seed, rng| {
        let tags =
            [0xB1, 0xB3, 0x10, 0x3F, 0x70, 0x7F, 0x01, 0xA1, 0x91, 0xD6, 0xDA, 0xFF, 0x4E, 0x50];
        let length = rng.index(40);
        let byte = |rng: &mut Rng| match rng.below(2) {
            0 => *rng.pick(&tags),
            _ => rng.next_u64() as u8,
        };
        let bytes: Vec<u8> = (0..length).map(|_| byte(rng)).collect();
        for version in Version::SERVED {
            let _any = read_request(&bytes, version);
        }
        let _any = Reply::read(&bytes);
    });
}
