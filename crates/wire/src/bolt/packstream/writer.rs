//! Writes PackStream: markers, lengths and plain values, each in its shortest form.

use millrace_model::{Error, ErrorKind, Result};

use super::{Form, code};

/// Writes behind bytes that are there.
#[derive(Debug)]
pub struct Writer<'b> {
    bytes: &'b mut Vec<u8>,
    pub(super) form: Form,
    pub(super) depth: usize,
}

impl<'b> Writer<'b> {
    /// Writes in a form.
    pub fn new(bytes: &'b mut Vec<u8>, form: Form) -> Writer<'b> {
        Writer { bytes, form, depth: 0 }
    }

    /// Whether failures have the fields of GQL.
    pub fn has_gql_failures(&self) -> bool {
        self.form.version.has_gql_failures()
    }

    /// Writes null.
    pub fn null(&mut self) {
        self.bytes.push(code::NULL);
    }

    /// Writes true or false.
    pub fn bool(&mut self, truth: bool) {
        self.bytes.push(if truth { code::TRUE } else { code::FALSE });
    }

    /// Writes an integer.
    pub fn int(&mut self, int: i64) {
        if let Ok(byte) = i8::try_from(int) {
            if byte < code::TINY_INT_MIN {
                self.bytes.push(code::INT_8);
            }
            self.bytes.push(byte as u8);
        } else if let Ok(short) = i16::try_from(int) {
            self.bytes.push(code::INT_16);
            self.bytes.extend_from_slice(&short.to_be_bytes());
        } else if let Ok(word) = i32::try_from(int) {
            self.bytes.push(code::INT_32);
            self.bytes.extend_from_slice(&word.to_be_bytes());
        } else {
            self.bytes.push(code::INT_64);
            self.bytes.extend_from_slice(&int.to_be_bytes());
        }
    }

    /// Writes a float.
    pub fn float(&mut self, float: f64) {
        self.bytes.push(code::FLOAT);
        self.bytes.extend_from_slice(&float.to_be_bytes());
    }

    /// Writes bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.length(bytes.len(), [code::BYTES_8, code::BYTES_16, code::BYTES_32])?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes a text.
    pub fn string(&mut self, text: &str) -> Result<()> {
        let wide = [code::STRING_8, code::STRING_16, code::STRING_32];
        self.head(text.len(), code::TINY_STRING, wide)?;
        self.bytes.extend_from_slice(text.as_bytes());
        Ok(())
    }

    /// Begins a list of so many items.
    pub fn list(&mut self, count: usize) -> Result<()> {
        self.head(count, code::TINY_LIST, [code::LIST_8, code::LIST_16, code::LIST_32])
    }

    /// Begins a map of so many keys, each with its value behind it.
    pub fn map(&mut self, count: usize) -> Result<()> {
        self.head(count, code::TINY_MAP, [code::MAP_8, code::MAP_16, code::MAP_32])
    }

    /// Begins a structure; it has at most 15 fields.
    pub fn structure(&mut self, tag: u8, fields: u8) {
        self.bytes.push(code::TINY_STRUCTURE | (fields & 0x0F));
        self.bytes.push(tag);
    }

    fn head(&mut self, length: usize, tiny: u8, wide: [u8; 3]) -> Result<()> {
        match length {
            0..=15 => {
                self.bytes.push(tiny | length as u8);
                Ok(())
            }
            _ => self.length(length, wide),
        }
    }

    fn length(&mut self, length: usize, [one, two, four]: [u8; 3]) -> Result<()> {
        if let Ok(length) = u8::try_from(length) {
            self.bytes.extend_from_slice(&[one, length]);
        } else if let Ok(length) = u16::try_from(length) {
            self.bytes.push(two);
            self.bytes.extend_from_slice(&length.to_be_bytes());
        } else if let Ok(length) = u32::try_from(length) {
            self.bytes.push(four);
            self.bytes.extend_from_slice(&length.to_be_bytes());
        } else {
            let detail = format!("a value of {length} bytes or entries is too long for Bolt");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::reader::{Item, Reader};
    use super::*;
    use crate::bolt::Version;

    fn written(write: impl FnOnce(&mut Writer<'_>)) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut Writer::new(&mut bytes, Form::of(Version::NEWEST)));
        bytes
    }

    #[test]
    fn integers_have_their_shortest_form() {
        for (int, length) in [
            (0, 1),
            (127, 1),
            (-16, 1),
            (-17, 2),
            (-128, 2),
            (128, 3),
            (-129, 3),
            (32_767, 3),
            (32_768, 5),
            (-32_769, 5),
            (i64::from(i32::MAX), 5),
            (i64::from(i32::MAX) + 1, 9),
            (i64::from(i32::MIN) - 1, 9),
            (i64::MAX, 9),
            (i64::MIN, 9),
        ] {
            let bytes = written(|writer| writer.int(int));
            assert_eq!(bytes.len(), length, "{int}");
            assert_eq!(Reader::new(&bytes).item(), Ok(Item::Int(int)));
        }
    }

    #[test]
    fn lengths_have_their_shortest_form() {
        for (length, head) in
            [(0, 1), (15, 1), (16, 2), (255, 2), (256, 3), (65_535, 3), (65_536, 5)]
        {
            let text = "x".repeat(length);
            let bytes = written(|writer| writer.string(&text).unwrap());
            assert_eq!(bytes.len(), head + length);
            assert_eq!(Reader::new(&bytes).item(), Ok(Item::String(&text)));
            let bytes = written(|writer| writer.bytes(text.as_bytes()).unwrap());
            assert_eq!(Reader::new(&bytes).item(), Ok(Item::Bytes(text.as_bytes())));
            let mut bytes = written(|writer| writer.list(length).unwrap());
            assert_eq!(bytes.len(), head);
            bytes.resize(head + length, code::NULL);
            assert_eq!(Reader::new(&bytes).item(), Ok(Item::List(length)));
            let mut bytes = written(|writer| writer.map(length).unwrap());
            bytes.resize(head + 2 * length, code::NULL);
            assert_eq!(Reader::new(&bytes).item(), Ok(Item::Map(length)));
        }
    }

    #[test]
    fn plain_values_have_known_bytes() {
        assert_eq!(written(|writer| writer.null()), [0xC0]);
        assert_eq!(written(|writer| writer.bool(true)), [0xC3]);
        assert_eq!(
            written(|writer| writer.float(1.1)),
            [0xC1, 0x3F, 0xF1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9A]
        );
        assert_eq!(written(|writer| writer.structure(0x4E, 4)), [0xB4, 0x4E]);
    }
}
