//! How an index of made keys answers a question: lists of ids, the rarest first, intersected and united as they are read.
//!
//! The answer is *candidates*: all elements that the question is true of, and perhaps others. So a part of a question
//! that nearly everything satisfies is left out once few candidates are left.

use millrace_model::{Error, ErrorKind, Result, query_limits};
use millrace_terms::{KeyMatcher, KeyQuestion};

use super::key_range::ByteRange;
use super::ordered_keys::KeyForm;
use crate::base::limits::{CANDIDATE_ENTRIES, PART_ENTRIES_MIN, UNREAD_LIMITS};

/// Takes a key and ids that have it, ascending, and says whether it wants more. A key may come several times.
pub type KeySink<'a> = &'a mut dyn FnMut(&[u8], &[u64]) -> Result<bool>;

/// The entries of an index of made keys.
pub trait KeySource {
    /// About how many entries each range has.
    fn count(&mut self, ranges: &[ByteRange]) -> Result<Vec<u64>>;

    /// Walks the entries of a range, keys ascending, until the sink wants no more.
    fn walk(&mut self, range: &ByteRange, sink: KeySink<'_>) -> Result<()>;
}

/// The ids that an index finds, ascending, each once: at most `limit`, and fewer only if these are all.
pub fn answer(
    question: &KeyQuestion,
    form: KeyForm,
    limit: usize,
    source: &mut dyn KeySource,
) -> Result<Vec<u64>> {
    let mut ranges = Vec::new();
    ranges_of(question, &mut ranges)?;
    // How many there are matters where there is a choice.
    let counts = if 1 < ranges.len() { source.count(&ranges)? } else { vec![0; ranges.len()] };
    let part = Part::of(question, &mut ranges.into_iter().zip(counts));
    let mut ids = Reader { form, source }.read(&part, limit)?;
    ids.truncate(limit);
    Ok(ids)
}

/// The ranges of a question's leaves, in order.
fn ranges_of(question: &KeyQuestion, ranges: &mut Vec<ByteRange>) -> Result<()> {
    match question {
        KeyQuestion::Everything => {
            let detail = "an index of made keys is asked for everything";
            return Err(Error::new(ErrorKind::Unsupported, detail).with_help("scan instead"));
        }
        KeyQuestion::Nothing => {}
        KeyQuestion::Key(key) => ranges.push(ByteRange::of_key(key)),
        KeyQuestion::Keys { from, until, .. } => ranges.push(ByteRange::of_keys(from, until)),
        KeyQuestion::All(parts) | KeyQuestion::Any(parts) => {
            parts.iter().try_for_each(|part| ranges_of(part, ranges))?;
        }
    }
    Ok(())
}

/// A part of a question.
struct Part<'q> {
    /// The most entries that it finds, about.
    count: u64,
    node: Node<'q>,
}

enum Node<'q> {
    Nothing,
    Keys(ByteRange, Option<KeyMatcher<'q>>),
    /// The rarest first.
    All(Vec<Part<'q>>),
    Any(Vec<Part<'q>>),
}

impl<'q> Part<'q> {
    fn of(
        question: &'q KeyQuestion,
        ranges: &mut impl Iterator<Item = (ByteRange, u64)>,
    ) -> Part<'q> {
        let matcher = match question {
            KeyQuestion::Keys { pattern, .. } => Some(pattern.matcher()),
            _ => None,
        };
        match question {
            KeyQuestion::Everything | KeyQuestion::Nothing => {
                Part { count: 0, node: Node::Nothing }
            }
            KeyQuestion::Key(_) | KeyQuestion::Keys { .. } => match ranges.next() {
                Some((range, count)) => Part { count, node: Node::Keys(range, matcher) },
                None => Part { count: 0, node: Node::Nothing },
            },
            KeyQuestion::All(parts) => {
                let mut parts: Vec<Part<'_>> =
                    parts.iter().map(|part| Part::of(part, ranges)).collect();
                parts.sort_by_key(|part| part.count);
                Part { count: parts.first().map_or(0, |part| part.count), node: Node::All(parts) }
            }
            KeyQuestion::Any(parts) => {
                let parts: Vec<Part<'_>> =
                    parts.iter().map(|part| Part::of(part, ranges)).collect();
                let count = parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.count));
                Part { count, node: Node::Any(parts) }
            }
        }
    }
}

