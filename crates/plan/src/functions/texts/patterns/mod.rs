//! Regular expressions: whether one is found in a text, or matches all of it.
//!
//! Patterns come from clients, so each is matched in time linear in the text; a pattern that cannot be
//! (a look behind, a reference back) is refused. See decision 0053.

use std::cell::RefCell;
use std::sync::Arc;

use millrace_model::{ErrorKind, Result, Value};
use regex_automata::meta::Regex;

use crate::base::limits;

use crate::functions::Function;
use crate::functions::arguments::{bad, bounded_list, int, misplaced, text};

mod java;
mod parts;

/// The rows of this family; see `functions!`.
macro_rules! patterns_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// Whether a regular expression is found in a text.
            Matches: [2, 2], ALL, Fails::May => texts::patterns::matches;
            /// Whether a regular expression in the syntax of Java matches a whole text.
            MatchesWhole: [2, 2], ALL, Fails::May => texts::patterns::matches;
            /// A text with each match of a regular expression in the syntax of Java replaced; `$1` is its first group.
            ReplacePattern: [3, 3], ALL, Fails::May => texts::patterns::parts;
            /// The parts of a text between matches of such an expression, so many at most (0: all, but for empty ones
            /// at the end).
            SplitByPattern: [3, 3], ALL, Fails::May => texts::patterns::parts;
            /// Each match of such an expression in a text: it and its groups, as lists.
            PatternGroups: [2, 2], ALL, Fails::May => texts::patterns::parts;
        }
    };
}

thread_local! {
    /// The last patterns of this thread, the latest last: a query asks of every row by the same few.
    static COMPILED: RefCell<Vec<Compiled>> = const { RefCell::new(Vec::new()) };
}

struct Compiled {
    pattern: Arc<str>,
    syntax: Syntax,
    regex: Regex,
}

/// How a pattern is written, and what it matches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Syntax {
    /// As the matcher reads it, a part of a text.
    Plain,
    /// As Java writes it, a whole text.
    WholeJava,
    /// As Java writes it, a part of a text.
    Java,
}

/// Null where either is no text.
pub(in crate::functions) fn matches(function: Function, arguments: &[Value]) -> Result<Value> {
    let syntax = match function {
        Function::Matches => Syntax::Plain,
        Function::MatchesWhole => Syntax::WholeJava,
        other => return Err(misplaced(other)),
    };
    let (Value::String(text), Value::String(pattern)) = (&arguments[0], &arguments[1]) else {
        return Ok(Value::Null);
    };
    with_regex(pattern, syntax, |regex| Ok(Value::Bool(regex.is_match(&**text))))
}

/// Works with the question whether a pattern in the syntax of Java matches a whole text.
pub(in crate::functions) fn with_whole<T>(
    pattern: &Arc<str>,
    work: impl FnOnce(&mut dyn FnMut(&str) -> Result<bool>) -> Result<T>,
) -> Result<T> {
    with_regex(pattern, Syntax::WholeJava, |regex| work(&mut |text| Ok(regex.is_match(text))))
}

impl Function {
    /// A pattern of a function that tests texts by patterns, in the syntax of `regex-syntax`; `None` of another
    /// function. Fails where the function would.
    pub fn read_pattern(self, pattern: &Arc<str>) -> Result<Option<String>> {
        let syntax = match self {
            Function::Matches => Syntax::Plain,
            Function::MatchesWhole => Syntax::WholeJava,
            Function::TextTest(test) if test.is_pattern() => Syntax::WholeJava,
            _ => return Ok(None),
        };
        with_regex(pattern, syntax, |_| Ok(()))?;
        Ok(Some(match syntax {
            Syntax::WholeJava => java::whole(pattern)?,
            Syntax::Java => java::part(pattern)?,
            Syntax::Plain => pattern.to_string(),
        }))
    }
}

/// Functions on the matches of a pattern in a text.
pub(in crate::functions) fn parts(function: Function, arguments: &[Value]) -> Result<Value> {
    let own = text(function, &arguments[0])?;
    let Value::String(pattern) = &arguments[1] else {
        return Err(bad("a pattern is a text").with_name("InvalidArgumentType"));
    };
    with_regex(pattern, Syntax::Java, |regex| match function {
        Function::ReplacePattern => {
            let replaced = parts::replace(regex, own, text(function, &arguments[2])?)?;
            Ok(Value::string(&replaced))
        }
        Function::SplitByPattern => {
            bounded_list(parts::split(regex, own, int(function, &arguments[2])?)?)
        }
        Function::PatternGroups => bounded_list(parts::groups(regex, own)),
        other => Err(misplaced(other)),
    })
}

