//! Texts in another case or another code, how alike they are, and their characters.

use std::collections::HashMap;

use millrace_model::{Error, ErrorKind, Result, Value, query_limits};

use crate::base::limits;
use crate::functions::arguments::{bad, bounded_list, check_bytes, int, misplaced, text};
use crate::functions::texts::codes;
use crate::functions::{Function, TextDistance, WordCase};

/// The rows of this family; see `functions!`.
macro_rules! text_edits_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// The words of a text in a case.
            InCase(WordCase): [1, 1], ALL, Fails::May => texts::text_edits::call;
            /// A text in a code.
            Encode(TextCode): [1, 1], ALL, Fails::May => texts::text_edits::call;
            /// The text that a code means.
            Decode(TextCode): [1, 1], ALL, Fails::May => texts::text_edits::call;
            /// How far two texts are from each other, or how alike.
            TextsApart(TextDistance): [2, 2], ALL, Fails::May => texts::text_edits::distance;
            /// Whether one text becomes another by at most so many edits of a character.
            WithinEdits: [3, 3], ALL, Fails::May => texts::text_edits::within_edits;
            /// The words of a text with another text between them: letters, digits and `_` make words.
            Slug: [2, 2], ALL, Fails::May => texts::text_edits::call;
            /// The place of a text, from 0, where another is found between two places (-1: the end); -1 where it is not.
            FindText: [4, 4], ALL, Fails::May => texts::text_edits::find;
            /// All such places.
            FindAllTexts: [4, 4], ALL, Fails::May => texts::text_edits::find;
            /// The code point of the character at a place; null where there is none.
            CodeAt: [2, 2], ALL, Fails::May => texts::text_edits::call;
            /// A whole number in base 16, of 8 or 16 digits.
            Hexadecimal: [1, 1], ALL, Fails::May => texts::text_edits::hexadecimal;
            /// The bytes of a text in UTF-8, as numbers.
            Utf8: [1, 1], ALL, Fails::May => texts::text_edits::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let own = text(function, &arguments[0])?;
    check_bytes(own.len().saturating_mul(3))?;
    match function {
        Function::InCase(case) => Ok(Value::string(&in_case(case, own))),
        Function::Encode(code) => Ok(Value::string(&codes::encode(code, own))),
        Function::Decode(code) => codes::decode(code, own).map(|decoded| Value::string(&decoded)),
        Function::Slug => {
            let between = text(function, &arguments[1])?;
            let words = own.split(|own: char| !(own.is_alphanumeric() || own == '_'));
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            check_bytes(own.len() + words.len().saturating_mul(between.len()))?;
            Ok(Value::string(&words.join(between)))
        }
        Function::CodeAt => {
            let place = usize::try_from(int(function, &arguments[1])?).ok();
            let code = place.and_then(|place| own.chars().nth(place));
            Ok(code.map_or(Value::Null, |code| Value::I64(i64::from(u32::from(code)))))
        }
        Function::Utf8 => bounded_list(own.bytes().map(|byte| Value::I64(i64::from(byte)))),
        other => Err(misplaced(other)),
    }
}

pub(in crate::functions) fn hexadecimal(function: Function, arguments: &[Value]) -> Result<Value> {
    let number = int(function, &arguments[0])?;
    Ok(Value::string(&match u32::try_from(number) {
        Ok(number) => format!("{number:08X}"),
        Err(_) => format!("{number:016X}"),
    }))
}

/// Places count characters.
pub(in crate::functions) fn find(function: Function, arguments: &[Value]) -> Result<Value> {
    let (own, part) = (text(function, &arguments[0])?, text(function, &arguments[1])?);
    let count = own.chars().count();
    let place = |value: &Value| Ok(usize::try_from(int(function, value)?).ok());
    let from = place(&arguments[2])?.unwrap_or(0).min(count);
    let to = place(&arguments[3])?.unwrap_or(count).min(count);
    let byte = |place: usize| own.char_indices().nth(place).map_or(own.len(), |(at, _)| at);
    let inner = if from < to { &own[byte(from)..byte(to)] } else { "" };
    let mut found = Vec::new();
    let (mut places, mut behind) = (from, 0);
    for (at, _) in inner.match_indices(part) {
        places += inner[behind..at].chars().count();
        behind = at;
        found.push(Value::I64(i64::try_from(places).unwrap_or(i64::MAX)));
        if function == Function::FindText {
            break;
        }
    }
    match function {
        Function::FindText => Ok(found.pop().unwrap_or(Value::I64(-1))),
        _ => bounded_list(found),
    }
}

