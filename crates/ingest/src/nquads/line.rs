//! One line to one statement. A line without a statement (blank, or only a comment) is not an error.

use super::facets::{Facet, parse_facets};
use super::literal::{Literal, parse_literal};
use super::terms::{Node, parse_iri, parse_node};
use crate::error::Fault;
use std::borrow::Cow;

/// A statement, borrowing from its line.
#[derive(Clone, Debug, PartialEq)]
pub struct Quad<'a> {
    /// The vertex that the statement describes.
    pub subject: Node<'a>,
    /// The edge type or property key.
    pub predicate: Cow<'a, str>,
    /// The edge's target or the property's value.
    pub object: Object<'a>,
    /// `(k=v, …)`, in their order.
    pub facets: Vec<Facet<'a>>,
    /// The graph label, which the property graph has no place for.
    pub graph: Option<Node<'a>>,
}

/// The third term of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Object<'a> {
    /// Another vertex.
    Node(Node<'a>),
    /// A value.
    Literal(Literal<'a>),
}

/// A place in a line. Parsers move it forward and never back.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Moves over bytes while `accepts` holds, and returns them.
    #[inline]
    pub(super) fn take_while(&mut self, accepts: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&accepts) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// "expected X, found Y" at the present place.
    #[cold]
    pub(super) fn expected(&self, what: &str) -> Fault {
        let found = match self.text[self.at..].chars().next() {
            None => "the end of the line".to_string(),
            Some(c) => format!("'{}'", c.escape_debug()),
        };
        Fault::new(self.at, format!("expected {what}, found {found}"))
    }
}

/// Reads one line (without its line end). `None`: nothing to read on it.
pub fn parse_line(line: &str) -> Result<Option<Quad<'_>>, Fault> {
    let mut cursor = Cursor { text: line, at: 0 };
    cursor.skip_blanks();
    if matches!(cursor.peek(), None | Some(b'#')) {
        return Ok(None);
    }
    let subject = parse_node(&mut cursor, "a subject, <name> or _:name")?;
    let predicate = parse_predicate(&mut cursor)?;
    let object = parse_object(&mut cursor)?;
    let mut quad = Quad { subject, predicate, object, facets: Vec::new(), graph: None };
    parse_end(&mut cursor, &mut quad)?;
    Ok(Some(quad))
}

fn parse_predicate<'a>(cursor: &mut Cursor<'a>) -> Result<Cow<'a, str>, Fault> {
    cursor.skip_blanks();
    match cursor.peek() {
        Some(b'<') => parse_iri(cursor),
        Some(b'*') => Err(refuse_delete(cursor)),
        _ => Err(cursor.expected("a predicate, <name>")),
    }
}

fn parse_object<'a>(cursor: &mut Cursor<'a>) -> Result<Object<'a>, Fault> {
    cursor.skip_blanks();
    if cursor.peek() == Some(b'"') {
        return Ok(Object::Literal(parse_literal(cursor)?));
    }
    Ok(Object::Node(parse_node(cursor, "an object, <name>, _:name or \"text\"")?))
}

/// Label and facets in either order, then the full stop, then at most a comment.
fn parse_end<'a>(cursor: &mut Cursor<'a>, quad: &mut Quad<'a>) -> Result<(), Fault> {
    loop {
        cursor.skip_blanks();
        match cursor.peek() {
            Some(b'.') => break,
            Some(b'(') if quad.facets.is_empty() => quad.facets = parse_facets(cursor)?,
            Some(b'<' | b'_') if quad.graph.is_none() => {
                quad.graph = Some(parse_node(cursor, "a graph label")?);
            }
            _ => return Err(cursor.expected("'.' at the end of the statement")),
        }
    }
    cursor.at += 1;
    cursor.skip_blanks();
    match cursor.peek() {
        None | Some(b'#') => Ok(()),
        Some(_) => Err(cursor.expected("the end of the line (one statement per line)")),
    }
}

#[cold]
pub(super) fn refuse_delete(cursor: &Cursor<'_>) -> Fault {
    Fault::new(cursor.at, "'*' deletes, and a load only adds: remove this statement")
}
