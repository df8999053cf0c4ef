//! Texts to dense numbers. All texts lie in one arena and the table holds 8 bytes an entry, so
//! ten million names cost about their own length and 20 bytes each.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// Distinct texts, numbered from 0 in order of arrival.
#[derive(Default)]
pub(crate) struct Dictionary {
    table: HashTable<Entry>,
    /// Seeded at random, because names come from files of foreign sources.
    hasher: DefaultHashBuilder,
    ends: Vec<usize>,
    text: String,
}

#[derive(Clone, Copy)]
struct Entry {
    /// Half the hash: spares most comparisons, and rehashing when the table grows.
    hash: u32,
    number: u32,
}

/// Spreads 32 bits over the 64 that the table looks at (its top seven and its lowest).
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Dictionary {
    /// How many texts there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes that it holds, about: each of its parts grows by as much again.
    pub(crate) fn byte_size(&self) -> u64 {
        (self.text.capacity() + 8 * self.ends.capacity() + 24 * self.ends.len()) as u64
    }

    /// The text of a number.
    pub(crate) fn text(&self, number: u32) -> &str {
        let index = number as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    /// The number of a text, if it is known.
    #[inline]
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        self.find_hashed(text, self.hash_of(text))
    }

    #[inline]
    fn hash_of(&self, text: &str) -> u32 {
        self.hasher.hash_one(text) as u32
    }

    #[inline]
    fn find_hashed(&self, text: &str, hash: u32) -> Option<u32> {
        let same = |entry: &Entry| entry.hash == hash && self.text(entry.number) == text;
        self.table.find(spread(hash), same).map(|entry| entry.number)
    }

    /// The number of a text, made if it is new; and whether it is.
    #[inline]
    pub(crate) fn intern(&mut self, text: &str) -> (u32, bool) {
        let hash = self.hash_of(text);
        if let Some(number) = self.find_hashed(text, hash) {
            return (number, false);
        }
        let number = u32::try_from(self.ends.len()).expect("fewer than 2^32 names in one load");
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.table.insert_unique(spread(hash), Entry { hash, number }, |entry| spread(entry.hash));
        (number, true)
    }

    /// The element of `groups` that belongs to a text, made if the text is new. Only this may add
    /// to either, so that a text's number is its group's place.
    pub(crate) fn group<'a, G: Default>(
        &mut self,
        groups: &'a mut Vec<G>,
        text: &str,
    ) -> &'a mut G {
        let (number, new) = self.intern(text);
        if new {
            groups.push(G::default());
        }
        &mut groups[number as usize]
    }

    /// All texts, in order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> + '_ {
        (0..self.ends.len()).map(|index| self.text(index as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_its_number_through_growth() {
        let mut dictionary = Dictionary::default();
        for i in 0..10_000_u32 {
            assert_eq!(dictionary.intern(&format!("name {i}")), (i, true));
        }
        for i in (0..10_000_u32).step_by(7) {
            let text = format!("name {i}");
            assert_eq!(dictionary.intern(&text), (i, false));
            assert_eq!(dictionary.find(&text), Some(i));
            assert_eq!(dictionary.text(i), text);
        }
        assert_eq!(dictionary.find(""), None);
        assert_eq!((dictionary.intern("").0, dictionary.len()), (10_000, 10_001));
        assert_eq!(dictionary.iter().last(), Some(""));
    }
}