/// Compiles a pattern, or finds it among the last ones.
fn with_regex<T>(
    pattern: &Arc<str>,
    syntax: Syntax,
    work: impl FnOnce(&Regex) -> Result<T>,
) -> Result<T> {
    COMPILED.with_borrow_mut(|compiled| {
        let is_it = |known: &Compiled| known.syntax == syntax && known.pattern == *pattern;
        // The one used last is behind the others.
        let known = match compiled.iter().position(is_it) {
            Some(found) => compiled.remove(found),
            None => compile(pattern, syntax)?,
        };
        let done = work(&known.regex);
        if limits::PATTERNS_CACHED_MAX <= compiled.len() {
            compiled.remove(0);
        }
        compiled.push(known);
        done
    })
}

fn compile(pattern: &Arc<str>, syntax: Syntax) -> Result<Compiled> {
    if limits::PATTERN_BYTES_MAX < pattern.len() {
        let detail = format!("a pattern of more than {} bytes", limits::PATTERN_BYTES_MAX);
        return Err(millrace_model::Error::new(ErrorKind::LimitReached, detail));
    }
    let config = Regex::config()
        .nfa_size_limit(Some(limits::PATTERN_PROGRAM_BYTES_MAX))
        .hybrid_cache_capacity(limits::PATTERN_PROGRAM_BYTES_MAX);
    let builder = Regex::builder().configure(config).clone();
    let translated = match syntax {
        Syntax::WholeJava => Some(java::whole(pattern)?),
        Syntax::Java => Some(java::part(pattern)?),
        Syntax::Plain => None,
    };
    let regex = builder.build(translated.as_deref().unwrap_or(pattern));
    let regex = regex.map_err(|error| {
        // A message shows the pattern as it was asked, if that fails too.
        let own = translated.is_some().then(|| builder.build(pattern).err()).flatten();
        let error = own.unwrap_or(error);
        let detail = match error.syntax_error() {
            Some(syntax) => format!("this is not a pattern: {syntax}"),
            None => format!("this pattern cannot be used: {error}"),
        };
        bad(detail).with_help("patterns have no look-around and no references to groups")
    })?;
    Ok(Compiled { pattern: pattern.clone(), syntax, regex })
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
    fn a_pattern_of_java_matches_a_whole_text() {
        for (text, pattern, matches) in [
            ("marko", "mar", false),
            ("marko", "mar.*", true),
            ("ab", "a|ab", true),
            ("abc", "a|ab", false),
            ("b", "a|b", true),
            ("MARKO", "(?i)marko", true),
            ("a\nb", "a.b", false),
            ("a\rb", "a.b", false),
            ("a\nb", "(?s)a.b", true),
            ("a.b*", r"\Qa.b*\E", true),
            ("a.b*", r"\Qa.b*", true),
            ("axb", r"\Qa.b\E", false),
            ("2024-02", r"\d{4}-\d{2}", true),
            ("٣", r"\d", false),
            ("ä", r"\w", false),
            ("ä", r"\p{L}", true),
            ("ä", r"\p{IsAlphabetic}", true),
            ("ä", r"\p{Lower}", false),
            ("a", r"[\p{Lower}]", true),
            ("A", r"\P{Lower}", true),
            ("-", r"[\w-]", true),
            ("c", "[a-z&&[^b]]", true),
            ("b", "[a-z&&[^b]]", false),
            (":", "[:a]", true),
            ("<a>", r"\<a\>", true),
            ("\u{a0}", r"\h", true),
            ("\r\n", r"\R", true),
            ("A", r"\0101", true),
            ("A", r"\u0041", true),
            ("a", r"a\Z", true),
            ("é", "(?iu)É", true),
            ("a b", r"a\ b", true),
            ("", "", true),
            ("aa", "(?<letter>a)+?", true),
        ] {
            let found = Function::MatchesWhole.call(&[text.into(), pattern.into()]);
            assert_eq!(found, Ok(Value::Bool(matches)), "{text} =~ {pattern}");
        }
        for pattern in ["a)|(b", "(", "(?=a)", "(?<!a)b", r"(a)\1", "a*+", "a{2}+", "a\\", r"\0"] {
            let found = Function::MatchesWhole.call(&["a".into(), pattern.into()]);
            found.expect_err(pattern);
        }
        let number = Function::MatchesWhole.call(&[Value::I64(1), "1".into()]);
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
