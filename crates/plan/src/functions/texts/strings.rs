//! Functions on text. Places and lengths count characters, not bytes.

use std::collections::HashSet;

use millrace_model::{Error, ErrorKind, Result, Value, query_limits};
use unicode_normalization::UnicodeNormalization;

use crate::base::limits;
use crate::functions::arguments::{bad, bounded_list, check_bytes, int, misplaced, text};
use crate::functions::{Collation, Function, NormalForm, Which};

/// The rows of this family; see `functions!`.
macro_rules! strings_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// Whether a text starts with another.
            StartsWith: [2, 2], ALL, Fails::Not { truth: true } => texts::strings::test;
            /// Whether a text ends with another.
            EndsWith: [2, 2], ALL, Fails::Not { truth: true } => texts::strings::test;
            /// Whether a text contains another.
            Contains: [2, 2], ALL, Fails::Not { truth: true } => texts::strings::test;
            /// A text in upper case.
            Upper: [1, 1], ALL, Fails::May => texts::strings::call;
            /// A text in lower case.
            Lower: [1, 1], ALL, Fails::May => texts::strings::call;
            /// A text without white space at its ends, or without the characters of another text.
            Trim: [1, 2], ALL, Fails::May => texts::strings::call;
            /// The same at its start.
            TrimStart: [1, 2], ALL, Fails::May => texts::strings::call;
            /// The same at its end.
            TrimEnd: [1, 2], ALL, Fails::May => texts::strings::call;
            /// Characters of a text from a place on, so many or all.
            Substring(IndexMode): [2, 3], ALL, Fails::May => texts::strings::call;
            /// The last characters of a text, so many or all.
            LastCharacters: [2, 2], ALL, Fails::May => texts::strings::call;
            /// A text as long as asked, by another text again and again before it (`First`) or behind it; a longer
            /// text as it is.
            Pad(Which): [3, 3], ALL, Fails::May => texts::strings::call;
            /// Where a text is found in another, counted as the mode says; null if nowhere.
            Position(IndexMode): [2, 2], ALL, Fails::May => texts::strings::call;
            /// The parts of a text between separators, which are all the same text or those of a list.
            Split: [2, 2], ALL, Fails::May => texts::strings::call;
            /// A text with each occurrence of a second replaced by a third, or the first so many.
            Replace: [3, 4], ALL, Fails::May => texts::strings::call;
            /// Texts as one.
            Concat: [0, MANY], ALL, Fails::May => texts::strings::call;
            /// A text so many times.
            RepeatText: [2, 2], ALL, Fails::May => texts::strings::call;
            /// A text by which texts are compared.
            CollationKey(Collation): [1, 1], ALL, Fails::May => texts::strings::call;
            /// A text in a normal form of Unicode.
            Normalize(NormalForm): [1, 1], ALL, Fails::May => texts::strings::call;
            /// Whether a text is in a normal form of Unicode; null of any other value.
            IsNormalized(NormalForm): [1, 1], ALL, Fails::Not { truth: true } => texts::strings::is_normalized;
            /// How alike two texts are, from 0 to 1: the share of characters that need no edit.
            Similarity: [2, 2], ALL, Fails::May => texts::strings::call;
            /// The letters and digits of a text, in lower case.
            LettersAndDigits: [1, 1], ALL, Fails::May => texts::strings::call;
            /// The parts of a text between white space.
            Words: [1, 1], ALL, Fails::May => texts::strings::call;
        }
    };
}

