//! The entries of an index of made keys, key by key; and what scores need of all of them.

use millrace_model::Result;
use millrace_model::schema::IndexDefinition;
use millrace_terms::KeyQuestion;
use millrace_terms::score::TextStatistics;
use millrace_terms::scored::{all_texts, scored_word};

use super::key_range::ByteRange;
use super::ordered_keys::of_property;

/// Takes the number of a range, a key in it, and elements that have the key, ids ascending. A key may come several
/// times, each time with other elements.
pub type PostingsSink<'a> = &'a mut dyn FnMut(usize, &[u8], &[u64]) -> Result<()>;

/// Whether entries are those of the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exactness {
    /// Each element has its keys at the snapshot.
    Exact,
    /// An element may have the keys of another moment: its record at the snapshot judges.
    Candidates,
}

impl Exactness {
    /// That of two answers together.
    pub fn and(self, other: Exactness) -> Exactness {
        if self == Exactness::Exact { other } else { self }
    }
}

/// The range of the entries that stand for the texts of a property, in an index of scored words.
pub fn texts_of(index: &IndexDefinition, field: usize) -> ByteRange {
    match of_property(index, field, all_texts()) {
        KeyQuestion::Keys { from, until, .. } => ByteRange::of_keys(&from, &until),
        _ => ByteRange { start: Vec::new(), end: Some(Vec::new()) },
    }
}

/// Adds the texts of an entry of [`texts_of`].
pub fn add_texts(statistics: &mut TextStatistics, key: &[u8], ids: &[u64]) {
    if let Some((_, payload)) = scored_word(key)
        && 0 < payload.length.length()
    {
        statistics.text_count += ids.len() as u64;
        statistics.word_count += ids.len() as u64 * u64::from(payload.length.length());
    }
}
