//! Terms that only mutations have: `uid(v)` and `val(v)` of a query's variable, uids without `<>`, and blank nodes
//! inside `<>`.

use super::line::{Cursor, Forms};
use super::terms::{Node, NodeKind};
use crate::error::Fault;
use std::borrow::Cow;

/// In a mutation `<_:a>` is the blank node `_:a`, as Dgraph's old exports write it.
pub(super) fn node_of_iri(name: Cow<'_, str>) -> Node<'_> {
    let blank = name.strip_prefix("_:").map_or(0, str::len);
    if blank == 0 {
        return Node { kind: NodeKind::Iri, name };
    }
    let name = match name {
        Cow::Borrowed(name) => Cow::Borrowed(&name[name.len() - blank..]),
        Cow::Owned(mut name) => Cow::Owned(name.split_off(name.len() - blank)),
    };
    Node { kind: NodeKind::Blank, name }
}

/// `uid(v)`, or a uid without `<>`.
pub(super) fn parse_query_node<'a>(
    cursor: &mut Cursor<'a>,
    expected: &str,
) -> Result<Node<'a>, Fault> {
    if let Some(name) = parse_function(cursor, "uid")? {
        return Ok(Node { kind: NodeKind::Variable, name: Cow::Borrowed(name) });
    }
    let rest = &cursor.text[cursor.at..];
    let digits = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let node = Node { kind: NodeKind::Iri, name: Cow::Borrowed(&rest[..digits]) };
    if node.uid().is_none() {
        return Err(cursor.expected(expected));
    }
    cursor.at += digits;
    Ok(node)
}

/// `function(v)`, if the text goes on with it: the variable's name.
pub(super) fn parse_function<'a>(
    cursor: &mut Cursor<'a>,
    function: &str,
) -> Result<Option<&'a str>, Fault> {
    if !is_call(&cursor.text[cursor.at..], function) {
        return Ok(None);
    }
    cursor.at += function.len();
    cursor.skip_blanks();
    cursor.at += 1;
    cursor.skip_blanks();
    let is_name = |byte: u8| byte >= 0x80 || byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    let name = cursor.take_while(is_name);
    if name.is_empty() {
        return Err(cursor.expected("the name of a variable of the query"));
    }
    cursor.skip_blanks();
    if !cursor.take(b')') {
        return Err(cursor.expected("')' after the name of a variable"));
    }
    Ok(Some(name))
}

/// The variable of a text that is `function(v)` and nothing else.
pub(crate) fn parse_call<'a>(text: &'a str, function: &str) -> Option<&'a str> {
    let text = text.trim();
    let mut cursor = Cursor { text, at: 0, forms: Forms::Mutation };
    let name = parse_function(&mut cursor, function).ok().flatten();
    name.filter(|_| cursor.at == text.len())
}

/// Whether a text begins with a function's name and its parenthesis.
pub(super) fn is_call(text: &str, function: &str) -> bool {
    let after = text.strip_prefix(function);
    after.is_some_and(|after| after.trim_start_matches([' ', '\t']).starts_with('('))
}
