//! Normalized queries: texts that differ only in literals share one, which is parsed once.
//!
//! ```text
//!   g.addV('person').property('name','marko').property('age',29)
//!
//!   g.addV('person').property('name',$s0).property('age',$i1)       's': marko, 'i': 29
//! ```
//!
//! A normalized query is a text of its own: in place of a literal stands a variable, named by the number and type
//! of the literal, so the parser knows nothing of normalization. Only plain literals are
//! taken out, and only where [`super::parameterize`] makes them values of the plan; the rest of the text stays.
//! Correctness does not depend on this file: each normalized query, with its literals put back, is compared once
//! with the original text ([`parse_normalized`]).

use std::fmt::Write;
use std::sync::Arc;

use millrace_bytecode::{Argument, is_of_janusgraph};
use millrace_model::Value;
use millrace_plan::language::{NormalizedQuery, SLOT_PREFIX, SlotValue, slot_index};

use super::literals::{LiteralSlots, literal_slots, parameterize};
use crate::limits::NORMALIZED_DEPTH_MAX;
use crate::text::{Expression, Language, Script, parse};

/// The prefix of the variables that stand for literals. A text with it outside of its literals is not
/// normalized.
pub(super) const PREFIX: u8 = SLOT_PREFIX as u8;

/// Digits of an integer, and on each side of the point of a fraction, that every reader reads alike.
const DIGITS_MAX: usize = 15;

/// The normalized query of a text; `None`: it has no literal to take out, or rare syntax that would need
/// a full parse.
pub fn normalize(text: &str) -> Option<NormalizedQuery> {
    let mut scan = Scan::new(text);
    while let Some(byte) = scan.peek() {
        scan.step(byte)?;
    }
    scan.finish()
}

/// The script of a normalized query; `None` unless it means, with its literals, the same as the `text` from which it
/// was made.
pub fn parse_normalized(
    normalized: &NormalizedQuery,
    text: &str,
    language: Language,
) -> Option<Script> {
    let (script, whole) = (parse(&normalized.text, language).ok()?, parse(text, language).ok()?);
    let is_same = script.statements.len() == whole.statements.len()
        && script.statements.iter().zip(&whole.statements).all(|(own, other)| {
            let mut value = |name: &str| {
                let literal = slot_index(name).and_then(|slot| normalized.literals.get(slot));
                // Other variables have their own names for values, so that they are compared.
                let value = literal.cloned().unwrap_or_else(|| Value::string(name));
                Some(Argument::Value(value))
            };
            let (Ok(own_bound), Ok(bound)) = (own.bind(&mut value), other.bind(&mut value)) else {
                return false;
            };
            own.target == other.target && says_same(own_bound, bound)
        });
    is_same.then_some(script)
}

/// Whether two traversals, or words to a transaction, are the same, however they were written.
fn says_same(one: Expression, other: Expression) -> bool {
    match (one, other) {
        (Expression::Traversal(mut one), Expression::Traversal(mut other)) => {
            let values = |slots: Vec<SlotValue>| -> Vec<Value> {
                slots.into_iter().map(|slot| slot.value).collect()
            };
            values(parameterize(&mut one.bytecode)) == values(parameterize(&mut other.bytecode))
                && one == other
        }
        (one @ Expression::Transaction { .. }, other) => one == other,
        _ => false,
    }
}

