//! PackStream: any bytes to a value; a value that was read is written, read again, and written the same.

use std::sync::Arc;

use millrace_model::temporal::{Date, DateTime, Duration, Time};
use millrace_model::value::Point;
use millrace_model::{DetachedElements, Value};
use millrace_wire::bolt::packstream::{Datum, Form, Reader, Writer, decode};
use millrace_wire::bolt::{Reply, Version};

/// Values of every kind, and elements as a server sends them.
pub fn seeds() -> Vec<Vec<u8>> {
    let at = |offset_seconds| DateTime { seconds: 1, nanos: 2, offset_seconds };
    let duration = Duration { months: 1, days: 2, seconds: 3, nanos: 4 };
    let values = [
        Value::Null,
        Value::Bool(true),
        Value::I64(-1 << 40),
        Value::F64(1.5),
        Value::from("a text of more than fifteen bytes"),
        Value::Bytes(Arc::from(&b"bytes"[..])),
        Value::list(vec![Value::I64(1), Value::list(vec![])]),
        Value::map(vec![(Value::from("k"), Value::I64(300))]),
        Value::Date(Date { days: 1 }),
        Value::Time(Time { nanos: 5, offset_seconds: Some(60) }),
        Value::DateTime(at(DateTime::LOCAL)),
        Value::DateTime(at(3_600)),
        Value::ZonedDateTime(Arc::new((at(0), Arc::from("UTC")))),
        Value::Duration(Arc::new(duration)),
        Value::Point(Arc::new(Point { srid: 7203, coordinates: vec![1.0, 2.0] })),
    ];
    let mut seeds: Vec<Vec<u8>> = values.iter().filter_map(written).collect();
    seeds.push(b"\xb4\x4e\x01\x91\x81A\xa1\x81k\x01\x811".to_vec());
    seeds.push(b"\xb8\x52\x09\x01\x02\x81T\xa0\x819\x811\x812".to_vec());
    let path = b"\xb3\x50\x91\xb4\x4e\x01\x90\xa0\x811\x91\xb4\x72\x09\x81T\xa0\x819\x92\x01\x00";
    seeds.push(path.to_vec());
    seeds.push(b"\xb1\x70\xa1\x86fields\x91\x81n".to_vec());
    seeds.push(b"\xb1\x7f\xa2\x84code\x81c\x87message\x81m".to_vec());
    seeds
}

fn written(value: &Value) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, Form::of(Version::NEWEST));
    writer.value(value, &DetachedElements::default()).ok()?;
    Some(bytes)
}

/// Reads a value; one that has a form has the same when it is read again.
pub fn run(bytes: &[u8]) {
    let _any = Reply::read(bytes);
    let _any = decode::<Datum>(&mut Reader::new(bytes));
    let Ok(value) = decode::<Value>(&mut Reader::new(bytes)) else { return };
    let first = written(&value).expect("what was read has a form");
    let again = decode::<Value>(&mut Reader::new(&first)).expect("what is written can be read");
    assert!(again == value && written(&again) == Some(first), "read again, not the same");
}
