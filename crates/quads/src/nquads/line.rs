//! One line to one statement that adds. A line without a statement (blank, or only a comment) is not an error.
//!
//! Statements that delete or that need a query are refused by name here; [`super::parse_statements`] reads them.

use super::facets::{Facet, parse_facets};
use super::literal::{Literal, parse_literal};
use super::terms::{Node, parse_iri, parse_node};
use crate::error::Fault;
use std::borrow::Cow;

/// A statement of a vertex's edge or value, borrowing from its text.
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
    /// `val(v)`: the value that a query found for the subject. Not in a load.
    Variable {
        /// `v`.
        name: Cow<'a, str>,
        /// The language of the predicate.
        language: Option<&'a str>,
    },
}

/// Which statements a text may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forms {
    /// Those that add, between vertices with names.
    Load,
    /// Those that delete too, and those about what a query found.
    Mutation,
}

/// A position in a text that ends with the line. Parsers move it forward and never back.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) forms: Forms,
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

    /// "expected X, found Y" at the present position.
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
    let mut cursor = Cursor { text: line, at: 0, forms: Forms::Load };
    cursor.skip_blanks();
    if matches!(cursor.peek(), None | Some(b'#')) {
        return Ok(None);
    }
    let subject = parse_node(&mut cursor, "a subject, <name> or _:name")?;
    let predicate = parse_predicate(&mut cursor)?;
    let object = parse_object(&mut cursor)?;
    let mut quad = Quad { subject, predicate, object, facets: Vec::new(), graph: None };
    parse_end(&mut cursor, &mut quad.facets, &mut quad.graph)?;
    expect_line_end(&mut cursor)?;
    Ok(Some(quad))
}

pub(super) fn parse_predicate<'a>(cursor: &mut Cursor<'a>) -> Result<Cow<'a, str>, Fault> {
    cursor.skip_blanks();
    match cursor.peek() {
        Some(b'<') => parse_iri(cursor),
        Some(b'*') if cursor.forms == Forms::Load => Err(refuse_delete(cursor)),
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

/// Label and facets in either order, then the full stop.
pub(super) fn parse_end<'a>(
    cursor: &mut Cursor<'a>,
    facets: &mut Vec<Facet<'a>>,
    graph: &mut Option<Node<'a>>,
) -> Result<(), Fault> {
    loop {
        cursor.skip_blanks();
        match cursor.peek() {
            Some(b'.') => break,
            Some(b'(') if facets.is_empty() => *facets = parse_facets(cursor)?,
            Some(b'<' | b'_') if graph.is_none() => {
                *graph = Some(parse_node(cursor, "a graph label")?);
            }
            _ => return Err(cursor.expected("'.' at the end of the statement")),
        }
    }
    cursor.at += 1;
    Ok(())
}

/// At most a comment.
pub(super) fn expect_line_end(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
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
