//! What a regular expression demands of the trigrams of a text.
//!
//! After R. Cox, "Regular Expression Matching with a Trigram Index" (2012): for each part of the expression it is known
//! which texts it can be exactly, or what its matches begin and end with, and what they contain. Where two parts meet,
//! the ends of the one and the beginnings of the other make new trigrams. Everything that grows is cut to a bound, and what is
//! cut off demands less, never more.

use std::collections::BTreeSet;

use millrace_model::{Error, ErrorKind, Result, TextPosition};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use super::keys::{Case, fold, fold_case, of_bytes};
use crate::limits::{
    KNOWN_TEXT_BYTES_MAX, KNOWN_TEXTS_MAX, PATTERN_BYTES_MAX, PATTERN_DEPTH_MAX,
    TRIGRAM_CONDITIONS_MAX,
};
use crate::question::KeyQuestion;

/// The question for a pattern in the syntax of `regex-syntax`, anchored or not. With [`Case::Insensitive`] the keys
/// are those of such an index; whether the pattern itself tells capitals apart is its own affair.
/// [`KeyQuestion::Everything`] means that the pattern is too wide for the index.
pub fn of_pattern(pattern: &str, case: Case) -> Result<KeyQuestion> {
    if PATTERN_BYTES_MAX < pattern.len() {
        let detail = format!("a regular expression has more than {PATTERN_BYTES_MAX} bytes");
        return Err(Error::new(ErrorKind::LimitReached, detail));
    }
    let mut parser = ParserBuilder::new().nest_limit(PATTERN_DEPTH_MAX).build();
    let hir = parser.parse(pattern).map_err(|error| refused(&error))?;
    Ok(of_hir(&hir, case))
}

fn refused(error: &regex_syntax::Error) -> Error {
    let (detail, position) = match error {
        regex_syntax::Error::Parse(error) => (error.kind().to_string(), Some(error.span().start)),
        regex_syntax::Error::Translate(error) => {
            (error.kind().to_string(), Some(error.span().start))
        }
        other => (other.to_string(), None),
    };
    let error =
        Error::new(ErrorKind::BadQuery, format!("a regular expression cannot be read: {detail}"));
    match position {
        Some(at) => error.at(TextPosition { line: at.line as u32, column: at.column as u32 }),
        None => error,
    }
}

/// The question for a parsed expression.
pub fn of_hir(hir: &Hir, case: Case) -> KeyQuestion {
    facts(hir, case).into_question()
}

type Texts = BTreeSet<Vec<u8>>;

/// What is known of the matches of a part.
#[derive(Clone)]
struct Facts {
    /// All texts that it matches, if they are few.
    exact: Option<Texts>,
    /// Each match begins with one of these, and ends with one of those.
    prefixes: Texts,
    suffixes: Texts,
    /// What a text with a match must contain besides.
    question: KeyQuestion,
}

impl Facts {
    fn exactly(texts: Texts) -> Facts {
        let none = Texts::new();
        let facts = Facts {
            exact: Some(texts),
            prefixes: none.clone(),
            suffixes: none,
            question: KeyQuestion::Everything,
        };
        facts.bounded()
    }

    /// Nothing is known.
    fn anything() -> Facts {
        let empty = Texts::from([Vec::new()]);
        Facts {
            exact: None,
            prefixes: empty.clone(),
            suffixes: empty,
            question: KeyQuestion::Everything,
        }
    }

    /// This, then that.
    fn then(self, next: Facts) -> Facts {
        if let (Some(own), Some(other)) = (&self.exact, &next.exact)
            && let Some(exact) = joined(own, other)
        {
            // Of a list that is cut, what it demanded stays.
            let exactly = Facts::exactly(exact);
            let question = both(both(self.question, next.question), exactly.question);
            return Facts { question, ..exactly }.bounded();
        }
        // Only the ends that meet are cut: what is known of the parts alone is asked for first.
        let (first, second) = (self.inexact(), next.inexact());
        let meeting = joined(&first.facts.suffixes, &second.facts.prefixes);
        let meeting = meeting.as_ref().map_or(KeyQuestion::Everything, of_any);
        let prefixes = first.exact.and_then(|exact| joined(&exact, &second.facts.prefixes));
        let suffixes = second.exact.and_then(|exact| joined(&first.facts.suffixes, &exact));
        let facts = Facts {
            exact: None,
            prefixes: prefixes.unwrap_or(first.facts.prefixes),
            suffixes: suffixes.unwrap_or(second.facts.suffixes),
            question: both(both(first.facts.question, second.facts.question), meeting),
        };
        facts.bounded()
    }

