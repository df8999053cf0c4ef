//! Bytes in the making: plain numbers, lengths and texts.
//!
//! Writing can fail, on a text of 2 GiB or a duration of months, and then the bytes written so far are
//! of no use.

use millrace_model::{Error, ErrorKind, Result};

use super::code;
use crate::limits::ANSWER_NESTING_MAX;

/// Writes GraphBinary.
#[derive(Default)]
pub struct Writer {
    written: Vec<u8>,
    depth: usize,
}

impl Writer {
    /// The bytes written.
    pub fn finish(self) -> Vec<u8> {
        self.written
    }

    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.written.extend_from_slice(bytes);
    }

    /// A type code and the flag of something that is there.
    pub(super) fn typed(&mut self, code: u8) -> &mut Writer {
        self.put(&[code, 0]);
        self
    }

    pub(super) fn null(&mut self) {
        self.put(&[code::NULL, 1]);
    }

    pub(super) fn count(&mut self, count: usize) -> Result<()> {
        let Ok(fits) = i32::try_from(count) else {
            let detail = format!("{count} is more than the format can count");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        };
        self.put(&fits.to_be_bytes());
        Ok(())
    }

    /// Goes one level deeper, if it may.
    pub(super) fn nested(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if ANSWER_NESTING_MAX <= self.depth {
            let detail = format!("it nests deeper than {ANSWER_NESTING_MAX}");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        written
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.count(bytes.len())?;
        self.put(bytes);
        Ok(())
    }

    /// Text without type or flag.
    pub fn text(&mut self, text: &str) -> Result<()> {
        self.bytes(text.as_bytes())
    }

    pub(super) fn items<T>(
        &mut self,
        items: &[T],
        write: fn(&mut Writer, &T) -> Result<()>,
    ) -> Result<()> {
        self.count(items.len())?;
        items.iter().try_for_each(|item| write(self, item))
    }

    pub(super) fn pairs<T>(
        &mut self,
        pairs: &[(T, T)],
        write: fn(&mut Writer, &T) -> Result<()>,
    ) -> Result<()> {
        self.count(pairs.len())?;
        pairs.iter().try_for_each(|(key, value)| {
            write(self, key)?;
            write(self, value)
        })
    }
}

/// The error for a value that the format has no type for.
pub(super) fn unwritable(detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unsupported, detail)
}
