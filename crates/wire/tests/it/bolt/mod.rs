//! Bolt: known bytes, random values, conversations, the state machine.

mod bad;
mod conversation;
mod elements;
mod random;
mod states;
mod values;

use millrace_model::{DetachedElements, Result, Value};
use millrace_wire::bolt::Version;
use millrace_wire::bolt::packstream::{Datum, Decoded, Form, Reader, Writer, decode};

/// Version 4.4 without and with the patch of timestamps, and 5.8.
fn forms() -> [Form; 3] {
    let oldest = Form::of(Version { major: 4, minor: 4 });
    [oldest, Form { is_utc: true, ..oldest }, Form::of(Version::NEWEST)]
}

fn written(value: &Value, elements: &DetachedElements, form: Form) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Writer::new(&mut bytes, form).value(value, elements)?;
    Ok(bytes)
}

fn read<D: Decoded>(bytes: &[u8]) -> Result<D> {
    let mut reader = Reader::new(bytes);
    let found = decode(&mut reader)?;
    reader.end()?;
    Ok(found)
}

/// A value as a client reads it.
fn sent(value: &Value) -> Datum {
    let form = Form::of(Version::NEWEST);
    let bytes = written(value, &DetachedElements::default(), form).expect("is written");
    read(&bytes).expect("reads")
}
