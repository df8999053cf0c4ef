//! What a predicate asks an index of made keys: a tree whose leaves are keys and ranges of keys.
//!
//! A record is a candidate if its keys satisfy the tree. Every record that the predicate accepts is a candidate; the
//! reverse is not promised, so the caller judges each candidate by its value.

use std::collections::BTreeSet;

use crate::matching::fuzzy;
use crate::matching::regex::WordRegex;
use crate::matching::wildcard::Wildcard;

/// A condition on the keys of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyQuestion {
    /// Any record: no key narrows it down, and all records are to be read.
    Everything,
    /// No record.
    Nothing,
    /// A record with this key.
    Key(Vec<u8>),
    /// A record with a key in this range that the pattern accepts.
    Keys {
        /// The least key.
        from: Vec<u8>,
        /// The least key above the range; empty if there is none.
        until: Vec<u8>,
        /// What else the key must be.
        pattern: KeyPattern,
    },
    /// A record that satisfies all of these.
    All(Vec<KeyQuestion>),
    /// A record that satisfies one of these.
    Any(Vec<KeyQuestion>),
}

/// What a key in a range must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyPattern {
    /// Nothing more.
    Any,
    /// A word that matches a pattern with `*` (any characters) and `?` (one), where `\` escapes.
    Wildcard(String),
    /// A word within so many edits of this one.
    Fuzzy {
        /// The word.
        word: String,
        /// Insertions, deletions, substitutions and transpositions.
        edits: u8,
    },
    /// A word that matches a regular expression.
    Regex(WordRegex),
}

impl KeyPattern {
    /// The pattern for many keys, read once.
    pub fn matcher(&self) -> KeyMatcher<'_> {
        match self {
            KeyPattern::Wildcard(pattern) => {
                KeyMatcher { pattern: self, wildcard: Some(Wildcard::new(pattern)) }
            }
            KeyPattern::Any | KeyPattern::Fuzzy { .. } | KeyPattern::Regex(_) => {
                KeyMatcher { pattern: self, wildcard: None }
            }
        }
    }

    /// Whether it accepts the key. For many keys, [`KeyPattern::matcher`] reads the pattern once.
    pub fn accepts(&self, key: &[u8]) -> bool {
        self.matcher().accepts(key)
    }
}

/// A pattern that was read.
#[derive(Debug)]
pub struct KeyMatcher<'p> {
    pattern: &'p KeyPattern,
    wildcard: Option<Wildcard>,
}

impl KeyMatcher<'_> {
    /// Units of work that a key is.
    pub fn work_on(&self, key: &[u8]) -> u64 {
        match self.pattern {
            KeyPattern::Any | KeyPattern::Wildcard(_) | KeyPattern::Fuzzy { .. } => 1,
            KeyPattern::Regex(regex) => regex.work_on(key),
        }
    }

    /// Whether the pattern accepts the key. A key that is no text is none of a word.
    pub fn accepts(&self, key: &[u8]) -> bool {
        match self.pattern {
            KeyPattern::Any => true,
            KeyPattern::Wildcard(_) => std::str::from_utf8(key)
                .is_ok_and(|word| self.wildcard.as_ref().is_some_and(|own| own.matches(word))),
            KeyPattern::Fuzzy { word, edits } => {
                std::str::from_utf8(key).is_ok_and(|own| fuzzy::within(word, own, *edits))
            }
            KeyPattern::Regex(regex) => {
                std::str::from_utf8(key).is_ok_and(|word| regex.matches(word))
            }
        }
    }
}

impl KeyQuestion {
    /// All of these, without what does not narrow.
    pub fn all(questions: impl IntoIterator<Item = KeyQuestion>) -> KeyQuestion {
        let mut narrowing = Vec::new();
        for question in questions {
            match question {
                KeyQuestion::Everything => {}
                KeyQuestion::Nothing => return KeyQuestion::Nothing,
                KeyQuestion::All(several) => narrowing.extend(several),
                one => narrowing.push(one),
            }
        }
        dedup(&mut narrowing);
        match narrowing.len() {
            0 => KeyQuestion::Everything,
            1 => narrowing.swap_remove(0),
            _ => KeyQuestion::All(narrowing),
        }
    }

    /// One of these.
    pub fn any(questions: impl IntoIterator<Item = KeyQuestion>) -> KeyQuestion {
        let mut choices = Vec::new();
        for question in questions {
            match question {
                KeyQuestion::Nothing => {}
                KeyQuestion::Everything => return KeyQuestion::Everything,
                KeyQuestion::Any(several) => choices.extend(several),
                one => choices.push(one),
            }
        }
        dedup(&mut choices);
        match choices.len() {
            0 => KeyQuestion::Nothing,
            1 => choices.swap_remove(0),
            _ => KeyQuestion::Any(choices),
        }
    }

