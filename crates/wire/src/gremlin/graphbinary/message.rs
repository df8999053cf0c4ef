//! The parts of messages that are no things: versions, ids, codes, and nullable parts without a type.

use std::sync::Arc;

use millrace_model::{Result, Value};

use super::super::datum::Datum;
use super::code;
use super::reader::Reader;
use super::writer::Writer;

impl Reader<'_> {
    /// The version that a message begins with.
    pub(crate) fn version(&mut self, known: u8) -> Result<()> {
        match self.u8("a version")? {
            version if version == known => Ok(()),
            version => {
                Err(self.bad(format!("version 0x{version:02x}, and only 0x{known:02x} is known")))
            }
        }
    }

    pub(crate) fn id(&mut self) -> Result<[u8; 16]> {
        self.array("a request id")
    }

    pub(crate) fn nullable_id(&mut self) -> Result<Option<[u8; 16]>> {
        if self.is_there()? { self.id().map(Some) } else { Ok(None) }
    }

    pub(crate) fn code(&mut self) -> Result<u16> {
        let code = self.i32("a status code")?;
        u16::try_from(code).map_err(|_| self.bad(format!("{code} is not a status code")))
    }

    pub(crate) fn nullable_text(&mut self) -> Result<Arc<str>> {
        if self.is_there()? { self.text() } else { Ok(Arc::from("")) }
    }

    /// A map without type or flag.
    pub(crate) fn map_of_arguments(&mut self) -> Result<Datum> {
        self.map().map(Datum::map)
    }
}

impl Writer {
    pub(crate) fn version(&mut self, version: u8) {
        self.put(&[version]);
    }

    pub(crate) fn id(&mut self, id: [u8; 16]) {
        self.put(&id);
    }

    pub(crate) fn nullable_id(&mut self, id: Option<[u8; 16]>) {
        self.put(&[u8::from(id.is_none())]);
        self.put(id.as_ref().map_or(&[][..], |id| id));
    }

    pub(crate) fn int(&mut self, int: i32) {
        self.put(&int.to_be_bytes());
    }

    pub(crate) fn nullable_text(&mut self, text: &str) -> Result<()> {
        self.put(&[0]);
        self.text(text)
    }

    pub(crate) fn map_of_data(&mut self, pairs: &[(&str, Datum)]) -> Result<()> {
        self.items(pairs, |writer, (key, datum)| {
            writer.typed(code::STRING).text(key)?;
            writer.datum(datum)
        })
    }

    pub(crate) fn map_of_values(&mut self, pairs: &[(&str, Value)]) -> Result<()> {
        self.items(pairs, |writer, (key, value)| {
            writer.typed(code::STRING).text(key)?;
            writer.value(value)
        })
    }
}
