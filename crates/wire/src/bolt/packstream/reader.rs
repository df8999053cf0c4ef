//! A place in some bytes: one item after the other, each taken or refused with its offset.
//!
//! No length is trusted: a list or a map has at most as many entries as the remaining bytes can hold, so a length
//! costs nothing before its bytes arrive.

use std::fmt::Display;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase, Result};

use super::code;
use crate::known_keys::KnownKeys;
use crate::limits::{BOLT_DATA_MAX, NESTING_MAX};

/// What is at a place. Entries of lists and maps and fields of structures follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'b> {
    /// Null.
    Null,
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// Bytes.
    Bytes(&'b [u8]),
    /// Text.
    String(&'b str),
    /// A list of so many items.
    List(usize),
    /// A map of so many keys and items.
    Map(usize),
    /// A structure.
    Structure {
        /// Its kind.
        tag: u8,
        /// How many fields follow.
        fields: usize,
    },
}

impl Item<'_> {
    /// The word for it, in messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Item::Null => "null",
            Item::Bool(_) => "boolean",
            Item::Int(_) => "integer",
            Item::Float(_) => "float",
            Item::Bytes(_) => "bytes",
            Item::String(_) => "string",
            Item::List(_) => "list",
            Item::Map(_) => "map",
            Item::Structure { .. } => "structure",
        }
    }
}

/// Reads PackStream.
#[derive(Clone, Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    depth: usize,
    /// How many items were read.
    items: usize,
    keys: KnownKeys,
}