    /// Keys that begin so.
    pub fn prefix(prefix: &[u8], pattern: KeyPattern) -> KeyQuestion {
        let until = millrace_model::order_key::after_prefix(prefix);
        KeyQuestion::Keys { from: prefix.to_vec(), until, pattern }
    }

    /// The same question for keys that all stand behind a prefix.
    pub fn behind(self, prefix: &[u8]) -> KeyQuestion {
        if prefix.is_empty() {
            return self;
        }
        let all = |parts: Vec<KeyQuestion>| parts.into_iter().map(|part| part.behind(prefix));
        match self {
            KeyQuestion::Everything | KeyQuestion::Nothing => self,
            KeyQuestion::Key(key) => KeyQuestion::Key([prefix, &key].concat()),
            KeyQuestion::Keys { from, until, pattern } => {
                let until = match until.is_empty() {
                    true => millrace_model::order_key::after_prefix(prefix),
                    false => [prefix, &until].concat(),
                };
                KeyQuestion::Keys { from: [prefix, &from].concat(), until, pattern }
            }
            KeyQuestion::All(parts) => KeyQuestion::All(all(parts).collect()),
            KeyQuestion::Any(parts) => KeyQuestion::Any(all(parts).collect()),
        }
    }

    /// Whether a record with these keys is a candidate.
    pub fn is_satisfied_by(&self, keys: &BTreeSet<Vec<u8>>) -> bool {
        match self {
            KeyQuestion::Everything => true,
            KeyQuestion::Nothing => false,
            KeyQuestion::Key(key) => keys.contains(key),
            KeyQuestion::Keys { from, until, pattern } => {
                let matcher = pattern.matcher();
                let mut range = keys.range(from.clone()..);
                let is_in = |key: &&Vec<u8>| until.is_empty() || *key < until;
                range.by_ref().take_while(is_in).any(|key| matcher.accepts(key))
            }
            KeyQuestion::All(several) => several.iter().all(|own| own.is_satisfied_by(keys)),
            KeyQuestion::Any(several) => several.iter().any(|own| own.is_satisfied_by(keys)),
        }
    }

    /// How many conditions the tree has.
    pub fn condition_count(&self) -> usize {
        match self {
            KeyQuestion::All(several) | KeyQuestion::Any(several) => {
                several.iter().map(KeyQuestion::condition_count).sum::<usize>() + 1
            }
            _ => 1,
        }
    }
}

/// Trees that are compared with each other; more may stay twice, which demands nothing else.
const TREES_COMPARED_MAX: usize = 32;

/// Drops the second of equal questions; their order does not matter.
fn dedup(questions: &mut Vec<KeyQuestion>) {
    let mut keys: BTreeSet<&[u8]> = BTreeSet::new();
    let mut trees: Vec<&KeyQuestion> = Vec::new();
    let mut are_new = Vec::with_capacity(questions.len());
    for question in questions.iter() {
        are_new.push(match question {
            KeyQuestion::Key(key) => keys.insert(key),
            tree => !trees.contains(&tree),
        });
        if !matches!(question, KeyQuestion::Key(_)) && trees.len() < TREES_COMPARED_MAX {
            trees.push(question);
        }
    }
    let mut are_new = are_new.into_iter();
    questions.retain(|_| are_new.next().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> KeyQuestion {
        KeyQuestion::Key(text.into())
    }

    #[test]
    fn trees_are_as_small_as_they_can_be() {
        let all = KeyQuestion::all([key("a"), KeyQuestion::Everything, key("a")]);
        assert_eq!(all, key("a"));
        assert_eq!(KeyQuestion::any([key("a"), KeyQuestion::Everything]), KeyQuestion::Everything);
        assert_eq!(KeyQuestion::all([key("a"), KeyQuestion::Nothing]), KeyQuestion::Nothing);
        let nested = KeyQuestion::any([KeyQuestion::any([key("a"), key("b")]), key("c")]);
        assert_eq!(nested, KeyQuestion::Any(vec![key("a"), key("b"), key("c")]));
    }

    #[test]
    fn a_range_ends_behind_its_prefix() {
        let keys: BTreeSet<Vec<u8>> = ["apple", "apply", "banana"].map(Vec::from).into();
        let question = |prefix: &str, pattern| KeyQuestion::prefix(prefix.as_bytes(), pattern);
        assert!(question("app", KeyPattern::Any).is_satisfied_by(&keys));
        assert!(!question("aq", KeyPattern::Any).is_satisfied_by(&keys));
        assert!(question("app", KeyPattern::Wildcard("app*y".into())).is_satisfied_by(&keys));
        assert!(!question("app", KeyPattern::Wildcard("app*z".into())).is_satisfied_by(&keys));
        let fuzzy = KeyPattern::Fuzzy { word: "banan".into(), edits: 1 };
        assert!(question("", fuzzy).is_satisfied_by(&keys));
    }
}
