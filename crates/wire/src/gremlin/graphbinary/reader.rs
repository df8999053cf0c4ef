//! A place in some bytes: plain numbers, lengths and texts, each taken or refused with its offset.
//!
//! No length is trusted: memory is allocated only for as many entries as the remaining bytes can hold,
//! so a length costs nothing before its bytes arrive.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};

use super::super::datum::Datum;
use super::code;
use crate::limits::{DATA_MAX, NESTING_MAX};

/// The fewest bytes of a thing with its type: a code and a flag.
pub(super) const DATUM_BYTES_MIN: usize = 2;

/// Reads GraphBinary.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    /// How many things were read.
    data: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first byte.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0, depth: 0, data: 0 }
    }

    /// Where it is.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Refuses bytes that are left over.
    pub fn end(&self) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            left => Err(self.bad(format!("the message ends here, and {left} bytes follow"))),
        }
    }

    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn bad(&self, detail: impl std::fmt::Display) -> Error {
        Error::new(ErrorKind::BadInput, format!("GraphBinary, byte {}: {detail}", self.at))
    }

    pub(super) fn unsupported(&self, detail: impl std::fmt::Display) -> Error {
        Error { kind: ErrorKind::Unsupported, ..self.bad(detail) }
    }

    pub(super) fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8]> {
        let left = self.left();
        if left < count {
            return Err(self.bad(format!("expected {what} of {count} bytes, and {left} are left")));
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        Ok(array)
    }

    pub(super) fn u8(&mut self, what: &str) -> Result<u8> {
        Ok(self.array::<1>(what)?[0])
    }

    pub(super) fn i32(&mut self, what: &str) -> Result<i32> {
        self.array(what).map(i32::from_be_bytes)
    }

    pub(super) fn i64(&mut self, what: &str) -> Result<i64> {
        self.array(what).map(i64::from_be_bytes)
    }

    /// A length of things that take at least so many bytes each.
    pub(super) fn count(&mut self, bytes_min: usize, what: &str) -> Result<usize> {
        let start = self.at;
        let count = self.i32(what)?;
        let left = self.left();
        match usize::try_from(count) {
            Ok(fits) if fits <= left / bytes_min => Ok(fits),
            _ => {
                self.at = start;
                Err(self.bad(format!("{what} is {count}, and {left} bytes are left")))
            }
        }
    }

    /// Text without type or flag.
    pub fn text(&mut self) -> Result<Arc<str>> {
        let count = self.count(1, "the length of a String")?;
        let start = self.at;
        let bytes = self.take(count, "a String")?;
        std::str::from_utf8(bytes).map(Arc::from).map_err(|error| {
            self.at = start + error.valid_up_to();
            self.bad("a String that is not UTF-8")
        })
    }

    /// Whether a value follows, by its flag.
    pub(super) fn is_there(&mut self) -> Result<bool> {
        match self.u8("a value flag")? {
            0 => Ok(true),
            1 => Ok(false),
            flag => {
                self.at -= 1;
                Err(self.bad(format!("expected a value flag, 0 or 1, and found {flag}")))
            }
        }
    }

    /// Reads something with its type in front.
    pub fn datum(&mut self) -> Result<Datum> {
        if DATA_MAX <= self.data {
            let detail = format!("a message holds at most {DATA_MAX} things");
            return Err(Error { kind: ErrorKind::LimitReached, ..self.bad(detail) });
        }
        self.data += 1;
        let code = self.u8("a type code")?;
        if let Some((_, name)) = code::REFUSED.iter().find(|(refused, _)| *refused == code) {
            self.at -= 1;
            return Err(self.unsupported(format!("{name} is not a value here")));
        }
        if code == code::CUSTOM {
            return self.nested(Reader::custom);
        }
        let is_there = self.is_there()?;
        if code == code::NULL && is_there {
            self.at -= 1;
            return Err(self.bad("expected the flag of a null, 1, and found 0"));
        }
        if !is_there {
            return if self.is_known(code) { Ok(Datum::NULL) } else { Err(self.unknown(code)) };
        }
        self.nested(|reader| reader.bare(code))
    }

    /// Something of a known type, and not null.
    pub(super) fn datum_of(&mut self, wanted: u8, what: &str) -> Result<()> {
        let start = self.at;
        if self.u8(what)? != wanted || !self.is_there()? {
            self.at = start;
            return Err(self.bad(format!("expected {what}")));
        }
        Ok(())
    }

    /// A value that holds no elements.
    pub(super) fn value(&mut self, what: &str) -> Result<Value> {
        let start = self.at;
        let datum = self.datum()?;
        let name = datum.type_name();
        datum.value().ok_or_else(|| {
            self.at = start;
            self.bad(format!("{what} is a {name}, and must be a plain value"))
        })
    }

    pub(super) fn unknown(&mut self, code: u8) -> Error {
        self.at -= DATUM_BYTES_MIN;
        self.bad(format!("there is no type code 0x{code:02x}"))
    }

    /// Goes one level deeper, if it may.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if NESTING_MAX <= self.depth {
            return Err(self.bad(format!("it nests deeper than {NESTING_MAX}")));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }
}