    /// This or that.
    fn or(self, other: Facts) -> Facts {
        if let (Some(own), Some(others)) = (&self.exact, &other.exact)
            && own.len() + others.len() <= KNOWN_TEXTS_MAX
            && self.question == KeyQuestion::Everything
            && other.question == KeyQuestion::Everything
        {
            return Facts::exactly(own.union(others).cloned().collect());
        }
        let (first, second) = (self.inexact().facts, other.inexact().facts);
        let facts = Facts {
            exact: None,
            prefixes: first.prefixes.union(&second.prefixes).cloned().collect(),
            suffixes: first.suffixes.union(&second.suffixes).cloned().collect(),
            question: KeyQuestion::any([first.question, second.question]),
        };
        facts.bounded()
    }

    /// This once or more.
    fn repeated(self) -> Facts {
        self.inexact().facts
    }

    /// The same without an exact list, which is asked for; the list stands apart.
    fn inexact(mut self) -> Inexact {
        let exact = self.exact.take();
        if let Some(exact) = &exact {
            self.question = both(self.question, of_any(exact));
            self.prefixes = exact.clone();
            self.suffixes = exact.clone();
        }
        Inexact { exact, facts: self.bounded() }
    }

    /// Cut to the bounds; what is cut off is asked for first.
    fn bounded(mut self) -> Facts {
        if let Some(exact) = &self.exact {
            let is_small = exact.len() <= KNOWN_TEXTS_MAX
                && exact.iter().all(|text| text.len() <= KNOWN_TEXT_BYTES_MAX);
            if is_small {
                return self;
            }
            return self.inexact().facts;
        }
        let ends = both(of_any(&self.prefixes), of_any(&self.suffixes));
        self.question = both(self.question, ends);
        self.prefixes = shortened(&self.prefixes, |text, length| text[..length].to_vec());
        self.suffixes =
            shortened(&self.suffixes, |text, length| text[text.len() - length..].to_vec());
        if TRIGRAM_CONDITIONS_MAX < self.question.condition_count() {
            self.question = KeyQuestion::Everything;
        }
        self
    }

    fn into_question(self) -> KeyQuestion {
        self.inexact().facts.question
    }
}

struct Inexact {
    exact: Option<Texts>,
    facts: Facts,
}

/// Both, as far as there is room; what has none is left out, which demands less.
fn both(first: KeyQuestion, second: KeyQuestion) -> KeyQuestion {
    let has_room = first.condition_count() + second.condition_count() <= TRIGRAM_CONDITIONS_MAX;
    match (first, second) {
        (KeyQuestion::Everything, one) | (one, KeyQuestion::Everything) => one,
        (first, second) if has_room => KeyQuestion::all([first, second]),
        (first, _) => first,
    }
}

/// Each text of the first with each of the second behind it, if they are not too many.
fn joined(first: &Texts, second: &Texts) -> Option<Texts> {
    if KNOWN_TEXTS_MAX * KNOWN_TEXTS_MAX < first.len() * second.len() {
        return None;
    }
    let pairs = first
        .iter()
        .flat_map(|left| second.iter().map(move |right| [left.as_slice(), right].concat()));
    Some(pairs.collect())
}

/// The question for a text that contains one of these.
fn of_any(texts: &Texts) -> KeyQuestion {
    KeyQuestion::any(texts.iter().map(|text| of_bytes(text)))
}

