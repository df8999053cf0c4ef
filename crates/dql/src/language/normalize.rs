//! Literals of a text become slots, so that texts that differ in their literals share a plan.
//!
//! Only arguments of functions that compare are literals here, and the ids of roots in the form of 2016: numbers, uids and
//! texts without escapes. Any other part of a text may decide its plan.

use millrace_model::{TextPosition, Value};
use millrace_plan::language::NormalizedQuery;

use super::script::literal_name;
use crate::text::{is_bare, position};
use crate::tree::Offset;

/// Functions whose arguments are slots: behind the first, and of `uid` all.
const FUNCTIONS: [&str; 13] = [
    "eq",
    "le",
    "lt",
    "ge",
    "gt",
    "between",
    "uid",
    "uid_in",
    "allofterms",
    "anyofterms",
    "alloftext",
    "anyoftext",
    "similar_to",
];

/// The function whose arguments are all literals.
const UID: &str = "uid";

/// The word in front of an expression.
const MATH: &str = "math";

/// Roots in the form of 2016.
const ROOT_IDS: [&str; 2] = ["_xid_", "_uid_"];

/// A literal: where it begins, where it ends, and its value.
struct Literal<'t> {
    from: usize,
    to: usize,
    value: &'t str,
}

/// The text with slots; none: it has no literals.
pub(super) fn normalize(text: &str) -> Option<NormalizedQuery> {
    let literals = literals(text);
    if literals.is_empty() {
        return None;
    }
    let mut normalized = String::with_capacity(text.len());
    let mut from = 0;
    for (slot, literal) in literals.iter().enumerate() {
        normalized.push_str(&text[from..literal.from]);
        normalized.push('$');
        normalized.push_str(&literal_name(slot));
        from = literal.to;
    }
    normalized.push_str(&text[from..]);
    let literals = literals.iter().map(|literal| Value::from(literal.value)).collect();
    Some(NormalizedQuery { text: normalized, literals })
}

/// Where a position of the normalized text is in the text it was made from.
pub(super) fn original(text: &str, at: TextPosition) -> TextPosition {
    let Some(normalized) = normalize(text) else { return at };
    let line = at.line.saturating_sub(1) as usize;
    let begin: usize = normalized.text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = normalized.text.get(begin..).unwrap_or_default();
    let inside = rest.char_indices().nth(at.column.saturating_sub(1) as usize);
    let offset = begin + inside.map_or(rest.len(), |(offset, _)| offset);
    let mut shift = 0_isize;
    for (slot, literal) in literals(text).iter().enumerate() {
        let begins = literal.from as isize + shift;
        if offset as isize <= begins {
            break;
        }
        let width = literal_name(slot).len() as isize + 1;
        if (offset as isize) < begins + width {
            return position(text, Offset(literal.from as u32));
        }
        shift += width - (literal.to - literal.from) as isize;
    }
    position(text, Offset(u32::try_from(offset as isize - shift).unwrap_or(u32::MAX)))
}

/// A parenthesis that is open.
#[derive(Clone, Copy)]
struct Open {
    /// Whether literals in it are slots now.
    takes: bool,
    /// Whether they are behind the next comma.
    takes_behind: bool,
    /// Whether it is of `math`, where `/` and `<` are operators.
    is_math: bool,
}

fn literals(text: &str) -> Vec<Literal<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut word = "";
    let mut is_root_id = false;
    let mut at = 0;
    while at < bytes.len() {
        let takes = is_root_id || open.last().is_some_and(|own| own.takes);
        let is_math = open.last().is_some_and(|own| own.is_math);
        match bytes[at] {
            b'/' | b'<' if is_math => (at, word) = (at + 1, ""),
            b'#' => at = end_of_line(bytes, at),
            b'"' => {
                let Some(end) = end_of_text(bytes, at) else { return Vec::new() };
                let value = &text[at + 1..end];
                if takes && !value.contains('\\') {
                    found.push(Literal { from: at, to: end + 1, value });
                }
                (at, word, is_root_id) = (end + 1, "", false);
            }
            b'/' => {
                let Some(end) = end_of_pattern(bytes, at) else { return Vec::new() };
                (at, word) = (end + 1, "");
            }
            b'<' => {
                let Some(end) = end_of_name(bytes, at) else { return Vec::new() };
                (at, word, is_root_id) = (end + 1, "", false);
            }
            b'(' => {
                let lower = word.to_ascii_lowercase();
                let is_known = FUNCTIONS.contains(&lower.as_str());
                let is_math = is_math || lower == MATH;
                open.push(Open { takes: lower == UID, takes_behind: is_known, is_math });
                (at, word) = (at + 1, "");
            }
            b')' => {
                open.pop();
                (at, word) = (at + 1, "");
            }
            b',' => {
                if let Some(own) = open.last_mut() {
                    own.takes |= own.takes_behind;
                }
                (at, word) = (at + 1, "");
            }
            b':' => {
                is_root_id = ROOT_IDS.contains(&word);
                (at, word) = (at + 1, "");
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            byte if is_part(byte) => {
                let end = bytes[at..].iter().position(|byte| !is_part(*byte));
                let end = end.map_or(bytes.len(), |end| at + end);
                let own = &text[at..end];
                let is_number = byte.is_ascii_digit()
                    || byte == b'-' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
                // One that is no value stays, and is refused in its place.
                if (is_root_id || takes && is_number) && is_bare(own) {
                    found.push(Literal { from: at, to: end, value: own });
                }
                (at, word, is_root_id) = (end, own, false);
            }
            _ => (at, word, is_root_id) = (at + 1, "", false),
        }
    }
    found
}