/// A test of one text against another; null if either is no text.
pub(in crate::functions) fn test(function: Function, arguments: &[Value]) -> Result<Value> {
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

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    if function == Function::Concat {
        return concat(function, arguments);
    }
    let own = text(function, &arguments[0])?;
    let string = |text: &str| Ok(Value::string(text));
    match function {
        function if function.makes_text() => {
            let mut made = String::new();
            function.write_text(own, &arguments[1..], &mut made)?;
            string(&made)
        }
        Function::CollationKey(Collation::CodePoint) => Ok(arguments[0].clone()),
        Function::Split => match &arguments[1] {
            Value::List(separators) if separators.contains(&Value::Null) => Ok(Value::Null),
            Value::List(separators) => {
                let separators = separators.iter().map(|separator| text(function, separator));
                split_by_any(own, &separators.collect::<Result<Vec<_>>>()?)
            }
            separator => {
                let separator = text(function, separator)?;
                bounded_list(split(own, separator).map(Value::string))
            }
        },
        Function::Normalize(form) => string(&normal_form(form, own)?),
        Function::Similarity => similarity(own, text(function, &arguments[1])?),
        Function::LettersAndDigits => {
            let kept = own.chars().filter(|character| character.is_alphanumeric());
            string(&kept.collect::<String>().to_lowercase())
        }
        Function::Words => bounded_list(own.split_whitespace().map(Value::string)),
        Function::Pad(which) => {
            let count = character_count(function, &arguments[1])?;
            pad(which, own, count, text(function, &arguments[2])?)
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

fn normal_form(form: NormalForm, own: &str) -> Result<String> {
    check_bytes(own.len())?;
    let mut normal = String::new();
    for character in normalized(form, own) {
        query_limits::step(1)?;
        if normal.len() == normal.capacity() {
            check_bytes(normal.len())?;
        }
        normal.push(character);
    }
    check_bytes(normal.len())?;
    Ok(normal)
}

fn similarity(own: &str, other: &str) -> Result<Value> {
    if limits::SIMILARITY_STEPS_MAX < own.len().saturating_mul(other.len()) {
        let detail = "texts that are too long to be compared character by character";
        return Err(Error::new(ErrorKind::LimitReached, detail));
    }
    Ok(Value::F64(strsim::normalized_levenshtein(own, other)))
}

/// So many characters from one on; `None`: all that are left.
pub(super) fn substring(own: &str, start: usize, count: Option<i64>) -> Result<&str> {
    let count = match count {
        Some(count) => {
            usize::try_from(count).map_err(|_| bad("a substring has no less than 0 characters"))?
        }
        None => usize::MAX,
    };
    let place =
        |text: &str, count: usize| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    let rest = &own[place(own, start)..];
    Ok(&rest[..place(rest, count)])
}

/// Whether a text is in a normal form; null of what is no text.
pub(in crate::functions) fn is_normalized(
    function: Function,
    arguments: &[Value],
) -> Result<Value> {
    let Function::IsNormalized(form) = function else { return Err(misplaced(function)) };
    let Some(own) = arguments[0].as_str() else { return Ok(Value::Null) };
    Ok(Value::Bool(normalized(form, own).eq(own.chars())))
}

fn normalized(form: NormalForm, own: &str) -> Box<dyn Iterator<Item = char> + '_> {
    match form {
        NormalForm::Nfc => Box::new(own.nfc()),
        NormalForm::Nfd => Box::new(own.nfd()),
        NormalForm::Nfkc => Box::new(own.nfkc()),
        NormalForm::Nfkd => Box::new(own.nfkd()),
    }
}

/// A number of characters or occurrences, which is not below 0.
pub(super) fn character_count(function: Function, count: &Value) -> Result<usize> {
    let count = int(function, count)?;
    usize::try_from(count)
        .map_err(|_| bad(format!("{function} takes a number from 0 on, not {count}")))
}

/// Without white space, or without some characters, at the ends that the function names.
pub(super) fn trimmed<'t>(function: Function, own: &'t str, characters: Option<&str>) -> &'t str {
    let characters = characters.map(|characters| characters.chars().collect::<HashSet<char>>());
    let is_gone = |character: char| match &characters {
        Some(characters) => characters.contains(&character),
        None => character.is_whitespace(),
    };
    match function {
        Function::TrimStart => own.trim_start_matches(is_gone),
        Function::TrimEnd => own.trim_end_matches(is_gone),
        _ => own.trim_matches(is_gone),
    }
}

fn pad(which: Which, own: &str, count: usize, padding: &str) -> Result<Value> {
    let missing = count.saturating_sub(own.chars().count());
    if missing == 0 || padding.is_empty() {
        return Ok(Value::string(own));
    }
    check_bytes(own.len().saturating_add(missing.saturating_mul(padding.len())))?;
    let padding: String = padding.chars().cycle().take(missing).collect();
    Ok(Value::string(&match which {
        Which::First => padding + own,
        Which::Last => own.to_owned() + &padding,
    }))
}

/// Of separators that begin at one character, the first in the list; an empty one separates nothing.
fn split_by_any(own: &str, separators: &[&str]) -> Result<Value> {
    if !separators.is_empty() && separators.iter().all(|separator| separator.is_empty()) {
        return bounded_list(split(own, "").map(Value::string));
    }
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(character) = own[at..].chars().next() {
        query_limits::step(separators.len() as u64)?;
        let is_here =
            |separator: &&&str| !separator.is_empty() && own[at..].starts_with(**separator);
        match separators.iter().find(is_here) {
            Some(separator) => {
                parts.push(Value::string(&own[start..at]));
                at += separator.len();
                start = at;
            }
            None => at += character.len_utf8(),
        }
    }
    parts.push(Value::string(&own[start..]));
    bounded_list(parts)
}

/// By an empty separator: each character. The empty text is its own only part.
fn split<'t>(own: &'t str, separator: &'t str) -> Box<dyn Iterator<Item = &'t str> + 't> {
    if own.is_empty() {
        return Box::new(std::iter::once(own));
    }
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
