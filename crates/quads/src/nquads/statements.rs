//! A text of a mutation to its statements, one by one. They stand on a line each, with comments between them, either
//! alone or inside the braces of a block. A fault's position is that in the whole text.

use super::facets::Facet;
use super::line::{Cursor, Forms, Object, Quad, expect_line_end, parse_end, parse_predicate};
use super::literal::parse_literal;
use super::terms::{Node, parse_node};
use super::variables::parse_function;
use crate::error::Fault;
use std::borrow::Cow;

/// A statement of a mutation, which sets or deletes it. Those with `*` have a meaning only where they delete.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement<'a> {
    /// One edge or one value.
    Quad(Quad<'a>),
    /// `<s> <p> *`, `<s> <p@en> *`: all edges and values of one predicate.
    AllValues {
        /// Their vertex.
        subject: Node<'a>,
        /// Their predicate.
        predicate: Cow<'a, str>,
        /// Only values of this language.
        language: Option<&'a str>,
    },
    /// `<s> * *`: all edges and values of a vertex.
    AllPredicates {
        /// The vertex.
        subject: Node<'a>,
    },
}

/// The statements of a text, in their order. After a fault there are no more.
#[derive(Debug)]
pub struct Statements<'a> {
    text: &'a str,
    at: usize,
    in_block: bool,
    failed: bool,
}

/// The statements of a text that has nothing else.
pub fn parse_statements(text: &str) -> Statements<'_> {
    Statements { text, at: 0, in_block: false, failed: false }
}

/// The statements of a block, from the byte behind its `{` up to its `}`, or to the end of a text without one. Where
/// they ended, [`Statements::at`] says.
pub fn parse_block(text: &str, at: usize) -> Statements<'_> {
    Statements { text, at, in_block: true, failed: !text.is_char_boundary(at) }
}

impl<'a> Statements<'a> {
    /// The byte that is read next: at the end, that of the `}` of a block, or the length of the text.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Moves over blanks, line ends and comments.
    fn skip(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'#' => self.at = line_end(bytes, self.at),
                _ => return,
            }
        }
    }

    fn read(&mut self) -> Result<Statement<'a>, Fault> {
        let end = line_end(self.text.as_bytes(), self.at);
        let line = self.text[..end].strip_suffix('\r').unwrap_or(&self.text[..end]);
        let mut cursor = Cursor { text: line, at: self.at, forms: Forms::Mutation };
        let statement = parse_statement(&mut cursor)?;
        cursor.skip_blanks();
        if !(self.in_block && cursor.peek() == Some(b'}')) {
            expect_line_end(&mut cursor)?;
        }
        self.at = cursor.at;
        Ok(statement)
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = Result<Statement<'a>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        self.skip();
        match self.text.as_bytes().get(self.at) {
            None => return None,
            Some(b'}') if self.in_block => return None,
            Some(_) => {}
        }
        let read = self.read();
        self.failed = read.is_err();
        Some(read)
    }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    memchr::memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |length| from + length)
}

fn parse_statement<'a>(cursor: &mut Cursor<'a>) -> Result<Statement<'a>, Fault> {
    let subject = parse_node(cursor, "a subject, <name>, _:name or uid(v)")?;
    cursor.skip_blanks();
    if cursor.take(b'*') {
        cursor.skip_blanks();
        if !cursor.take(b'*') {
            return Err(cursor.expected("'*' after the predicate '*', as in <name> * *"));
        }
        parse_star_end(cursor)?;
        return Ok(Statement::AllPredicates { subject });
    }
    let (predicate, language) = parse_tagged_predicate(cursor)?;
    cursor.skip_blanks();
    if cursor.take(b'*') {
        parse_star_end(cursor)?;
        return Ok(Statement::AllValues { subject, predicate, language });
    }
    let object = parse_object(cursor, language)?;
    let mut quad = Quad { subject, predicate, object, facets: Vec::new(), graph: None };
    parse_end(cursor, &mut quad.facets, &mut quad.graph)?;
    Ok(Statement::Quad(quad))
}

/// The rest of a statement after its last `*`.
fn parse_star_end(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    let at = cursor.at;
    let (mut facets, mut graph): (Vec<Facet<'_>>, Option<Node<'_>>) = (Vec::new(), None);
    parse_end(cursor, &mut facets, &mut graph)?;
    match facets.is_empty() {
        true => Ok(()),
        false => Err(Fault::new(at, "'*' stands for all values, which have no facets here")),
    }
}

