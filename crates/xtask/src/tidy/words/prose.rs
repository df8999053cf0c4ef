//! Retired words in comments, strings and documents.

use std::collections::HashMap;

use super::lexer::rust_prose;
use super::{Retired, Scope, Use, is_excepted};
use crate::tidy::source;

/// The documents, and texts that are searched with their code.
const READ_WHOLE: [&str; 6] = [".md", ".toml", ".html", ".lua", ".py", ".js"];

/// Every use in prose.
pub(super) fn uses(retired: &[Retired], files: &[(String, String)]) -> Vec<Use> {
    let words = Words::of(retired);
    let mut uses = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| !is_excepted(path)) {
        let mut found = |part: &str, line: usize| {
            words.find(part, |word, at| {
                let line = line + part[..at].bytes().filter(|byte| *byte == b'\n').count();
                let place = format!("{path}:{line}");
                uses.push(Use { word: word.to_owned(), is_name: false, place });
            });
        };
        if source::is_rust(path) {
            rust_prose(text, &mut found);
        } else if READ_WHOLE.iter().any(|end| path.ends_with(end)) {
            found(text, 1);
        }
    }
    uses
}

/// The retired words by their first word.
struct Words<'a> {
    by_first: HashMap<&'a str, Vec<(Vec<&'a str>, &'a str)>>,
    /// Whether a retired word begins with these two bytes: most words of a text are passed by this.
    begins: Vec<bool>,
}

impl<'a> Words<'a> {
    fn of(retired: &'a [Retired]) -> Words<'a> {
        let mut words = Words { by_first: HashMap::new(), begins: vec![false; 1 << 16] };
        for Retired { text, .. } in retired.iter().filter(|own| own.scope == Scope::Everywhere) {
            let parts: Vec<&str> = text.split([' ', '-']).collect();
            words.begins[beginning(text.as_bytes())] = true;
            words.by_first.entry(parts[0]).or_default().push((parts, text));
        }
        words
    }

    /// Calls back with each retired word of a text and where it begins.
    fn find(&self, text: &str, mut found: impl FnMut(&'a str, usize)) {
        let mut at = 0;
        while let Some((start, end)) = next_word(text, at) {
            at = end;
            if !self.begins[beginning(&text.as_bytes()[start..end])] {
                continue;
            }
            let first = text[start..end].to_ascii_lowercase();
            for key in [Some(&*first), first.strip_suffix('s')].into_iter().flatten() {
                for (parts, word) in self.by_first.get(key).into_iter().flatten() {
                    if is_phrase(text, (start, end), parts) {
                        found(word, start);
                    }
                }
            }
        }
    }
}

/// The first two bytes, in lower case.
fn beginning(word: &[u8]) -> usize {
    let byte = |at: usize| word.get(at).map_or(0, u8::to_ascii_lowercase);
    usize::from(byte(0)) << 8 | usize::from(byte(1))
}

/// Whether the words from `first` on are these; the last one may be a plural.
fn is_phrase(text: &str, first: (usize, usize), parts: &[&str]) -> bool {
    let (mut start, mut end) = first;
    for (place, part) in parts.iter().enumerate() {
        if 0 < place {
            let Some(next) = next_word(text, end) else { return false };
            if !text[end..next.0].chars().all(joins) {
                return false;
            }
            (start, end) = next;
        }
        let own = &text[start..end];
        let is_plural = || {
            let singular = own.strip_suffix(['s', 'S']);
            place + 1 == parts.len()
                && singular.is_some_and(|singular| singular.eq_ignore_ascii_case(part))
        };
        if !(own.eq_ignore_ascii_case(part) || is_plural()) {
            return false;
        }
    }
    true
}

/// Characters between the words of a phrase: spaces, a hyphen, the beginning of a comment's line.
fn joins(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '-' | '/' | '!' | '*')
}

/// The next run of letters, digits and underscores.
fn next_word(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..);
    let start = from + bytes[from..].iter().position(is_part)?;
    let length = bytes[start..].iter().position(|byte| !is_part(byte));
    Some((start, length.map_or(bytes.len(), |length| start + length)))
}