impl<'b> Reader<'b> {
    /// A reader at the first byte.
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes, at: 0, depth: 0, items: 0, keys: KnownKeys::default() }
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

    /// The error of wrong bytes here.
    pub fn bad(&self, detail: impl Display) -> Error {
        Error::new(ErrorKind::BadInput, format!("PackStream, byte {}: {detail}", self.at))
            .in_phase(Phase::Parse)
    }

    pub(super) fn unsupported(&self, detail: impl Display) -> Error {
        Error { kind: ErrorKind::Unsupported, ..self.bad(detail) }
    }

    #[inline]
    fn take(&mut self, count: usize) -> Result<&'b [u8]> {
        let Some(taken) = self.bytes[self.at..].get(..count) else { return Err(self.short(count)) };
        self.at += count;
        Ok(taken)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some(taken) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.short(N));
        };
        self.at += N;
        Ok(*taken)
    }

    #[cold]
    fn short(&self, count: usize) -> Error {
        self.bad(format!("{count} bytes should follow, and {} are left", self.left()))
    }

    /// A length of 1, 2 or 4 bytes.
    fn length(&mut self, width: u8) -> Result<usize> {
        Ok(match width {
            1 => usize::from(u8::from_be_bytes(self.array()?)),
            2 => usize::from(u16::from_be_bytes(self.array()?)),
            _ => u32::from_be_bytes(self.array()?) as usize,
        })
    }

    fn bytes_item(&mut self, width: u8) -> Result<Item<'b>> {
        let length = self.length(width)?;
        self.take(length).map(Item::Bytes)
    }

    fn string_item(&mut self, length: usize) -> Result<Item<'b>> {
        let start = self.at;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map(Item::String).map_err(|error| {
            self.at = start + error.valid_up_to();
            self.bad("a string that is not UTF-8")
        })
    }

    /// So many entries, if each can have its fewest bytes.
    fn entries(&self, count: usize, bytes_min: usize) -> Result<usize> {
        if self.left() / bytes_min < count {
            let left = self.left();
            return Err(
                self.bad(format!("{count} entries should follow, and {left} bytes are left"))
            );
        }
        Ok(count)
    }

    fn list_item(&mut self, count: usize) -> Result<Item<'b>> {
        self.entries(count, 1).map(Item::List)
    }

    /// A key and its value have a byte each.
    fn map_item(&mut self, count: usize) -> Result<Item<'b>> {
        self.entries(count, 2).map(Item::Map)
    }

    /// The next item.
    pub fn item(&mut self) -> Result<Item<'b>> {
        if BOLT_DATA_MAX <= self.items {
            let detail = format!("a message holds at most {BOLT_DATA_MAX} values");
            return Err(Error { kind: ErrorKind::LimitReached, ..self.bad(detail) });
        }
        self.items += 1;
        let [marker] = self.array::<1>()?;
        let low = usize::from(marker & 0x0F);
        match marker {
            0x00..=0x7F => Ok(Item::Int(i64::from(marker))),
            0xF0..=0xFF => Ok(Item::Int(i64::from(marker as i8))),
            code::TINY_STRING..=0x8F => self.string_item(low),
            code::TINY_LIST..=0x9F => self.list_item(low),
            code::TINY_MAP..=0xAF => self.map_item(low),
            code::TINY_STRUCTURE..=0xBF => {
                let [tag] = self.array::<1>()?;
                let fields = self.entries(low, 1)?;
                Ok(Item::Structure { tag, fields })
            }
            code::NULL => Ok(Item::Null),
            code::FLOAT => self.array().map(|bytes| Item::Float(f64::from_be_bytes(bytes))),
            code::FALSE => Ok(Item::Bool(false)),
            code::TRUE => Ok(Item::Bool(true)),
            code::INT_8 => self.array().map(|bytes| Item::Int(i8::from_be_bytes(bytes).into())),
            code::INT_16 => self.array().map(|bytes| Item::Int(i16::from_be_bytes(bytes).into())),
            code::INT_32 => self.array().map(|bytes| Item::Int(i32::from_be_bytes(bytes).into())),
            code::INT_64 => self.array().map(|bytes| Item::Int(i64::from_be_bytes(bytes))),
            code::BYTES_8 => self.bytes_item(1),
            code::BYTES_16 => self.bytes_item(2),
            code::BYTES_32 => self.bytes_item(4),
            code::STRING_8 => self.length(1).and_then(|length| self.string_item(length)),
            code::STRING_16 => self.length(2).and_then(|length| self.string_item(length)),
            code::STRING_32 => self.length(4).and_then(|length| self.string_item(length)),
            code::LIST_8 => self.length(1).and_then(|count| self.list_item(count)),
            code::LIST_16 => self.length(2).and_then(|count| self.list_item(count)),
            code::LIST_32 => self.length(4).and_then(|count| self.list_item(count)),
            code::MAP_8 => self.length(1).and_then(|count| self.map_item(count)),
            code::MAP_16 => self.length(2).and_then(|count| self.map_item(count)),
            code::MAP_32 => self.length(4).and_then(|count| self.map_item(count)),
            unknown => {
                self.at -= 1;
                Err(self.bad(format!("there is no marker 0x{unknown:02x}")))
            }
        }
    }

    /// An integer.
    pub fn int(&mut self, what: &str) -> Result<i64> {
        match self.item()? {
            Item::Int(int) => Ok(int),
            other => Err(self.not(what, "an integer", &other)),
        }
    }

    /// A float.
    pub fn float(&mut self, what: &str) -> Result<f64> {
        match self.item()? {
            Item::Float(float) => Ok(float),
            other => Err(self.not(what, "a float", &other)),
        }
    }

    /// A text.
    pub fn string(&mut self, what: &str) -> Result<&'b str> {
        match self.item()? {
            Item::String(text) => Ok(text),
            other => Err(self.not(what, "a string", &other)),
        }
    }

    /// The key of a map.
    pub fn key(&mut self) -> Result<Arc<str>> {
        let text = self.string("the key of a map")?;
        Ok(self.keys.key(text))
    }

    /// The beginning of a list.
    pub fn list(&mut self, what: &str) -> Result<usize> {
        match self.item()? {
            Item::List(count) => Ok(count),
            other => Err(self.not(what, "a list", &other)),
        }
    }

    /// The beginning of a map; null is an empty one.
    pub fn map(&mut self, what: &str) -> Result<usize> {
        match self.item()? {
            Item::Map(count) => Ok(count),
            Item::Null => Ok(0),
            other => Err(self.not(what, "a map", &other)),
        }
    }

    /// The beginning of a structure: its tag and the number of its fields.
    pub fn structure(&mut self, what: &str) -> Result<(u8, usize)> {
        match self.item()? {
            Item::Structure { tag, fields } => Ok((tag, fields)),
            other => Err(self.not(what, "a structure", &other)),
        }
    }

    /// The error of an item of another kind.
    pub fn not(&self, what: &str, wanted: &str, found: &Item<'_>) -> Error {
        self.bad(format!("{what} is {wanted}, and not a {}", found.type_name()))
    }

    /// Passes over an item with all that belongs to it.
    pub fn skip(&mut self) -> Result<()> {
        let mut left = 1usize;
        while 0 < left {
            left -= 1;
            left += match self.item()? {
                Item::List(count) => count,
                // Each entry has at least two bytes, so there is no overflow.
                Item::Map(count) => 2 * count,
                Item::Structure { fields, .. } => fields,
                Item::Null
                | Item::Bool(_)
                | Item::Int(_)
                | Item::Float(_)
                | Item::Bytes(_)
                | Item::String(_) => 0,
            };
        }
        Ok(())
    }

    /// Goes one level deeper, if it may.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if NESTING_MAX <= self.depth {
            let detail = format!("it nests deeper than {NESTING_MAX}");
            return Err(Error { kind: ErrorKind::LimitReached, ..self.bad(detail) });
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_that_its_bytes_cannot_have_is_refused_before_they_are_read() {
        for bytes in [
            &[code::LIST_32, 0xFF, 0xFF, 0xFF, 0xFF, 1][..],
            &[code::MAP_32, 0x7F, 0xFF, 0xFF, 0xFF, 1, 1],
            &[code::STRING_32, 0x7F, 0xFF, 0xFF, 0xFF, b'a'],
            &[code::BYTES_32, 0x7F, 0xFF, 0xFF, 0xFF, 1],
            &[code::TINY_LIST | 2, 1],
            &[code::TINY_MAP | 2, 0x81, b'a', 1],
            &[code::TINY_STRUCTURE | 2, code::NODE, 1],
            &[code::INT_64, 1, 2, 3],
            &[0xC4],
            &[0xDC],
            &[],
        ] {
            assert_eq!(Reader::new(bytes).item().unwrap_err().kind, ErrorKind::BadInput);
        }
        let error = Reader::new(&[0x83, b'a', 0xFF, b'b']).item().unwrap_err();
        assert!(error.to_string().starts_with("PackStream, byte 2"), "{error}");
    }

    #[test]
    fn an_item_is_passed_over_with_its_entries() {
        let bytes = [0xB1, 0x4E, 0x92, 0xA1, 0x81, b'k', 0x91, 0xC0, 0xC3, 7];
        let mut reader = Reader::new(&bytes);
        reader.skip().unwrap();
        assert_eq!(reader.int("the rest"), Ok(7));
        assert_eq!(reader.end(), Ok(()));
    }
}