/// `<name>` or `<name@en>`.
fn parse_tagged_predicate<'a>(
    cursor: &mut Cursor<'a>,
) -> Result<(Cow<'a, str>, Option<&'a str>), Fault> {
    cursor.skip_blanks();
    let open = cursor.at;
    let name = parse_predicate(cursor)?;
    // A tag has no escapes, so it is the same in the text as in the name.
    let written = &cursor.text[open + 1..cursor.at - 1];
    let (_, language) = split_language(written);
    let Some(tag) = language else { return Ok((name, None)) };
    let key_bytes = name.len() - tag.len() - 1;
    let key = match name {
        Cow::Borrowed(name) => Cow::Borrowed(&name[..key_bytes]),
        Cow::Owned(mut name) => {
            name.truncate(key_bytes);
            Cow::Owned(name)
        }
    };
    Ok((key, language))
}

/// `name@en` as its two parts. What stands behind the last `@` is a language only if it may be one.
pub(crate) fn split_language(name: &str) -> (&str, Option<&str>) {
    let is_tag = |tag: &str| {
        !tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    match name.rsplit_once('@') {
        Some((key, tag)) if !key.is_empty() && is_tag(tag) => (key, Some(tag)),
        // `name@` of JSON is the untagged value.
        Some((key, "")) if !key.is_empty() => (key, None),
        _ => (name, None),
    }
}

/// `language` is that of the predicate.
fn parse_object<'a>(
    cursor: &mut Cursor<'a>,
    language: Option<&'a str>,
) -> Result<Object<'a>, Fault> {
    let at = cursor.at;
    if cursor.peek() == Some(b'"') {
        let mut literal = parse_literal(cursor)?;
        if language.is_some() && literal.language.is_some() {
            return Err(Fault::new(
                at,
                "the language stands in the predicate already: leave this one out",
            ));
        }
        literal.language = literal.language.or(language);
        return Ok(Object::Literal(literal));
    }
    if let Some(variable) = parse_function(cursor, "val")? {
        return Ok(Object::Variable { name: Cow::Borrowed(variable), language });
    }
    if language.is_some() {
        return Err(cursor.expected("\"text\", val(v) or '*' after a predicate with a language"));
    }
    let expected = "an object, <name>, _:name, \"text\", uid(v), val(v) or '*'";
    Ok(Object::Node(parse_node(cursor, expected)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nquads::NodeKind;

    fn all(text: &str) -> Vec<Statement<'_>> {
        parse_statements(text).map(|read| read.unwrap()).collect()
    }

    fn refuse(text: &str) -> (usize, String) {
        let fault = parse_statements(text).find_map(Result::err).unwrap();
        (fault.at, fault.detail)
    }

    fn iri(name: &str) -> Node<'_> {
        Node { kind: NodeKind::Iri, name: name.into() }
    }

    #[test]
    fn statements_stand_on_lines_between_comments() {
        let text = "# first\r\n\t<1> <p> _:b . # an edge\r\n\n  _:b <p> \"x\" (k=1) <g> .\n#end";
        let read = all(text);
        let [Statement::Quad(edge), Statement::Quad(value)] = &read[..] else { panic!("{read:?}") };
        assert_eq!(edge.object, Object::Node(Node { kind: NodeKind::Blank, name: "b".into() }));
        assert_eq!((value.facets[0].key, &value.graph), ("k", &Some(iri("g"))));
        assert_eq!(all(" \n#\n\t"), []);
    }

    #[test]
    fn stars_delete_values_and_predicates() {
        let read = all("<1> <p> * .\n<1> <p@en> *.\n0x1f * * .");
        let (subject, predicate) = (iri("1"), Cow::Borrowed("p"));
        let values = |language| Statement::AllValues {
            subject: subject.clone(),
            predicate: predicate.clone(),
            language,
        };
        let everything = Statement::AllPredicates { subject: iri("0x1f") };
        assert_eq!(read, [values(None), values(Some("en")), everything]);
        let (at, detail) = refuse("<a> <p> <b> .\n* <p> <b> .");
        assert_eq!((at, &*detail), (14, "expected a subject, <name>, _:name or uid(v), found '*'"));
        assert_eq!(refuse("<a> * <b> .").0, 6);
        assert_eq!(refuse("<a> <p> * (k=1) .").0, 9);
    }

    #[test]
    fn variables_of_a_query_are_nodes_and_values() {
        let read = all("uid(v) <p> uid ( w ) .\nuid(v) <q> val(x) .\nuid(v) <q@de> val(x) .");
        let [Statement::Quad(edge), Statement::Quad(value), Statement::Quad(tagged)] = &read[..]
        else {
            panic!("{read:?}")
        };
        let variable = |name: &'static str| Node { kind: NodeKind::Variable, name: name.into() };
        assert_eq!((&edge.subject, &edge.object), (&variable("v"), &Object::Node(variable("w"))));
        let value_of = |language| Object::Variable { name: "x".into(), language };
        assert_eq!((&value.object, &tagged.object), (&value_of(None), &value_of(Some("de"))));
        for text in ["uid() <p> <b> .", "uid(v <p> <b> .", "val(v) <p> <b> .", "<a> val(v) <b> ."] {
            refuse(text);
        }
    }

    #[test]
    fn a_uid_is_no_name() {
        let uid = |name: &str| iri(name).uid();
        assert_eq!((uid("0x1f"), uid("31"), uid("0X1F")), (Some(31), Some(31), Some(31)));
        assert_eq!(uid("0xffffffffffffffff"), Some(u64::MAX));
        for name in ["0", "0x0", "0x", "", "010", "+1", "0x+1", "1a", "m.0", "0x1ffffffffffffffff"]
        {
            assert_eq!(uid(name), None, "{name}");
        }
        assert_eq!(Node { kind: NodeKind::Blank, name: "31".into() }.uid(), None);
        assert_eq!(refuse("31x <p> <b> .").0, 0);
    }

    #[test]
    fn a_blank_node_may_stand_in_brackets() {
        let read = all("<_:a> <p> <_:\\u0062> .\n<_:> <p> _:c .");
        let [Statement::Quad(first), Statement::Quad(second)] = &read[..] else {
            panic!("{read:?}")
        };
        let blank = |name: &'static str| Node { kind: NodeKind::Blank, name: name.into() };
        assert_eq!((&first.subject, &first.object), (&blank("a"), &Object::Node(blank("b"))));
        assert_eq!(second.subject, iri("_:"));
    }

    #[test]
    fn a_language_may_stand_in_the_predicate() {
        let read = all("<1> <na\\u006De@zh-Hant> \"x\" .\n<1> <a@b.c> \"y\"@de .");
        let [Statement::Quad(first), Statement::Quad(second)] = &read[..] else {
            panic!("{read:?}")
        };
        let Object::Literal(literal) = &first.object else { panic!("{first:?}") };
        assert_eq!((&*first.predicate, literal.language), ("name", Some("zh-Hant")));
        assert_eq!(&*second.predicate, "a@b.c");
        assert_eq!(refuse("<1> <p@en> \"x\"@en .").0, 11);
        assert_eq!(refuse("<1> <p@en> <b> .").0, 11);
    }

    #[test]
    fn a_block_ends_at_its_brace() {
        let text = "{ set { <1> <p> \"}\" . } }";
        let mut block = parse_block(text, 7);
        assert!(matches!(block.next(), Some(Ok(Statement::Quad(_)))));
        assert_eq!((block.next(), block.at()), (None, 22));
        let mut block = parse_block("<1> <p> <2> .", 0);
        assert!(block.next().unwrap().is_ok());
        assert_eq!((block.next(), block.at()), (None, 13));
        assert_eq!(refuse("<1> <p> <2> . }").0, 14);
    }

    #[test]
    fn a_fault_has_its_position_in_the_whole_text_and_is_the_last() {
        let text = "<1> <p> \"é\" .\n<1> <é> \"open .\n<1> <p> <2> .";
        let mut statements = parse_statements(text);
        assert!(statements.next().unwrap().is_ok());
        let fault = statements.next().unwrap().unwrap_err();
        let position = fault.position(text);
        assert_eq!((position.line, position.column), (2, 9), "{fault}");
        assert_eq!(statements.next(), None);
    }
}