struct Reader<'s> {
    form: KeyForm,
    source: &'s mut dyn KeySource,
}

impl Reader<'_> {
    /// The ids of a part, ascending, each once. There may be more than `limit`; fewer are all.
    fn read(&mut self, part: &Part<'_>, limit: usize) -> Result<Vec<u64>> {
        if let Node::All(parts) = &part.node {
            return self.intersection(parts, limit);
        }
        let mut found = Found::new(limit);
        self.collect(part, &mut found)?;
        found.sort();
        Ok(found.ids)
    }

    /// Adds the ids of a part until they are enough.
    fn collect(&mut self, part: &Part<'_>, found: &mut Found) -> Result<()> {
        match &part.node {
            Node::Nothing => Ok(()),
            Node::Keys(range, matcher) => {
                let form = self.form;
                self.source.walk(range, &mut |key, ids| {
                    if matcher.as_ref().is_none_or(|own| own.accepts(form.word(key))) {
                        found.add(ids)?;
                    }
                    Ok(!found.is_enough())
                })
            }
            Node::Any(parts) => {
                for part in parts {
                    if found.is_enough() {
                        break;
                    }
                    self.collect(part, found)?;
                }
                Ok(())
            }
            Node::All(parts) => {
                let ids = self.intersection(parts, found.limit)?;
                found.add(&ids)
            }
        }
    }

    fn intersection(&mut self, parts: &[Part<'_>], limit: usize) -> Result<Vec<u64>> {
        let Some((first, others)) = parts.split_first() else { return Ok(Vec::new()) };
        if (limit as u64).saturating_mul(UNREAD_LIMITS) < first.count {
            return self.read(first, limit);
        }
        let mut ids = self.read(first, usize::MAX)?;
        for part in others {
            let is_worth_less = (ids.len() as u64).saturating_mul(CANDIDATE_ENTRIES) < part.count;
            let is_left_out = PART_ENTRIES_MIN <= part.count && is_worth_less && ids.len() < limit;
            if ids.is_empty() || is_left_out {
                break;
            }
            intersect(&mut ids, &self.read(part, usize::MAX)?);
        }
        Ok(ids)
    }
}

/// Ids that were found, in any order, some perhaps twice.
struct Found {
    ids: Vec<u64>,
    limit: usize,
    /// So many of them ascend, each once.
    sorted: usize,
}

impl Found {
    fn new(limit: usize) -> Found {
        Found { ids: Vec::new(), limit, sorted: 0 }
    }

    fn add(&mut self, ids: &[u64]) -> Result<()> {
        let needed = self.ids.len() + ids.len();
        if self.ids.capacity() < needed {
            // The list grows by doubling, and is sorted in place.
            query_limits::require_room((3 * size_of::<u64>() * needed) as u64)?;
        }
        self.ids.extend(ids);
        Ok(())
    }

    /// Whether there are as many as are wanted. Sorts them when they may be: each time twice as many.
    fn is_enough(&mut self) -> bool {
        if self.limit <= self.ids.len() && 2 * self.sorted <= self.ids.len() {
            self.sort();
        }
        self.limit <= self.sorted
    }

    fn sort(&mut self) {
        self.ids.sort_unstable();
        self.ids.dedup();
        self.sorted = self.ids.len();
    }
}

