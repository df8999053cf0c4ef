//! The tokens of GeoJSON. Texts may stand in single quotes, as Dgraph's clients write them inside N-Quads.
//!
//! Nothing is built of members that are skipped, and no array that is read is deeper than a multipolygon's.

use super::checked::{Coordinates, GeometryFault};

/// Levels of a member that is skipped.
const SKIPPED_DEPTH_MAX: usize = 16;

/// A text that is read from left to right.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Scanner<'t> {
        Scanner { text, at: 0 }
    }

    pub(super) fn expected<T>(&self, expected: &'static str) -> Result<T, GeometryFault> {
        Err(GeometryFault::Text { at: self.at, expected })
    }

    /// The next byte that is no white space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn take(&mut self, wanted: u8) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn require(
        &mut self,
        wanted: u8,
        expected: &'static str,
    ) -> Result<(), GeometryFault> {
        if self.take(wanted) { Ok(()) } else { self.expected(expected) }
    }

    /// Nothing but white space is left.
    pub(super) fn end(&mut self) -> Result<(), GeometryFault> {
        if self.peek().is_none() { Ok(()) } else { self.expected("the end") }
    }

    /// A quoted text as it is written: no name of GeoJSON has an escape.
    pub(super) fn quoted(&mut self) -> Result<&'t str, GeometryFault> {
        let Some(quote @ (b'"' | b'\'')) = self.peek() else {
            return self.expected("a text in quotes");
        };
        let start = self.at + 1;
        let mut end = start;
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(end) {
            match *byte {
                b'\\' => end += 2,
                byte if byte == quote => {
                    self.at = end + 1;
                    return Ok(&self.text[start..end]);
                }
                _ => end += 1,
            }
        }
        self.expected("a closing quote to this text")
    }

    /// A number of JSON.
    pub(super) fn number(&mut self) -> Result<f64, GeometryFault> {
        let is_first = |byte: u8| byte == b'-' || byte.is_ascii_digit();
        if !self.peek().is_some_and(is_first) {
            return self.expected("a number");
        }
        let is_inside = |byte: &&u8| byte.is_ascii_digit() || b"+-.eE".contains(*byte);
        let length = self.text.as_bytes()[self.at..].iter().take_while(is_inside).count();
        let digits = &self.text[self.at..self.at + length];
        match digits.parse() {
            Ok(number) => {
                self.at += length;
                Ok(number)
            }
            Err(_) => self.expected("a number"),
        }
    }

    /// Levels of arrays that begin here.
    pub(super) fn depth(&mut self) -> usize {
        let start = self.at;
        let mut depth = 0;
        while self.take(b'[') {
            depth += 1;
        }
        self.at = start;
        depth
    }

    /// `[longitude,latitude]`.
    pub(super) fn position(&mut self) -> Result<Coordinates, GeometryFault> {
        let (mut position, mut count) = ([0.0; 2], 0);
        self.array(|scanner| {
            let number = scanner.number()?;
            if let Some(place) = position.get_mut(count) {
                *place = number;
            }
            count += 1;
            Ok(())
        })?;
        if count == 2 { Ok(position) } else { Err(GeometryFault::Dimensions(count)) }
    }

    /// An array, each of whose entries is read by a function.
    pub(super) fn array(
        &mut self,
        mut entry: impl FnMut(&mut Self) -> Result<(), GeometryFault>,
    ) -> Result<(), GeometryFault> {
        self.require(b'[', "an array")?;
        if self.take(b']') {
            return Ok(());
        }
        loop {
            entry(self)?;
            if self.take(b']') {
                return Ok(());
            }
            self.require(b',', "',' or ']'")?;
        }
    }

    /// Passes over any value, and checks its brackets only.
    pub(super) fn skip(&mut self) -> Result<(), GeometryFault> {
        let mut depth = 0;
        loop {
            match self.peek() {
                Some(b'[' | b'{') if depth < SKIPPED_DEPTH_MAX => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b']' | b'}') if 0 < depth => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b'"' | b'\'') => drop(self.quoted()?),
                Some(b',' | b':') if 0 < depth => self.at += 1,
                Some(byte) if byte.is_ascii_alphanumeric() || b"+-.".contains(&byte) => {
                    self.at += 1;
                }
                _ => return self.expected("a value"),
            }
            let is_over = depth == 0 && matches!(self.peek(), None | Some(b',' | b'}' | b']'));
            if is_over {
                return Ok(());
            }
        }
    }
}