/// A bracket that is open.
#[derive(Clone, Copy)]
struct Open {
    /// Which arguments of the step before it become parameter slots; none in a list, a map or a set.
    slots: LiteralSlots,
    /// Whether a text without any character but spaces stays, since what takes it refuses it while a plan is made.
    keeps_blank: bool,
    /// How many arguments are complete.
    index: usize,
    /// Whether the first one is a cardinality.
    has_cardinality: bool,
    argument_start: usize,
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    /// Up to where the text is in `left`.
    copied: usize,
    /// The last byte that is no space.
    before: u8,
    word_start: usize,
    open: Vec<Open>,
    left: String,
    literals: Vec<Value>,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        let left = String::with_capacity(text.len());
        let open = Vec::with_capacity(NORMALIZED_DEPTH_MAX);
        let (at, copied, before, word_start) = (0, 0, 0, 0);
        Scan { text, at, copied, before, word_start, open, left, literals: Vec::new() }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes over a word, a literal or one byte. `None`: the text is not normalized.
    fn step(&mut self, byte: u8) -> Option<()> {
        match byte {
            b'\'' | b'"' => return self.string(byte),
            b'0'..=b'9' | b'-' => return self.number(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => return self.word(),
            b'(' | b'[' | b'{' => self.enter(byte)?,
            b')' | b']' | b'}' => _ = self.open.pop()?,
            b',' => self.next_argument(),
            b'/' | PREFIX => return None,
            b' ' | b'\t' | b'\r' | b'\n' => {
                self.at += 1;
                return Some(());
            }
            _ => {}
        }
        self.pass(self.at + 1)
    }

    /// Leaves the text before `end` unchanged.
    fn pass(&mut self, end: usize) -> Option<()> {
        self.before = *self.text.as_bytes().get(end - 1)?;
        self.at = end;
        Some(())
    }

    fn word(&mut self) -> Option<()> {
        self.word_start = self.at;
        let rest = &self.text.as_bytes()[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        self.pass(self.at + length)
    }

    fn enter(&mut self, bracket: u8) -> Option<()> {
        if self.open.len() == NORMALIZED_DEPTH_MAX {
            return None;
        }
        let is_word = self.before.is_ascii_alphanumeric() && self.word_start < self.at;
        let (slots, keeps_blank) = match bracket {
            b'(' if is_word => {
                let word = &self.text[self.word_start..self.at];
                (literal_slots(word), is_of_janusgraph(word))
            }
            _ => (LiteralSlots::None, false),
        };
        let (argument_start, has_cardinality) = (self.at + 1, false);
        self.open.push(Open { slots, keeps_blank, index: 0, has_cardinality, argument_start });
        Some(())
    }

    fn next_argument(&mut self) {
        let at = self.at;
        let Some(open) = self.open.last_mut() else { return };
        if open.index == 0 {
            let first = self.text[open.argument_start..at].trim_end();
            open.has_cardinality = ["single", "list", "set"].iter().any(|own| first.ends_with(own));
        }
        open.index += 1;
        open.argument_start = at + 1;
    }

    /// A string in single quotes or double ones, without escapes; others stay.
    fn string(&mut self, quote: u8) -> Option<()> {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut end = start;
        let mut is_plain = true;
        while *bytes.get(end)? != quote {
            match bytes[end] {
                PREFIX => return None,
                b'\\' => {
                    is_plain = false;
                    end += 1;
                }
                b'\n' | b'\r' => is_plain = false,
                _ => {}
            }
            end += 1;
        }
        let is_triple = end == start && bytes.get(end + 1) == Some(&quote);
        if is_triple {
            return None;
        }
        let is_kept = self.text[start..end].trim().is_empty()
            && self.open.last().is_some_and(|open| open.keeps_blank);
        if is_kept || !(is_plain && self.is_taken(end + 1)) {
            return self.pass(end + 1);
        }
        let value = Value::String(Arc::from(&self.text[start..end]));
        self.take(b's', value, end + 1)
    }

    fn number(&mut self) -> Option<()> {
        let rest = &self.text.as_bytes()[self.at..];
        let is_part = |byte: &u8| is_number_part(char::from(*byte));
        let length = 1 + rest[1..].iter().position(|byte| !is_part(byte)).unwrap_or(rest.len() - 1);
        let end = self.at + length;
        match plain_number(&self.text[self.at..end]).filter(|_| self.is_taken(end)) {
            Some((letter, value)) => self.take(letter, value, end),
            None => self.pass(end),
        }
    }

    /// Whether the text from here to `end` is a whole argument that becomes a parameter slot.
    fn is_taken(&self, end: usize) -> bool {
        let Some(open) = self.open.last() else { return false };
        let rest = &self.text.as_bytes()[end..];
        let behind = rest.iter().find(|byte| !byte.is_ascii_whitespace());
        let is_whole = matches!(self.before, b'(' | b',') && matches!(behind, Some(b')' | b','));
        let is_last = behind == Some(&b')');
        let key = usize::from(open.has_cardinality);
        is_whole
            && match open.slots {
                LiteralSlots::None => false,
                LiteralSlots::All => true,
                LiteralSlots::Compared => open.index > 0 && is_last,
                LiteralSlots::Assigned => open.index > key && (open.index - key) % 2 == 1,
            }
    }

    fn take(&mut self, letter: u8, value: Value, end: usize) -> Option<()> {
        self.left.push_str(&self.text[self.copied..self.at]);
        let (prefix, letter) = (char::from(PREFIX), char::from(letter));
        write!(self.left, "{prefix}{letter}{}", self.literals.len()).ok()?;
        self.literals.push(value);
        self.copied = end;
        self.pass(end)
    }

    fn finish(mut self) -> Option<NormalizedQuery> {
        if self.literals.is_empty() || !self.open.is_empty() {
            return None;
        }
        self.left.push_str(&self.text[self.copied..]);
        Some(NormalizedQuery { text: self.left, literals: self.literals })
    }
}

/// Whether a character belongs to a number, behind its first.
pub(super) fn is_number_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_')
}

/// A number in the common notation, and a letter for its type.
fn plain_number(text: &str) -> Option<(u8, Value)> {
    let (number, is_long) = match text.strip_suffix(['l', 'L']) {
        Some(number) => (number, true),
        None => (text, false),
    };
    let digits = number.strip_prefix('-').unwrap_or(number);
    let (whole, part) = match digits.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (digits, None),
    };
    let is_plain = |digits: &str| {
        (1..=DIGITS_MAX).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    // A zero before other digits makes the number octal.
    let is_decimal = is_plain(whole) && (whole == "0" || !whole.starts_with('0'));
    match part {
        _ if !is_decimal => None,
        Some(part) if is_plain(part) && !is_long => {
            number.parse().ok().map(|fraction| (b'd', Value::F64(fraction)))
        }
        Some(_) => None,
        None => {
            let int: i64 = number.parse().ok()?;
            Some(match i32::try_from(int) {
                Ok(int) if !is_long => (b'i', Value::I32(int)),
                _ => (b'l', Value::I64(int)),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_out_and_names_stay() {
        for (text, left, literals) in [
            (
                "g.addV('person').property('name', 'o').property(single,'age',-29 ,'since',1.50)",
                "g.addV('person').property('name', $s0).property(single,'age',$i1 ,'since',$d2)",
                r#"[String("o"), I32(-29), F64(1.5)]"#,
            ),
            (
                "g.V(1L, 3000000000).has('name', within(\"a\", 'b')).limit(5).values('name')",
                "g.V($l0, $l1).has('name', within($s2, $s3)).limit(5).values('name')",
                r#"[I64(1), I64(3000000000), String("a"), String("b")]"#,
            ),
            (
                "g.V().has('person','age', P.gt(30)).has('x','','').where(out('k').is(0))",
                "g.V().has('person','age', P.gt($i0)).has('x','',$s1).where(out('k').is($i2))",
                r#"[I32(30), String(""), I32(0)]"#,
            ),
        ] {
            let normalized = normalize(text).expect("there are literals");
            assert_eq!(normalized.text, left);
            assert_eq!(format!("{:?}", normalized.literals), literals);
            assert!(parse_normalized(&normalized, text, Language::Groovy).is_some(), "{text}");
        }
    }

    #[test]
    fn literals_that_are_not_plain_stay_or_prevent_normalization() {
        for (text, left) in [
            ("g.V('a\\'b', 'c')", "g.V('a\\'b', $s0)"),
            ("g.V('a\nb', 'c')", "g.V('a\nb', $s0)"),
            ("g.inject([1, 'a'], 2)", "g.inject([1, 'a'], $i0)"),
            (
                "g.inject(1..3, (int) 5, 017, 0x1f, 1e3, 2)",
                "g.inject(1..3, (int) 5, 017, 0x1f, 1e3, $i0)",
            ),
            (
                "g.V().has('a', textContains('b')).has('a', textPrefix(' '))",
                "g.V().has('a', textContains($s0)).has('a', textPrefix(' '))",
            ),
            ("g.inject('a' + 'b', 2)", "g.inject('a' + 'b', $i0)"),
            ("g.inject(12345678901234567890, 2)", "g.inject(12345678901234567890, $i0)"),
        ] {
            assert_eq!(normalize(text).map(|own| own.text).as_deref(), Some(left));
        }
        for text in [
            "",
            "g.V()",
            "g.V(x)",
            "g.V('$s0')",
            "g.V($s0, 1)",
            "g.V(1) // 'a'",
            "g.V(/* ( */ 1)",
            "g.V('''a''', 1)",
            "g.V(1",
            "g.V(1))",
            "g.V('a",
            "g.V('a\\",
            "ü(1)",
        ] {
            assert_eq!(normalize(text), None, "{text}");
        }
        assert!(normalize(&format!("{}1{}", "is(".repeat(99), ")".repeat(99))).is_none());
    }

    #[test]
    fn a_normalized_query_that_differs_from_its_text_is_not_read() {
        let text = "g.V().has('name', 'a')";
        let normalized = normalize(text).expect("there is a literal");
        assert!(
            parse_normalized(&normalized, "g.V().has('name', 'b')", Language::Groovy).is_none()
        );
        // The number is no literal of a traversal.
        let text = "g.V(1).next(2)";
        let taken = NormalizedQuery {
            text: "g.V($i0).next($i1)".to_owned(),
            literals: vec![Value::I32(1), Value::I32(2)],
        };
        assert!(parse_normalized(&taken, text, Language::Groovy).is_none());
        assert!(normalize("1").is_none());
    }
}
