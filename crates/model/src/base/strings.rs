//! Many strings in one allocation: the content of a column of text.

use std::ops::Range;

/// Texts, one behind the other, found by offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strings {
    /// Where each text begins; one more than there are texts.
    offsets: Vec<u32>,
    text: String,
}

impl Default for Strings {
    fn default() -> Strings {
        Strings { offsets: vec![0], text: String::new() }
    }
}

impl Strings {
    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> &str {
        &self.text[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// Whether a text of `bytes` bytes still fits (4 GiB in all).
    pub fn fits(&self, bytes: usize) -> bool {
        u32::try_from(self.text.len() + bytes).is_ok()
    }

    /// Appends a text. Panics beyond 4 GiB: batches and column parts are bounded far below it.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.offsets.push(self.end());
    }

    /// Appends what is written behind the texts so far, as one text; `None`, and nothing is appended, where it is longer than
    /// `bytes_max` or finds no room.
    pub fn push_written<E>(
        &mut self,
        bytes_max: usize,
        write: impl FnOnce(&mut String) -> Result<(), E>,
    ) -> Result<Option<()>, E> {
        let start = self.text.len();
        let written = write(&mut self.text);
        let end =
            u32::try_from(self.text.len()).ok().filter(|_| self.text.len() - start <= bytes_max);
        match (written, end) {
            (Ok(()), Some(end)) => {
                self.offsets.push(end);
                Ok(Some(()))
            }
            (written, _) => {
                self.text.truncate(start);
                written.map(|()| None)
            }
        }
    }

    /// Appends the texts of a range of others.
    pub fn push_range(&mut self, from: &Strings, texts: Range<usize>) {
        let (start, end) = (from.offsets[texts.start], from.offsets[texts.end]);
        let before = self.text.len();
        self.text.push_str(&from.text[start as usize..end as usize]);
        let _checked = self.end();
        let moved = (before as u32).wrapping_sub(start);
        let ends = &from.offsets[texts.start + 1..=texts.end];
        self.offsets.extend(ends.iter().map(|end| end.wrapping_add(moved)));
    }

    /// Appends the texts of others at `rows`, in that order.
    pub fn push_rows(&mut self, from: &Strings, rows: &[u32]) {
        self.offsets.reserve(rows.len());
        rows.iter().for_each(|&row| self.push(from.get(row as usize)));
    }

    /// The texts of a range.
    pub fn range(&self, texts: Range<usize>) -> Strings {
        let mut strings = Strings::with_capacity(texts.len(), self.text_bytes(texts.clone()));
        strings.push_range(self, texts);
        strings
    }

    /// The texts at `rows`, of so many bytes.
    pub(crate) fn rows(&self, rows: &[u32], bytes: usize) -> Strings {
        let mut strings = Strings::with_capacity(rows.len(), bytes);
        strings.push_rows(self, rows);
        strings
    }

    /// Room for so many texts and bytes.
    pub fn with_capacity(texts: usize, bytes: usize) -> Strings {
        let mut offsets = Vec::with_capacity(texts + 1);
        offsets.push(0);
        Strings { offsets, text: String::with_capacity(bytes) }
    }

    /// The bytes of the text at `index`.
    #[inline]
    pub fn bytes_of(&self, index: usize) -> &[u8] {
        &self.text.as_bytes()[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// The bytes of all texts, and where each text ends in them.
    pub fn bytes_and_ends(&self) -> (&[u8], &[u32]) {
        (self.text.as_bytes(), &self.offsets[1..])
    }

    /// The bytes of the texts of a range, alone.
    pub fn text_bytes(&self, texts: Range<usize>) -> usize {
        (self.offsets[texts.end] - self.offsets[texts.start]) as usize
    }

    /// Where the bytes end.
    fn end(&self) -> u32 {
        u32::try_from(self.text.len()).expect("a column part holds less than 4 GiB")
    }

    /// All texts, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The bytes used.
    pub fn byte_size(&self) -> usize {
        self.text.len() + self.offsets.len() * 4
    }

    /// The bytes used for some of the texts.
    pub fn byte_size_of(&self, texts: Range<usize>) -> usize {
        self.text_bytes(texts.clone()) + texts.len() * 4
    }
}

impl<'a> FromIterator<&'a str> for Strings {
    fn from_iter<I: IntoIterator<Item = &'a str>>(texts: I) -> Strings {
        let mut strings = Strings::default();
        for text in texts {
            strings.push(text);
        }
        strings
    }
}
