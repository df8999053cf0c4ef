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
        let end = u32::try_from(self.text.len()).expect("a column part holds less than 4 GiB");
        self.offsets.push(end);
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
        let ends = (self.offsets[texts.start], self.offsets[texts.end]);
        (ends.1 - ends.0) as usize + texts.len() * 4
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
