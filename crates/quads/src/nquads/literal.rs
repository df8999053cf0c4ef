//! Quoted text with escapes, its language or its datatype. Copies only when an escape is met.

use super::datatype::Datatype;
use super::line::Cursor;
use super::terms::parse_iri;
use crate::error::Fault;
use std::borrow::Cow;

/// A literal as written; [`Datatype::parse`] turns typed text into a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal<'a> {
    /// The text, unescaped.
    pub text: Cow<'a, str>,
    /// `@en`, without the `@`.
    pub language: Option<&'a str>,
    /// From `^^<…>`, or the type of a value of JSON; [`Datatype::String`] where none is given.
    pub datatype: Datatype,
    /// Whether the type stands with it, also that of a string: that of `"x"` alone is left open.
    pub is_typed: bool,
    /// A datatype that is not known; [`Literal::datatype`] is then a string.
    pub unknown_type: Option<Box<UnknownType>>,
    /// Byte of the N-Quads where the text starts, for later complaints about it; 0 for a value of JSON.
    pub at: usize,
}

impl<'a> Literal<'a> {
    /// A text without a language, of a datatype that is known.
    pub fn new(text: impl Into<Cow<'a, str>>, datatype: Datatype) -> Self {
        let is_typed = datatype != Datatype::String;
        Self { text: text.into(), language: None, datatype, is_typed, unknown_type: None, at: 0 }
    }

    /// A text that is a string, where its type was said.
    pub fn string(text: impl Into<Cow<'a, str>>) -> Self {
        Self { is_typed: true, ..Self::new(text, Datatype::String) }
    }

    /// Whether it is GeoJSON.
    pub fn is_geometry(&self) -> bool {
        self.datatype == Datatype::Geometry
    }
}

/// A datatype whose texts are read where its values are known: passwords, types of users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownType {
    /// Its name, without `<>`.
    pub name: Box<str>,
    /// Byte of the N-Quads where it stands; 0 for a value of JSON.
    pub at: usize,
}

/// With the cursor on the opening quote.
pub(super) fn parse_literal<'a>(cursor: &mut Cursor<'a>) -> Result<Literal<'a>, Fault> {
    let at = cursor.at;
    let text = parse_quoted(cursor)?;
    let (language, datatype, unknown_type) = (None, Datatype::String, None);
    let is_typed = cursor.peek() == Some(b'^');
    let mut literal = Literal { text, language, datatype, is_typed, unknown_type, at };
    match cursor.peek() {
        Some(b'@') => literal.language = Some(parse_language(cursor)?),
        Some(b'^') => match parse_datatype(cursor)? {
            Ok(datatype) => literal.datatype = datatype,
            Err(unknown) => literal.unknown_type = Some(Box::new(unknown)),
        },
        _ => {}
    }
    Ok(literal)
}

/// `"…"`, with the cursor on the opening quote.
pub(super) fn parse_quoted<'a>(cursor: &mut Cursor<'a>) -> Result<Cow<'a, str>, Fault> {
    let open = cursor.at;
    cursor.at += 1;
    let plain = take_plain(cursor, open)?;
    if cursor.take(b'"') {
        return Ok(Cow::Borrowed(plain));
    }
    let mut text = plain.to_string();
    loop {
        text.push(parse_escape(cursor)?);
        text.push_str(take_plain(cursor, open)?);
        if cursor.take(b'"') {
            return Ok(Cow::Owned(text));
        }
    }
}

/// Text up to the next quote or backslash, which must come.
fn take_plain<'a>(cursor: &mut Cursor<'a>, open: usize) -> Result<&'a str, Fault> {
    let rest = &cursor.text[cursor.at..];
    let length = memchr::memchr2(b'"', b'\\', rest.as_bytes())
        .ok_or_else(|| Fault::new(open, "expected '\"' to close this text, found none"))?;
    cursor.at += length;
    Ok(&rest[..length])
}

/// One escape, with the cursor on the backslash.
fn parse_escape(cursor: &mut Cursor<'_>) -> Result<char, Fault> {
    let plain = match cursor.text.as_bytes().get(cursor.at + 1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'\'') => '\'',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        // Older exports of Dgraph quote as Go does.
        Some(b'v') => '\u{b}',
        Some(b'a') => '\u{7}',
        _ => return parse_unicode_escape(cursor),
    };
    cursor.at += 2;
    Ok(plain)
}

/// `\uXXXX` or `\UXXXXXXXX`, with the cursor on the backslash.
pub(super) fn parse_unicode_escape(cursor: &mut Cursor<'_>) -> Result<char, Fault> {
    let open = cursor.at;
    let digits = match cursor.text.as_bytes().get(open + 1) {
        Some(b'x') => 2,
        Some(b'u') => 4,
        Some(b'U') => 8,
        _ => {
            return Err(Fault::new(
                open,
                "expected an escape after '\\': one of t b n r f v a \" ' \\ xXX uXXXX UXXXXXXXX",
            ));
        }
    };
    let hex = cursor.text.get(open + 2..open + 2 + digits);
    let code = hex
        .filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .and_then(|hex| u32::from_str_radix(hex, 16).ok())
        .ok_or_else(|| Fault::new(open, format!("expected {digits} hexadecimal digits here")))?;
    if digits == 2 && 0x7f < code {
        return Err(Fault::new(open, "\\x80 to \\xFF are not characters: write \\uXXXX"));
    }
    cursor.at += 2 + digits;
    char::from_u32(code).ok_or_else(|| {
        Fault::new(open, format!("{code:X} is not a character (half of a pair? write \\UXXXXXXXX)"))
    })
}

/// `@en`, with the cursor on `@`.
fn parse_language<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, Fault> {
    cursor.at += 1;
    let language = cursor.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if language.is_empty() {
        return Err(cursor.expected("a language after '@', as in @en or @zh-Hant"));
    }
    Ok(language)
}

/// `^^<type>`, with the cursor on the first `^`; the inner error is a type that is not known.
fn parse_datatype(cursor: &mut Cursor<'_>) -> Result<Result<Datatype, UnknownType>, Fault> {
    cursor.at += 1;
    if !cursor.take(b'^') || cursor.peek() != Some(b'<') {
        return Err(cursor.expected("a datatype, ^^<name>"));
    }
    let at = cursor.at;
    let name = parse_iri(cursor)?;
    Ok(Datatype::from_name(&name).ok_or_else(|| UnknownType { name: name.into(), at }))
}

/// Writes text as a literal's inside, so that [`super::parse_line`] reads the same text back.
pub fn escape_into(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
}
