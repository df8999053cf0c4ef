//! Replies: the messages of a server.

use std::sync::Arc;

use millrace_model::{Column, DetachedElements, Error, ErrorKind, Phase, Result, Value};

use super::errors::Failure;
use super::packstream::{Datum, Form, Reader, Writer, decode, pairs};

const SUCCESS: u8 = 0x70;
const RECORD: u8 = 0x71;
const IGNORED: u8 = 0x7E;
const FAILURE: u8 = 0x7F;

/// A message of a server, as a client reads it.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// A request is done.
    Success(Vec<(Arc<str>, Datum)>),
    /// A record of a result.
    Record(Vec<Datum>),
    /// A request was passed over because of an earlier failure.
    Ignored,
    /// A request failed.
    Failure(Failure),
}

impl Reply {
    /// Reads a message.
    pub fn read(message: &[u8]) -> Result<Reply> {
        let mut reader = Reader::new(message);
        let reply = match reader.structure("a message")? {
            (SUCCESS, 1) => {
                let count = reader.map("the fields of SUCCESS")?;
                Reply::Success(pairs(&mut reader, count)?)
            }
            (RECORD, 1) => {
                let count = reader.list("a record")?;
                let values = (0..count).map(|_| decode(&mut reader));
                Reply::Record(values.collect::<Result<_>>()?)
            }
            (IGNORED, 0) => Reply::Ignored,
            // Some servers send an empty map.
            (IGNORED, 1) => {
                reader.skip()?;
                Reply::Ignored
            }
            (FAILURE, 1) => {
                let count = reader.map("the fields of FAILURE")?;
                Reply::Failure(Failure::of_fields(&pairs(&mut reader, count)?))
            }
            (tag, fields) => {
                let detail = format!("there is no reply 0x{tag:02x} of {fields} fields");
                return Err(Error::new(ErrorKind::BadInput, detail).in_phase(Phase::Parse));
            }
        };
        reader.end()?;
        Ok(reply)
    }
}

/// Writes SUCCESS with its fields; chunks come around it.
pub fn write_success(bytes: &mut Vec<u8>, fields: &[(&str, Value)], form: Form) -> Result<()> {
    let none = DetachedElements::default();
    let mut writer = Writer::new(bytes, form);
    writer.structure(SUCCESS, 1);
    writer.map(fields.len())?;
    fields.iter().try_for_each(|(name, value)| {
        writer.string(name)?;
        writer.value(value, &none)
    })
}

/// Writes a record of some values; chunks come around it.
pub fn write_record(
    bytes: &mut Vec<u8>,
    values: &[Value],
    elements: &DetachedElements,
    form: Form,
) -> Result<()> {
    let mut writer = Writer::new(bytes, form);
    writer.structure(RECORD, 1);
    writer.list(values.len())?;
    values.iter().try_for_each(|value| writer.value(value, elements))
}

/// Writes a record of a row of columns of booleans, numbers and texts; chunks come around it.
pub fn write_plain_record(
    bytes: &mut Vec<u8>,
    (columns, row): (&[Arc<Column>], usize),
    form: Form,
) -> Result<()> {
    let mut writer = Writer::new(bytes, form);
    writer.structure(RECORD, 1);
    writer.list(columns.len())?;
    columns.iter().try_for_each(|column| writer.entry(column, row))
}

/// Writes IGNORED; chunks come around it.
pub fn write_ignored(bytes: &mut Vec<u8>, form: Form) {
    Writer::new(bytes, form).structure(IGNORED, 0);
}

/// Writes FAILURE with the fields of the version; chunks come around it.
pub fn write_failure(bytes: &mut Vec<u8>, failure: &Failure, form: Form) -> Result<()> {
    let mut writer = Writer::new(bytes, form);
    writer.structure(FAILURE, 1);
    failure.write(&mut writer)
}