/// Two bytes of each text, which is all that a trigram over the place where parts meet needs; less if they are many.
fn shortened(texts: &Texts, end: impl Fn(&[u8], usize) -> Vec<u8>) -> Texts {
    let at_most = |bytes: usize| -> Texts {
        texts.iter().map(|text| end(text, text.len().min(bytes))).collect()
    };
    let of_two = at_most(2);
    if of_two.len() <= KNOWN_TEXTS_MAX {
        return of_two;
    }
    let of_one = at_most(1);
    if of_one.len() <= KNOWN_TEXTS_MAX { of_one } else { at_most(0) }
}

fn facts(hir: &Hir, case: Case) -> Facts {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Facts::exactly(Texts::from([Vec::new()])),
        HirKind::Literal(literal) => {
            let folded = match (case, std::str::from_utf8(&literal.0)) {
                (Case::Insensitive, Ok(text)) => fold_case(text).into_bytes(),
                _ => literal.0.to_vec(),
            };
            Facts::exactly(Texts::from([folded]))
        }
        HirKind::Class(class) => of_class(class, case),
        HirKind::Repetition(repetition) => of_repetition(repetition, case),
        HirKind::Capture(capture) => facts(&capture.sub, case),
        HirKind::Concat(parts) => {
            let empty = Facts::exactly(Texts::from([Vec::new()]));
            parts.iter().fold(empty, |before, part| before.then(facts(part, case)))
        }
        HirKind::Alternation(choices) => {
            let mut all = choices.iter().map(|choice| facts(choice, case));
            let first = all.next().unwrap_or_else(Facts::anything);
            all.fold(first, Facts::or)
        }
    }
}

fn of_class(class: &Class, case: Case) -> Facts {
    // Folding makes up to four characters one.
    let most = 4 * KNOWN_TEXTS_MAX;
    let texts: Option<Texts> = match class {
        Class::Unicode(class) => {
            let characters = class.iter().flat_map(|range| range.start()..=range.end());
            let some: Vec<char> = characters.take(most + 1).collect();
            let folded = some.iter().map(|c| if case == Case::Insensitive { fold(*c) } else { *c });
            (some.len() <= most).then(|| folded.map(|c| c.to_string().into_bytes()).collect())
        }
        // Single bytes are no characters, which folding would need.
        Class::Bytes(_) if case == Case::Insensitive => None,
        Class::Bytes(class) => {
            let bytes = class.iter().flat_map(|range| range.start()..=range.end());
            let some: Vec<u8> = bytes.take(most + 1).collect();
            (some.len() <= most).then(|| some.into_iter().map(|byte| vec![byte]).collect())
        }
    };
    // A class without characters matches nothing; that it does is not worth a case of its own.
    let few = texts.filter(|texts| !texts.is_empty() && texts.len() <= KNOWN_TEXTS_MAX);
    few.map_or_else(Facts::anything, Facts::exactly)
}

/// Copies of a part that are looked at; more repeat the same trigrams.
const COPIES_MAX: u32 = 8;

