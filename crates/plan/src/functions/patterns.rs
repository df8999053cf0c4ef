//! Regular expressions: whether one is found in a text.
//!
//! Patterns come from clients, so each is matched in time linear in the text; a pattern that cannot be
//! (a look behind, a reference back) is refused. See decision 0053.

use std::cell::RefCell;
use std::sync::Arc;

use millrace_model::{ErrorKind, Result, Value};
use regex_automata::meta::Regex;

use crate::limits;

use super::Function;
use super::arguments::bad;

/// The rows of this family; see `functions!`.
macro_rules! patterns_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// Whether a regular expression is found in a text.
            Matches: [2, 2], ALL, Fails::May => patterns::matches;
        }
    };
}

thread_local! {
    /// The last patterns of this thread, the latest last: a query asks of every row by the same few.
    static COMPILED: RefCell<Vec<(Arc<str>, Regex)>> = const { RefCell::new(Vec::new()) };
}

/// Null where either is no text.
pub(super) fn matches(_: Function, arguments: &[Value]) -> Result<Value> {
    let (Value::String(text), Value::String(pattern)) = (&arguments[0], &arguments[1]) else {
        return Ok(Value::Null);
    };
    COMPILED.with_borrow_mut(|compiled| {
        if compiled.last().is_none_or(|(own, _)| own != pattern) {
            let regex = match compiled.iter().position(|(own, _)| own == pattern) {
                Some(place) => compiled.remove(place).1,
                None => compile(pattern)?,
            };
            if limits::PATTERNS_CACHED_MAX <= compiled.len() {
                compiled.remove(0);
            }
            compiled.push((pattern.clone(), regex));
        }
        let found = compiled.last().is_some_and(|(_, regex)| regex.is_match(&**text));
        Ok(Value::Bool(found))
    })
}

fn compile(pattern: &str) -> Result<Regex> {
    if limits::PATTERN_BYTES_MAX < pattern.len() {
        let detail = format!("a pattern of more than {} bytes", limits::PATTERN_BYTES_MAX);
        return Err(millrace_model::Error::new(ErrorKind::LimitReached, detail));
    }
    let config = Regex::config()
        .nfa_size_limit(Some(limits::PATTERN_PROGRAM_BYTES_MAX))
        .hybrid_cache_capacity(limits::PATTERN_PROGRAM_BYTES_MAX);
    Regex::builder().configure(config).build(pattern).map_err(|error| {
        let detail = match error.syntax_error() {
            Some(syntax) => format!("this is not a pattern: {syntax}"),
            None => format!("this pattern cannot be used: {error}"),
        };
        bad(detail).with_help("patterns have no look-around and no references to groups")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::Function;

    fn matches(text: &str, pattern: &str) -> Result<Value> {
        Function::Matches.call(&[text.into(), pattern.into()])
    }

    #[test]
    fn a_pattern_is_found_anywhere_in_a_text() {
        for (text, pattern, found) in [
            ("marko", "^mar", true),
            ("marko", "rk", true),
            ("marko", "^rk", false),
            ("Tinker©", "Tinker.*\u{a9}", true),
            ("MARKO", "(?i)marko", true),
            ("", "", true),
        ] {
            assert_eq!(matches(text, pattern), Ok(Value::Bool(found)), "{pattern}");
        }
        let number = Function::Matches.call(&[Value::I64(1), "1".into()]);
        assert_eq!(number, Ok(Value::Null), "a number is no text");
    }

    #[test]
    fn patterns_that_take_more_than_linear_time_or_too_much_room_are_refused() {
        for pattern in ["(", r"(a)\1", "(?<=a)b", r"(\w{100}){100}{100}"] {
            matches("a", pattern).expect_err(pattern);
        }
        assert_eq!(matches(&"a".repeat(50_000), "(a*)*b"), Ok(Value::Bool(false)));
    }

    #[test]
    fn more_patterns_than_the_cache_holds_are_matched_in_turn() {
        for _ in 0..2 {
            for number in 0..2 * limits::PATTERNS_CACHED_MAX {
                let text = format!("x{number}y");
                assert_eq!(matches(&text, &format!("^x{number}y$")), Ok(Value::Bool(true)));
            }
        }
    }
}