/// Keeps those that are among the others; both ascend.
fn intersect(ids: &mut Vec<u64>, others: &[u64]) {
    let mut rest = others;
    ids.retain(|id| {
        rest = &rest[rest.partition_point(|other| other < id)..];
        rest.first() == Some(id)
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Keys with their ids, and which keys were read.
    struct KeyTable {
        ids: BTreeMap<Vec<u8>, Vec<u64>>,
        read: Vec<Vec<u8>>,
    }

    impl KeySource for KeyTable {
        fn count(&mut self, ranges: &[ByteRange]) -> Result<Vec<u64>> {
            let inside = |range: &ByteRange| {
                let of_range = self.ids.iter().filter(|(key, _)| range.contains(key));
                of_range.map(|(_, ids)| ids.len() as u64).sum()
            };
            Ok(ranges.iter().map(inside).collect())
        }

        fn walk(&mut self, range: &ByteRange, sink: KeySink<'_>) -> Result<()> {
            for (key, ids) in self.ids.iter().filter(|(key, _)| range.contains(key)) {
                self.read.push(key.clone());
                if !sink(key, ids)? {
                    break;
                }
            }
            Ok(())
        }
    }

    fn entries(entries: &[(&str, Vec<u64>)]) -> KeyTable {
        let ids = entries.iter().map(|(key, ids)| (key.as_bytes().to_vec(), ids.clone()));
        KeyTable { ids: ids.collect(), read: Vec::new() }
    }

    fn key(key: &str) -> KeyQuestion {
        KeyQuestion::Key(key.as_bytes().to_vec())
    }

    fn ask(
        question: &KeyQuestion,
        limit: usize,
        entries: &mut KeyTable,
    ) -> (Vec<u64>, Vec<String>) {
        let found = answer(question, KeyForm::default(), limit, entries).unwrap();
        let read = std::mem::take(&mut entries.read);
        (found, read.into_iter().map(|key| String::from_utf8(key).unwrap()).collect())
    }

    #[test]
    fn parts_are_intersected_and_united() {
        let mut some = entries(&[("a", vec![1, 3, 5]), ("b", vec![3, 5, 9]), ("c", vec![2])]);
        let both = KeyQuestion::All(vec![key("a"), key("b")]);
        assert_eq!(ask(&both, 9, &mut some).0, [3, 5]);
        let any = KeyQuestion::Any(vec![both.clone(), key("c"), key("none")]);
        assert_eq!(ask(&any, 9, &mut some).0, [2, 3, 5]);
        assert_eq!(ask(&KeyQuestion::All(vec![key("none"), any]), 9, &mut some).0, [0; 0]);
        let keys = KeyQuestion::prefix(b"", millrace_terms::KeyPattern::Any);
        assert_eq!(ask(&keys, 9, &mut some).0, [1, 2, 3, 5, 9]);
        assert_eq!(ask(&keys, 3, &mut some), (vec![1, 3, 5], vec!["a".into()]));
    }

    #[test]
    fn the_rarest_part_is_first_and_what_nearly_all_have_is_left_out() {
        let many: Vec<u64> = (0..100_000).collect();
        let some: Vec<u64> = (0..100_000).step_by(50).collect();
        let few = vec![7, 50, 100];
        let mut all = entries(&[("few", few), ("many", many), ("some", some)]);
        let question = KeyQuestion::All(vec![key("many"), key("some"), key("few")]);
        assert_eq!(
            ask(&question, 1_000, &mut all),
            (vec![50, 100], vec!["few".into(), "some".into()])
        );
        let question = KeyQuestion::All(vec![key("many"), key("some")]);
        assert_eq!(ask(&question, 9_000, &mut all).0.len(), 2_000, "a part worth reading is read");
        assert_eq!(ask(&question, 9_000, &mut all).1, ["some", "many"]);
    }

    #[test]
    fn where_more_are_found_than_may_be_little_is_read() {
        let many: Vec<u64> = (0..100_000).collect();
        let mut all = entries(&[("a", many.clone()), ("b", many)]);
        let both = KeyQuestion::All(vec![key("a"), key("b")]);
        let (found, read) = ask(&both, 100, &mut all);
        assert_eq!((found.len(), read.len()), (100, 1));
        let either = KeyQuestion::Any(vec![key("a"), key("b")]);
        let (found, read) = ask(&either, 100, &mut all);
        assert_eq!((found.len(), read.len()), (100, 1));
    }
}
