//! Functions on text. Places and lengths count characters, not bytes.

use std::sync::Arc;

use millrace_model::{Result, Value};

use super::arguments::{bad, bound, bounded_list, check_bytes, int, misplaced, text};
use super::{Collation, Function};

/// The rows of this family; see `functions!`.
macro_rules! strings_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// Whether a text starts with another.
            StartsWith: [2, 2], ALL, Fails::Not { truth: true } => strings::test;
            /// Whether a text ends with another.
            EndsWith: [2, 2], ALL, Fails::Not { truth: true } => strings::test;
            /// Whether a text contains another.
            Contains: [2, 2], ALL, Fails::Not { truth: true } => strings::test;
            /// A text in upper case.
            Upper: [1, 1], ALL, Fails::May => strings::call;
            /// A text in lower case.
            Lower: [1, 1], ALL, Fails::May => strings::call;
            /// A text without white space at its ends.
            Trim: [1, 1], ALL, Fails::May => strings::call;
            /// A text without white space at its start.
            TrimStart: [1, 1], ALL, Fails::May => strings::call;
            /// A text without white space at its end.
            TrimEnd: [1, 1], ALL, Fails::May => strings::call;
            /// Characters of a text from a place on, so many or all.
            Substring(IndexMode): [2, 3], ALL, Fails::May => strings::call;
            /// Where a text is found in another, counted as the mode says; null if nowhere.
            Position(IndexMode): [2, 2], ALL, Fails::May => strings::call;
            /// The parts of a text between separators.
            Split: [2, 2], ALL, Fails::May => strings::call;
            /// A text with each occurrence of a second replaced by a third.
            Replace: [3, 3], ALL, Fails::May => strings::call;
            /// Texts as one.
            Concat: [0, MANY], ALL, Fails::May => strings::call;
            /// A text so many times.
            RepeatText: [2, 2], ALL, Fails::May => strings::call;
            /// A text by which texts are compared.
            CollationKey(Collation): [1, 1], ALL, Fails::May => strings::call;
            /// The parts of a text between white space.
            Words: [1, 1], ALL, Fails::May => strings::call;
        }
    };
}

/// A test of one text against another; null if either is no text.
pub(super) fn test(function: Function, arguments: &[Value]) -> Result<Value> {
    let (Some(text), Some(part)) = (arguments[0].as_str(), arguments[1].as_str()) else {
        return Ok(Value::Null);
    };
    Ok(Value::Bool(match function {
        Function::StartsWith => text.starts_with(part),
        Function::EndsWith => text.ends_with(part),
        Function::Contains => text.contains(part),
        other => return Err(misplaced(other)),
    }))
}

pub(super) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    if function == Function::Concat {
        return concat(function, arguments);
    }
    let own = text(function, &arguments[0])?;
    let string = |text: &str| Ok(Value::string(text));
    match function {
        Function::Upper => string(&own.to_uppercase()),
        Function::Lower | Function::CollationKey(Collation::CaseFold) => {
            string(&own.to_lowercase())
        }
        Function::CollationKey(Collation::CodePoint) => Ok(arguments[0].clone()),
        Function::Trim => string(own.trim()),
        Function::TrimStart => string(own.trim_start()),
        Function::TrimEnd => string(own.trim_end()),
        Function::Split => {
            let separator = text(function, &arguments[1])?;
            bounded_list(split(own, separator).map(Value::string).collect())
        }
        Function::Words => bounded_list(own.split_whitespace().map(Value::string).collect()),
        Function::Replace => {
            let (old, new) = (text(function, &arguments[1])?, text(function, &arguments[2])?);
            check_bytes(own.len().saturating_add(own.len().saturating_mul(new.len())))?;
            string(&own.replace(old, new))
        }
        Function::RepeatText => {
            let times = usize::try_from(int(function, &arguments[1])?)
                .map_err(|_| bad("a text is repeated no less than 0 times"))?;
            check_bytes(own.len().saturating_mul(times))?;
            string(&own.repeat(times))
        }
        Function::Substring(mode) => {
            let characters: Vec<char> = own.chars().collect();
            let start = bound(mode, int(function, &arguments[1])?, characters.len())?;
            let count = match arguments.get(2) {
                Some(count) => usize::try_from(int(function, count)?)
                    .map_err(|_| bad("a substring has no less than 0 characters"))?,
                None => usize::MAX,
            };
            let part = characters[start..].iter().take(count);
            Ok(Value::String(Arc::from(part.collect::<String>())))
        }
        Function::Position(mode) => {
            let part = text(function, &arguments[1])?;
            let before = own.find(part).map(|at| own[..at].chars().count());
            let place = |count: usize| {
                i64::try_from(count).unwrap_or(i64::MAX).saturating_add(i64::from(mode.first))
            };
            Ok(before.map_or(Value::Null, |count| Value::I64(place(count))))
        }
        other => Err(misplaced(other)),
    }
}

/// By an empty separator: each character.
fn split<'t>(own: &'t str, separator: &'t str) -> Box<dyn Iterator<Item = &'t str> + 't> {
    if separator.is_empty() {
        let ends = own.char_indices().map(|(at, letter)| &own[at..at + letter.len_utf8()]);
        return Box::new(ends);
    }
    Box::new(own.split(separator))
}

fn concat(function: Function, arguments: &[Value]) -> Result<Value> {
    let texts: Vec<&str> =
        arguments.iter().map(|argument| text(function, argument)).collect::<Result<_>>()?;
    check_bytes(texts.iter().map(|text| text.len()).sum())?;
    Ok(Value::string(&texts.concat()))
}
