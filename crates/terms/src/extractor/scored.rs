//! Keys of words that carry what a score needs of a text: how often the word is in it, and how long it is.
//!
//! ```text
//!   word of a text   its bytes, 0, the code of the length, occurrences (1 to 255)
//!   text             nothing,   0, the code of the length (0 where an analyzer left no word), 0
//! ```
//!
//! So the texts of a word stand together, those of equal score under one key; and the keys of texts without a word
//! before them count all texts and their lengths.

use millrace_model::Result;

use super::keys::{KeySink, WordCounts};
use crate::question::{KeyPattern, KeyQuestion};
use crate::score::{LengthCode, OCCURRENCES_MAX};

/// Bytes of a key behind its word.
pub const PAYLOAD_BYTES: usize = 3;

/// What ends a word.
const END: u8 = 0;

/// What a key says of a word in the texts that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WordPayload {
    /// How long the texts are.
    pub length: LengthCode,
    /// How often they have the word.
    pub occurrences: u32,
}

/// The word of a key, and what the key says of it; `None` of a key of another kind.
pub fn scored_word(key: &[u8]) -> Option<(&[u8], WordPayload)> {
    let (word, payload) = key.split_last_chunk::<PAYLOAD_BYTES>()?;
    let [END, length, occurrences] = *payload else { return None };
    let (length, occurrences) = (LengthCode(length), u32::from(occurrences));
    Some((word, WordPayload { length, occurrences }))
}

/// The question for the keys of texts.
pub fn all_texts() -> KeyQuestion {
    KeyQuestion::prefix(&[END], KeyPattern::Any)
}

/// Calls back with the keys of a text, given its words.
pub(super) fn scored_keys(
    words: impl Iterator<Item = (Box<str>, u32)>,
    text_length: u32,
    sink: KeySink,
) -> Result<()> {
    let LengthCode(length) = LengthCode::of(text_length);
    let mut key = vec![END, length, 0];
    sink(&key, None)?;
    for (word, occurrences) in words {
        key.clear();
        key.extend_from_slice(word.as_bytes());
        key.extend_from_slice(&[END, length, occurrences.min(OCCURRENCES_MAX) as u8]);
        sink(&key, Some(WordCounts { occurrences, text_length }))?;
    }
    Ok(())
}

/// A question for words as one for keys that carry more.
pub(super) fn carrying(question: KeyQuestion) -> KeyQuestion {
    match question {
        KeyQuestion::Everything | KeyQuestion::Nothing => question,
        KeyQuestion::Key(word) => {
            let from = [&*word, &[END]].concat();
            let until = [&*word, &[END + 1]].concat();
            KeyQuestion::Keys { from, until, pattern: KeyPattern::Any }
        }
        KeyQuestion::Keys { from, mut until, pattern } => {
            // A word below the end may be a beginning of it, and its key be above the end.
            if let Some(at) = until.iter().position(|byte| *byte == END) {
                until.truncate(at);
                until.push(END + 1);
            }
            KeyQuestion::Keys { from, until, pattern }
        }
        KeyQuestion::All(parts) => KeyQuestion::All(parts.into_iter().map(carrying).collect()),
        KeyQuestion::Any(parts) => KeyQuestion::Any(parts.into_iter().map(carrying).collect()),
    }
}
