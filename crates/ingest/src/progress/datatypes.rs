//! Literals of N-Quads whose datatype is not known: what a load makes of them, and how many of which
//! datatype there were.

use crate::error::{LoadError, excerpt};
use crate::limits::DATATYPES_NAMED_MAX;
use std::collections::BTreeMap;

/// What a load makes of a literal whose datatype is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownTypes {
    /// A bad row.
    #[default]
    Refuse,
    /// Text, as it is written; the datatype is left out.
    Text,
    /// Text, with the datatype as the facet `datatype`.
    Facet,
}

impl UnknownTypes {
    /// The meaning of a word of the option.
    pub fn parse(word: &str) -> Result<Self, LoadError> {
        let all = [Self::Refuse, Self::Text, Self::Facet];
        all.into_iter().find(|treatment| treatment.word() == word).ok_or_else(|| {
            let found = excerpt(word);
            let detail = format!(
                "literals of unknown datatypes are refused, or become text, or text with a facet: \
                 unknown-types is refuse, text or facet, not '{found}'"
            );
            LoadError::Input(detail)
        })
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Text => "text",
            Self::Facet => "facet",
        }
    }
}

/// How many values there were of each datatype that is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DatatypeCounts {
    /// The first [`DATATYPES_NAMED_MAX`] datatypes.
    named: BTreeMap<String, u64>,
    /// Values of all others.
    others: u64,
}

impl DatatypeCounts {
    /// Counts a value.
    pub(crate) fn add(&mut self, datatype: &str) {
        self.add_many(&excerpt(datatype), 1);
    }

    /// Counts the values that another part of the load has counted.
    pub(crate) fn add_all(&mut self, more: &Self) {
        more.named.iter().for_each(|(datatype, count)| self.add_many(datatype, *count));
        self.others += more.others;
    }

    fn add_many(&mut self, datatype: &str, count: u64) {
        if let Some(known) = self.named.get_mut(datatype) {
            *known += count;
        } else if self.named.len() < DATATYPES_NAMED_MAX {
            self.named.insert(datatype.to_owned(), count);
        } else {
            self.others += count;
        }
    }

    /// A line for the summary, if there were any.
    pub(crate) fn note(&self, treatment: UnknownTypes) -> Option<String> {
        let sum = self.named.values().sum::<u64>() + self.others;
        if sum == 0 {
            return None;
        }
        let fate = match treatment {
            UnknownTypes::Refuse => "were refused (--unknown-types text or facet loads them)",
            UnknownTypes::Text => "were loaded as text",
            UnknownTypes::Facet => "were loaded as text, with the datatype as the facet 'datatype'",
        };
        let mut counts: Vec<(&String, &u64)> = self.named.iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let mut parts: Vec<String> =
            counts.iter().map(|(datatype, count)| format!("{count} of <{datatype}>")).collect();
        if self.others != 0 {
            parts.push(format!("{} of others", self.others));
        }
        Some(format!("{sum} values of types that are not known {fate}: {}", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_counts_each_datatype_and_sums_up_those_beyond_the_bound() {
        let mut counts = DatatypeCounts::default();
        assert_eq!(counts.note(UnknownTypes::Text), None);
        for number in 0..DATATYPES_NAMED_MAX + 2 {
            counts.add(&format!("t{number:02}"));
        }
        let mut more = DatatypeCounts::default();
        more.add("t01");
        more.add("t99");
        counts.add_all(&more);
        let note = counts.note(UnknownTypes::Text).unwrap();
        let sum = DATATYPES_NAMED_MAX + 4;
        let begin = format!("{sum} values of types that are not known were loaded as text: ");
        assert!(note.starts_with(&(begin + "2 of <t01>, 1 of <t00>, 1 of <t02>")), "{note}");
        assert!(note.ends_with(", 3 of others") && !note.contains("t99"), "{note}");
    }

    #[test]
    fn words_and_meanings_are_pairs() {
        for word in ["refuse", "text", "facet"] {
            assert_eq!(UnknownTypes::parse(word).unwrap().word(), word);
        }
        assert!(UnknownTypes::parse("drop").is_err());
    }
}
