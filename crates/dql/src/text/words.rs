//! Words and names: `name`, `film.director`, `tweet-a`, `~friend`, `<any text>`; `$parameters`; tags of languages.

use super::cursor::Cursor;
use super::errors::Read;
use crate::tree::{Name, Offset};

/// A name, and whether it stood in angle brackets: then it is no keyword.
pub(crate) struct FoundName {
    pub(crate) name: Name,
    pub(crate) is_iri: bool,
}

impl FoundName {
    /// Whether it is a keyword, in any case.
    pub(crate) fn is_keyword(&self, word: &str) -> bool {
        !self.is_iri && self.name.text.eq_ignore_ascii_case(word)
    }
}

/// Whether a word may go on with a character.
fn is_word_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.')
}

/// The word that a text begins with; empty if there is none. `~` before it reverses a predicate, and is no word alone;
/// three dots spread a fragment, and belong to none.
pub(super) fn word_of(text: &str) -> &str {
    let bare = text.strip_prefix('~').unwrap_or(text);
    if !bare.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        return "";
    }
    let end = bare.find(|letter| !is_word_part(letter)).unwrap_or(bare.len());
    let end = bare.get(..end).and_then(|word| word.find("..")).unwrap_or(end);
    text.get(..text.len() - bare.len() + end).unwrap_or_default()
}

/// Whether a text is a word, and needs no angle brackets.
pub(crate) fn is_word(text: &str) -> bool {
    !text.is_empty() && word_of(text) == text
}

/// Whether a text can be a value without quotation marks and brackets.
pub(crate) fn is_bare(text: &str) -> bool {
    let mut rest = text.chars();
    let begins = |first: char| first.is_alphanumeric() || matches!(first, '_' | '.' | '-' | '+');
    !matches!(text, "-" | "+") && rest.next().is_some_and(begins) && rest.all(is_word_part)
}

/// A word without angle brackets.
///
/// # Errors
/// If there is none; `expected` says what it would be.
pub(crate) fn word<'t>(cursor: &mut Cursor<'t>, expected: &str) -> Read<(Offset, &'t str)> {
    let at = cursor.here();
    let word = word_of(cursor.rest());
    if word.is_empty() {
        return Err(cursor.unexpected(expected));
    }
    cursor.advance(word.len());
    Ok((at, word))
}

/// A name: a word, or any text in angle brackets.
///
/// # Errors
/// If there is none; `expected` says what it would be.
pub(crate) fn name(cursor: &mut Cursor<'_>, expected: &str) -> Read<FoundName> {
    if cursor.is('<') {
        let (at, text) = iri(cursor)?;
        return Ok(FoundName { name: Name { offset: at, text: text.to_owned() }, is_iri: true });
    }
    let (offset, text) = word(cursor, expected)?;
    Ok(FoundName { name: Name { offset, text: text.to_owned() }, is_iri: false })
}

/// `<text>`, without the brackets.
fn iri<'t>(cursor: &mut Cursor<'t>) -> Read<(Offset, &'t str)> {
    let at = cursor.here();
    cursor.advance(1);
    let text = cursor.take_while(|letter| !matches!(letter, '>' | '<' | '\n' | '\r'));
    if cursor.next_character() != Some('>') {
        return Err(cursor
            .error(at, "this name has no end")
            .with_help("close it with `>` on the same line"));
    }
    cursor.advance(1);
    if text.is_empty() || text == "~" {
        return Err(cursor.error(at, "this name has no characters"));
    }
    Ok((at, text))
}

/// `$name`, without the dollar.
pub(crate) fn parameter(cursor: &mut Cursor<'_>) -> Read<Name> {
    let at = cursor.here();
    if !cursor.take('$') {
        return Err(cursor.unexpected("a variable such as `$name`"));
    }
    // A second dollar is that of a slot for a literal.
    let is_literal = cursor.rest().starts_with('$');
    let mark = if is_literal { "$" } else { "" };
    cursor.advance(mark.len());
    let text = cursor.take_while(|letter| letter.is_alphanumeric() || letter == '_');
    if text.is_empty() {
        return Err(cursor.error(at, "`$` needs the name of a variable behind it"));
    }
    Ok(Name { offset: at, text: format!("{mark}{text}") })
}

/// A tag of a language, `.` for any, or `*` for all.
pub(crate) fn language(cursor: &mut Cursor<'_>) -> Read<String> {
    for any in ['.', '*'] {
        if cursor.take(any) {
            return Ok(any.to_string());
        }
    }
    cursor.here();
    let tag =
        cursor.take_while(|letter| letter.is_alphanumeric() || letter == '-' || letter == '_');
    if tag.is_empty() {
        return Err(cursor.unexpected("a directive, or a language such as `en`, `.` or `*`"));
    }
    Ok(tag.to_owned())
}
