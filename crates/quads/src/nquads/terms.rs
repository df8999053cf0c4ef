//! Names of vertices and predicates: `<iri>` and `_:blank`. An IRI may be relative, so nearly any text
//! is a name; a name is refused only if its end would be ambiguous. In mutations also `uid(v)`, `val(v)` and uids
//! without `<>`.

use super::line::{Cursor, Forms, refuse_delete};
use super::literal::parse_unicode_escape;
use super::variables::{is_call, node_of_iri, parse_query_node};
use crate::error::Fault;
use std::borrow::Cow;

/// How a vertex is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// By an IRI: a load stores the name as the vertex's `xid`. It may be a uid: [`Node::uid`].
    Iri,
    /// By a blank node: the name holds only within one load or one request.
    Blank,
    /// By `uid(v)`: all vertices of a query's variable. Not in a load.
    Variable,
}

/// A vertex by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<'a> {
    /// Which kind of name.
    pub kind: NodeKind,
    /// The name, without `<>`, `_:` or `uid()`.
    pub name: Cow<'a, str>,
}

impl Node<'_> {
    /// The uid that the name of an IRI spells: `0x1f` or `31`. None for other names, for 0, and for digits after a 0.
    pub fn uid(&self) -> Option<u64> {
        if self.kind != NodeKind::Iri {
            return None;
        }
        let hex = self.name.strip_prefix("0x").or_else(|| self.name.strip_prefix("0X"));
        let uid = match hex {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                u64::from_str_radix(digits, 16)
            }
            None if self.name.starts_with(|first: char| matches!(first, '1'..='9')) => {
                self.name.parse()
            }
            _ => return None,
        };
        uid.ok().filter(|uid| *uid != 0)
    }
}

/// Bytes that end a run of plain IRI text: `>`, `\`, and those that the grammar forbids.
const IRI_STOP: [bool; 256] = {
    let mut stop = [false; 256];
    let mut byte = 0;
    while byte <= 0x20 {
        stop[byte] = true;
        byte += 1;
    }
    let others = b"<>\"{}|^`\\";
    let mut i = 0;
    while i < others.len() {
        stop[others[i] as usize] = true;
        i += 1;
    }
    stop
};

pub(super) fn parse_node<'a>(cursor: &mut Cursor<'a>, expected: &str) -> Result<Node<'a>, Fault> {
    match cursor.peek() {
        Some(b'<') => {
            let name = parse_iri(cursor)?;
            Ok(match cursor.forms {
                Forms::Load => Node { kind: NodeKind::Iri, name },
                Forms::Mutation => node_of_iri(name),
            })
        }
        Some(b'_') => Ok(Node { kind: NodeKind::Blank, name: Cow::Borrowed(parse_blank(cursor)?) }),
        _ if cursor.forms == Forms::Mutation => parse_query_node(cursor, expected),
        Some(b'*') => Err(refuse_delete(cursor)),
        _ => Err(refuse_function(cursor).unwrap_or_else(|| cursor.expected(expected))),
    }
}

/// `<…>`, with the cursor on `<`.
pub(super) fn parse_iri<'a>(cursor: &mut Cursor<'a>) -> Result<Cow<'a, str>, Fault> {
    let open = cursor.at;
    cursor.at += 1;
    let plain = cursor.take_while(|byte| !IRI_STOP[usize::from(byte)]);
    let name = match cursor.peek() {
        Some(b'>') => Cow::Borrowed(plain),
        _ => Cow::Owned(parse_escaped_iri(cursor, plain, open)?),
    };
    cursor.at += 1;
    if name.is_empty() {
        return Err(Fault::new(open, "expected a name between '<' and '>', found none"));
    }
    Ok(name)
}

#[cold]
fn parse_escaped_iri(cursor: &mut Cursor<'_>, plain: &str, open: usize) -> Result<String, Fault> {
    let mut name = plain.to_string();
    loop {
        match cursor.peek() {
            Some(b'>') => return Ok(name),
            Some(b'\\') => name.push(parse_unicode_escape(cursor)?),
            None => return Err(Fault::new(open, "expected '>' to close this '<', found none")),
            Some(_) => return Err(cursor.expected("'>' or a character allowed in an IRI")),
        }
        name.push_str(cursor.take_while(|byte| !IRI_STOP[usize::from(byte)]));
    }
}

/// `_:name`, with the cursor on `_`. A dot at the end is the statement's, not the name's.
fn parse_blank<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, Fault> {
    cursor.at += 1;
    if !cursor.take(b':') {
        return Err(cursor.expected("':' after '_' (blank nodes are _:name)"));
    }
    let start = cursor.at;
    let is_name =
        |byte: u8| byte >= 0x80 || byte.is_ascii_alphanumeric() || b"_-.:".contains(&byte);
    let name = cursor.take_while(is_name).trim_end_matches('.');
    cursor.at = start + name.len();
    if name.is_empty() {
        return Err(cursor.expected("a name after '_:'"));
    }
    Ok(name)
}

/// `uid(v)` and `val(v)` belong to upserts.
#[cold]
fn refuse_function(cursor: &Cursor<'_>) -> Option<Fault> {
    let rest = &cursor.text[cursor.at..];
    let function = ["uid", "val"].into_iter().find(|name| is_call(rest, name))?;
    Some(Fault::new(
        cursor.at,
        format!("'{function}(…)' belongs to an upsert, and a load has no query: name the vertex"),
    ))
}