fn of_repetition(repetition: &Repetition, case: Case) -> Facts {
    let once = || facts(&repetition.sub, case);
    let empty = Facts::exactly(Texts::from([Vec::new()]));
    match (repetition.min, repetition.max) {
        (_, Some(0)) => empty,
        (0, Some(1)) => once().or(empty),
        (0, _) => Facts::anything(),
        (min, max) => {
            let one = once();
            let copies = min.min(COPIES_MAX);
            let are_all = max == Some(copies);
            let last = if are_all { one.clone() } else { one.clone().repeated() };
            let before = (1..copies).fold(empty, |before, _| before.then(one.clone()));
            before.then(last)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trigrams::trigrams_of;
    use millrace_model::random::SplitMix64;
    use millrace_testkit::run_seeds;
    use regex_automata::meta::Regex;

    fn keys(text: &str, case: Case) -> BTreeSet<Vec<u8>> {
        let mut keys = BTreeSet::new();
        trigrams_of(text, case, &mut |key| {
            keys.insert(key.to_vec());
            Ok(())
        })
        .expect("no limits");
        keys
    }

    fn shown(question: &KeyQuestion) -> String {
        let several = |all: &[KeyQuestion], joint: &str| {
            let parts: Vec<_> = all.iter().map(shown).collect();
            format!("({})", parts.join(joint))
        };
        match question {
            KeyQuestion::Everything => "everything".into(),
            KeyQuestion::Key(key) => String::from_utf8_lossy(key).into_owned(),
            KeyQuestion::All(all) => several(all, " "),
            KeyQuestion::Any(all) => several(all, "|"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn what_patterns_demand() {
        let demanded =
            |pattern: &str| shown(&of_pattern(pattern, Case::Sensitive).expect("a pattern"));
        assert_eq!(demanded("hello"), "(hel ell llo)");
        let in_any_case = demanded("(?i)zebra");
        assert!(in_any_case.contains("(ZEb EbR bRa)"), "{in_any_case}");
        assert_eq!(demanded("^abc.*def$"), "(abc def)");
        assert_eq!(demanded("abc|xyz"), "(abc|xyz)");
        assert_eq!(demanded("ab[cd]e"), "((abc bce)|(abd bde))");
        assert_eq!(demanded("(abc)+d"), "(abc bcd)");
        assert_eq!(demanded("a.c"), "everything");
        assert_eq!(demanded("abc?"), "everything");
        assert_eq!(demanded("abcd?"), "(abc|(abc bcd))");
        assert_eq!(demanded(r"\d{4}-12-"), "(-12 12-)");
        let folded = of_pattern("(?i)Straße", Case::Insensitive).expect("a pattern");
        assert_eq!(folded, super::super::of_literal("STRAßE", Case::Insensitive));
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_its_position() {
        let error = of_pattern("ab\n(c", Case::Sensitive).expect_err("no end of the group");
        assert_eq!(
            (error.kind, error.position),
            (ErrorKind::BadQuery, Some(TextPosition { line: 2, column: 1 }))
        );
        let long = "a".repeat(PATTERN_BYTES_MAX + 1);
        assert_eq!(
            of_pattern(&long, Case::Sensitive).expect_err("too long").kind,
            ErrorKind::LimitReached
        );
        let deep = format!("{}a{}", "(".repeat(1_000), ")".repeat(1_000));
        of_pattern(&deep, Case::Sensitive).expect_err("too deep");
    }

    /// A pattern that often matches one of the texts below.
    fn pattern(random: &mut SplitMix64, depth: u32) -> String {
        let below = |random: &mut SplitMix64| pattern(random, depth.saturating_sub(1));
        match random.below(if depth == 0 { 4 } else { 12 }) {
            0..3 => (0..=random.below(4)).map(|_| *random.pick(&['a', 'b', 'c', 'ß'])).collect(),
            3 => (*random.pick(&["[ab]", "[^a]", ".", "(?i)aB", r"\w", "[a-z]", "ſ", "^", r"\b"]))
                .to_owned(),
            4 => format!("(?:{})?", below(random)),
            5 => format!("(?:{})*", below(random)),
            6 => format!("(?:{})+", below(random)),
            7 => format!("(?:{}){{2,3}}", below(random)),
            8 => format!("(?:{}|{})", below(random), below(random)),
            9 => format!("(?i:{})", below(random)),
            _ => format!("{}{}", below(random), below(random)),
        }
    }

    #[test]
    fn no_text_that_a_pattern_matches_is_lost() {
        let (mut matched, mut narrowed) = (0, 0);
        run_seeds(4_000, |_, random| {
            let pattern = pattern(random, 4);
            let Ok(regex) = Regex::new(&pattern) else { return };
            for case in [Case::Sensitive, Case::Insensitive] {
                let question = of_pattern(&pattern, case).expect("the engine reads it, too");
                for _ in 0..6 {
                    let alphabet = ['a', 'A', 'b', 'B', 'c', 'ß', 'ẞ', 'ſ', ' '];
                    let text: String =
                        (0..random.below(14)).map(|_| *random.pick(&alphabet)).collect();
                    let is_candidate = question.is_satisfied_by(&keys(&text, case));
                    let is_match = regex.is_match(&text);
                    assert!(is_candidate || !is_match, "{pattern:?} {text:?} {}", shown(&question));
                    matched += u32::from(is_match);
                    narrowed += u32::from(!is_candidate);
                }
            }
        });
        assert!(1_000 < matched && 1_000 < narrowed, "{matched} {narrowed}");
    }
}
