//! A column of texts in one array, and the groups that texts make: a number for each different one, by a hash table.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Texts behind each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    texts: String,
    /// Where each of them ends.
    ends: Vec<u32>,
}

impl Texts {
    /// Adds one.
    pub fn push(&mut self, text: &str) {
        self.texts.push_str(text);
        let end = self.texts.len();
        assert!(u32::try_from(end).is_ok(), "ends of 4 bytes reach below 2^32 bytes");
        self.ends.push(end as u32);
    }

    /// One of them.
    #[inline]
    pub fn get(&self, number: usize) -> &str {
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[begin as usize..self.ends[number] as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let mut begin = 0;
        self.ends.iter().map(move |&end| {
            let text = &self.texts[begin..end as usize];
            begin = end as usize;
            text
        })
    }
}

/// Different texts, numbered as they come.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Hash and number of each.
    table: HashTable<(u64, u32)>,
    names: Texts,
}

impl Groups {
    /// The number of a text.
    #[inline]
    pub(super) fn number(&mut self, text: &str) -> usize {
        let hash = hash(text);
        let is_it = |(other, number): &(u64, u32)| {
            *other == hash && self.names.get(*number as usize) == text
        };
        if let Some((_, number)) = self.table.find(hash, is_it) {
            return *number as usize;
        }
        let number = self.names.len();
        self.names.push(text);
        self.table.insert_unique(hash, (hash, number as u32), |(hash, _)| *hash);
        number
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The texts by number.
    pub(super) fn into_names(self) -> Texts {
        self.names
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// How often each text comes.
pub(super) fn counts<'t>(texts: impl Iterator<Item = &'t str>) -> (Texts, Vec<i64>) {
    let (mut groups, mut counts) = (Groups::default(), Vec::new());
    for text in texts {
        let number = groups.number(text);
        if number == counts.len() {
            counts.push(0);
        }
        counts[number] += 1;
    }
    (groups.into_names(), counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbered_as_they_come_and_counted() {
        let mut column = Texts::default();
        assert!(column.is_empty());
        ["b", "", "abc", "b", "b", ""].into_iter().for_each(|text| column.push(text));
        assert_eq!(
            (column.len(), column.get(0), column.get(1), column.get(2)),
            (6, "b", "", "abc")
        );
        let (names, counts) = counts(column.iter());
        assert_eq!(names.iter().collect::<Vec<_>>(), ["b", "", "abc"]);
        assert_eq!(counts, [3, 2, 1]);
    }

    #[test]
    fn a_table_that_grows_keeps_its_groups() {
        let mut groups = Groups::default();
        let texts: Vec<String> = (0..5_000).map(|number| format!("text {number}")).collect();
        for _ in 0..2 {
            let numbers: Vec<usize> = texts.iter().map(|text| groups.number(text)).collect();
            assert!(numbers.into_iter().eq(0..5_000));
        }
        assert_eq!(groups.len(), 5_000);
    }
}