/// Whether a byte belongs to a word or a number.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-') || 0x80 <= byte
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end)
}

/// The bracket that ends a name.
fn end_of_name(bytes: &[u8], at: usize) -> Option<usize> {
    let is_end = |byte: &u8| matches!(byte, b'>' | b'<' | b'\n' | b'\r');
    let end = at + 1 + bytes[at + 1..].iter().position(is_end)?;
    (bytes[end] == b'>').then_some(end)
}

/// The quotation mark that ends a text.
fn end_of_text(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'"' => return Some(end),
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    None
}

/// The slash that ends a pattern.
fn end_of_pattern(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'/' => return Some(end),
            b'\\' => end += 2,
            b'\n' => return None,
            _ => end += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> (String, Vec<String>) {
        let normalized = normalize(text).map(|own| {
            let literals = own.literals.iter().map(|value| match value {
                Value::String(text) => text.to_string(),
                other => format!("{other:?}"),
            });
            (own.text, literals.collect())
        });
        normalized.unwrap_or_default()
    }

    #[test]
    fn arguments_become_parameters_and_nothing_else_does() {
        let text = "{ q(func: eq(name, \"x\"), first: 5) @filter(ge(age, 18) AND uid(a, 0x1f)) { c: count(f) } }";
        let expected = "{ q(func: eq(name, $$t0), first: 5) @filter(ge(age, $$t1) AND uid(a, $$t2)) { c: count(f) } }";
        assert_eq!(shown(text), (expected.into(), vec!["x".into(), "18".into(), "0x1f".into()]));
        let text = "{ me(_xid_ : m.0f4 ) { name } }";
        assert_eq!(shown(text), ("{ me(_xid_ : $$t0 ) { name } }".into(), vec!["m.0f4".into()]));
        for text in [
            "{ q(func: regexp(name, /a, \"b\"/)) { name } }",
            "{ q(func: eq(name, \"a\\\"b\")) { name } }",
            "{ q(func: has(name), first: 5) { f (first: 2) { name } } }",
            "# eq(name, \"x\")\n{ q(func: type(T)) { name } }",
            "{ q(func: eq(name, \"",
        ] {
            assert_eq!(shown(text), Default::default(), "{text}");
        }
    }

    /// A slash and an angle bracket begin a pattern and a name, but in `math`, where a text behind them might be cut in two.
    #[test]
    fn operators_of_math_hide_nothing_behind_them() {
        for operator in ["/", "<"] {
            let with = |literal: &str, other: &str| {
                format!(
                    "{{ q(func: uid(a)) {{ m: math((a {operator} 2)) }} \
                     r(func: eq(name, {literal})) @filter(eq(name, {other})) {{ uid }} }}"
                )
            };
            let found = shown(&with("\"1/2 > 3\"", "\"eq(name, 7)\""));
            let literals = vec!["1/2 > 3".to_owned(), "eq(name, 7)".to_owned()];
            assert_eq!(found, (with("$$t0", "$$t1"), literals));
        }
    }

    #[test]
    fn what_is_no_value_is_no_literal() {
        let text = "{ q(func: uid(0\u{fffd}3, 0x2)) { name } }";
        let expected = "{ q(func: uid(0\u{fffd}3, $$t0)) { name } }";
        assert_eq!(shown(text), (expected.to_owned(), vec!["0x2".to_owned()]));
        assert_eq!(shown("{ q(func: eq(<na\nme>, 3)) { name } }"), Default::default());
    }

    #[test]
    fn positions_are_those_of_the_text_that_was_sent() {
        let text = "{ q(func: eq(name, \"a long text\")) {\n name } }";
        let at = |line, column| {
            let found = original(text, TextPosition { line, column });
            (found.line, found.column)
        };
        assert_eq!(at(1, 14), (1, 14));
        assert_eq!(at(1, 20), (1, 20));
        assert_eq!(at(1, 22), (1, 20));
        assert_eq!(at(1, 24), (1, 33));
        assert_eq!(at(2, 2), (2, 2));
    }
}