pub(in crate::functions) fn distance(function: Function, arguments: &[Value]) -> Result<Value> {
    let Function::TextsApart(distance) = function else { return Err(misplaced(function)) };
    let (one, other) = (text(function, &arguments[0])?, text(function, &arguments[1])?);
    if limits::SIMILARITY_STEPS_MAX < one.len().saturating_mul(other.len()) {
        let detail = "texts that are too long to be compared character by character";
        return Err(Error::new(ErrorKind::LimitReached, detail));
    }
    let integer = |count: usize| Value::I64(i64::try_from(count).unwrap_or(i64::MAX));
    Ok(match distance {
        TextDistance::Levenshtein => integer(strsim::levenshtein(one, other)),
        TextDistance::Hamming => {
            let differ = strsim::hamming(one, other);
            integer(differ.map_err(|_| bad("these texts are not equally long"))?)
        }
        TextDistance::JaroWinkler => Value::F64(1.0 - strsim::jaro_winkler(one, other)),
        TextDistance::SorensenDice => Value::F64(sorensen_dice(one, other)),
    })
}

/// Only characters that are at most as far apart as there may be edits are compared.
pub(in crate::functions) fn within_edits(function: Function, arguments: &[Value]) -> Result<Value> {
    let (one, other) = (text(function, &arguments[0])?, text(function, &arguments[1])?);
    let Ok(most) = usize::try_from(int(function, &arguments[2])?) else {
        return Ok(Value::Bool(false));
    };
    // A character has at most four bytes: most texts of another length need not be read.
    let is_longer = |one: &str, other: &str| other.len().saturating_add(most) < one.len() / 4;
    if is_longer(one, other) || is_longer(other, one) {
        return Ok(Value::Bool(false));
    }
    let (rows, columns) = (one.chars().count(), other.chars().count());
    if most < rows.abs_diff(columns) {
        return Ok(Value::Bool(false));
    }
    check_bytes(columns.saturating_mul(size_of::<char>() + size_of::<usize>()))?;
    let other: Vec<char> = other.chars().collect();
    let most = most.min(rows.max(columns));
    let beyond = most + 1;
    // The edits from the characters of one so far to the first of the other.
    let mut edits: Vec<usize> = (0..=columns).map(|column| column.min(beyond)).collect();
    for (row, own) in (1_usize..).zip(one.chars()) {
        let first = row.saturating_sub(most).max(1);
        let last = columns.min(row + most);
        query_limits::step((last + 1).saturating_sub(first) as u64)?;
        let mut diagonal = edits[first - 1];
        edits[first - 1] = if first == 1 { row.min(beyond) } else { beyond };
        let mut least = edits[first - 1];
        for column in first..=last {
            let replaced = diagonal + usize::from(own != other[column - 1]);
            diagonal = edits[column];
            let moved = diagonal.min(edits[column - 1]) + 1;
            edits[column] = replaced.min(moved).min(beyond);
            least = least.min(edits[column]);
        }
        if most < least {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(edits[columns] <= most))
}

/// Twice the common pairs of letters of words, by all of these pairs.
fn sorensen_dice(one: &str, other: &str) -> f64 {
    let pairs = |own: &str| {
        let own = own.to_lowercase();
        let mut pairs = Vec::new();
        for word in own.split_whitespace() {
            let letters: Vec<char> = word.chars().collect();
            pairs.extend(letters.windows(2).map(|pair| (pair[0], pair[1])));
        }
        pairs
    };
    let (one, other) = (pairs(one), pairs(other));
    let count = one.len() + other.len();
    let mut left: HashMap<(char, char), usize> = HashMap::new();
    for pair in one {
        *left.entry(pair).or_default() += 1;
    }
    let mut common = 0_usize;
    for pair in other {
        if let Some(own) = left.get_mut(&pair).filter(|own| 0 < **own) {
            *own -= 1;
            common += 1;
        }
    }
    if count == 0 { 0.0 } else { 2.0 * common as f64 / count as f64 }
}

fn in_case(case: WordCase, own: &str) -> String {
    let rest_lower = |word: &str| first_letter(&word.to_lowercase(), true);
    match case {
        WordCase::Capitalize => first_letter(own, true),
        WordCase::Decapitalize => first_letter(own, false),
        WordCase::CapitalizeAll => each_word(own, true),
        WordCase::DecapitalizeAll => each_word(own, false),
        WordCase::Swap => own.chars().map(swapped).collect(),
        WordCase::UpperCamel => words(own).map(rest_lower).collect(),
        WordCase::Camel => {
            let upper: String = words(own).map(rest_lower).collect();
            first_letter(&upper, false)
        }
        WordCase::Snake => parts(own).join("-").to_lowercase(),
        WordCase::UpperUnderscore => parts(own).join("_").to_uppercase(),
    }
}

fn words(own: &str) -> impl Iterator<Item = &str> {
    own.split(|own: char| !own.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Words, and in these a part from each letter on that is in upper case; a text in upper case has none.
fn parts(own: &str) -> Vec<String> {
    if !own.chars().any(char::is_lowercase) {
        return words(own).map(str::to_owned).collect();
    }
    let mut parts: Vec<String> = Vec::new();
    for word in words(own) {
        for (place, letter) in word.chars().enumerate() {
            if place == 0 || letter.is_uppercase() {
                parts.push(String::new());
            }
            if let Some(last) = parts.last_mut() {
                last.push(letter);
            }
        }
    }
    parts
}

fn first_letter(own: &str, upper: bool) -> String {
    let mut letters = own.chars();
    let Some(first) = letters.next() else { return String::new() };
    let first: String =
        if upper { first.to_uppercase().collect() } else { first.to_lowercase().collect() };
    first + letters.as_str()
}

/// White space stays as it is.
fn each_word(own: &str, upper: bool) -> String {
    own.split_inclusive(char::is_whitespace).map(|word| first_letter(word, upper)).collect()
}

fn swapped(letter: char) -> String {
    if letter.is_uppercase() {
        letter.to_lowercase().collect()
    } else {
        letter.to_uppercase().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_within_as_many_edits_as_they_are_apart() {
        let within = |one: &str, other: &str, most: i64| {
            let found = Function::WithinEdits.call(&[one.into(), other.into(), most.into()]);
            found.expect("they are texts") == Value::Bool(true)
        };
        let texts =
            ["", "a", "kitten", "sitting", "Saturday", "Sunday", "naïve", "nave", "aaaa", "abab"];
        for one in texts {
            for other in texts {
                let apart = strsim::levenshtein(one, other) as i64;
                for most in 0..10 {
                    assert_eq!(within(one, other, most), apart <= most, "{one} {other} {most}");
                }
                assert!(within(one, other, i64::MAX) && !within(one, other, -1));
            }
        }
        let long = "abc".repeat(100_000);
        assert!(within(&long, &format!("x{long}"), 1));
        assert!(!within(&long, &format!("x{long}y"), 1) && !within(&long, "abc", 8));
    }

    #[test]
    fn words_are_put_together_in_a_case() {
        for (case, own, expected) in [
            (WordCase::Camel, "FOO_BAR", "fooBar"),
            (WordCase::Camel, "Foo22 bar", "foo22Bar"),
            (WordCase::Camel, "Foobar", "foobar"),
            (WordCase::Camel, "Foo$$Bar", "fooBar"),
            (WordCase::UpperCamel, "foo-bar", "FooBar"),
            (WordCase::Snake, "test Snake Case", "test-snake-case"),
            (WordCase::Snake, "fooBar", "foo-bar"),
            (WordCase::Snake, "FOO_BAR", "foo-bar"),
            (WordCase::UpperUnderscore, "Foo$$Bar", "FOO_BAR"),
            (WordCase::CapitalizeAll, "graph  database", "Graph  Database"),
            (WordCase::DecapitalizeAll, "Graph Database", "graph database"),
            (WordCase::Decapitalize, "Graph Database", "graph Database"),
            (WordCase::Swap, "Neo4j", "nEO4J"),
        ] {
            assert_eq!(in_case(case, own), expected, "{case:?} {own}");
        }
    }

    #[test]
    fn common_pairs_of_letters_make_texts_alike() {
        let alike = sorensen_dice("belly", "jolly");
        assert_eq!(alike, 0.5);
        assert_eq!(sorensen_dice("", "a"), 0.0);
    }
}
