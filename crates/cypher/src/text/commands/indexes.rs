//! `CREATE INDEX`.

use millrace_model::{Error, TextPosition};

use super::{read_if_not_exists, read_options};
use crate::text::error::{Detail, Read, syntax};
use crate::text::parser::Parser;
use crate::tree::{Command, CreateIndex, IndexKind, LabelExpr, Name, On, SchemaName, Variable};

/// The kinds by the word before `INDEX`.
const KINDS: [(&str, IndexKind); 6] = [
    ("RANGE", IndexKind::Range),
    ("TEXT", IndexKind::Text),
    ("POINT", IndexKind::Point),
    ("LOOKUP", IndexKind::Lookup),
    ("FULLTEXT", IndexKind::Fulltext),
    ("VECTOR", IndexKind::Vector),
];

/// The kind ahead, if it is written.
pub(super) fn read_kind(parser: &mut Parser<'_>) -> Option<IndexKind> {
    let known = KINDS.iter().find(|(word, _)| parser.take_word(word));
    known.map(|(_, kind)| *kind)
}

/// `[kind] INDEX …` behind `CREATE`.
pub(super) fn read_create(parser: &mut Parser<'_>, at: TextPosition) -> Read<Command> {
    // The default of versions before 5; range indexes took its place.
    if parser.are_words(&["BTREE", "INDEX"]) {
        parser.advance();
    }
    let written = read_kind(parser);
    let (kind, says_kind) = (written.unwrap_or(IndexKind::Range), written.is_some());
    parser.expect_word("INDEX")?;
    if kind == IndexKind::Range && parser.is_word("ON") && parser.is_mark_after(1, ":") {
        return read_old_form(parser, at).map(Command::CreateIndex);
    }
    let name = SchemaName::read_maybe(parser, "the name of an index")?;
    let if_not_exists = read_if_not_exists(parser)?;
    parser.expect_word("FOR")?;
    let element = Element::read(parser)?;
    parser.expect_word("ON")?;
    let keys = match kind {
        IndexKind::Lookup => read_lookup(parser, &element)?,
        IndexKind::Fulltext => {
            parser.expect_word("EACH")?;
            parser.expect("[")?;
            let keys = parser.list(|parser| element.read_key(parser))?;
            parser.expect("]")?;
            keys
        }
        IndexKind::Range | IndexKind::Text | IndexKind::Point | IndexKind::Vector => {
            element.read_keys(parser)?
        }
    };
    let options = read_options(parser)?;
    let is_relationship = element.is_relationship;
    let on = element.on(kind == IndexKind::Lookup, kind == IndexKind::Fulltext)?;
    let index = CreateIndex {
        at,
        kind,
        says_kind,
        name,
        if_not_exists,
        on,
        is_relationship,
        keys,
        options,
    };
    Ok(Command::CreateIndex(index))
}

/// `ON EACH labels(n)`, `ON EACH type(r)`: no keys.
fn read_lookup(parser: &mut Parser<'_>, element: &Element) -> Read<Vec<Name>> {
    parser.take_word("EACH");
    parser.expect_word(if element.is_relationship { "type" } else { "labels" })?;
    parser.expect("(")?;
    element.read_variable(parser)?;
    parser.expect(")")?;
    Ok(Vec::new())
}

/// `ON :Label(key)`, as versions before 5 had it: an existing one is left as it is, as in those versions.
pub(super) fn read_old_form(parser: &mut Parser<'_>, at: TextPosition) -> Read<CreateIndex> {
    parser.expect_word("ON")?;
    parser.expect(":")?;
    let on = vec![On::Node(parser.name("a label")?)];
    parser.expect("(")?;
    let keys = parser.list(|parser| parser.name("a key"))?;
    parser.expect(")")?;
    let (kind, name, options) = (IndexKind::Range, None, None);
    let (says_kind, if_not_exists, is_relationship) = (false, true, false);
    Ok(CreateIndex { at, kind, says_kind, name, if_not_exists, on, is_relationship, keys, options })
}

/// `(n:Label)`, `()-[r:TYPE]-()` behind `FOR`.
pub(super) struct Element {
    at: TextPosition,
    variable: Variable,
    labels: Option<LabelExpr>,
    is_relationship: bool,
}

impl Element {
    pub(super) fn read(parser: &mut Parser<'_>) -> Read<Element> {
        let at = parser.position();
        parser.expect("(")?;
        let is_relationship = parser.take(")");
        if is_relationship {
            parser.take("<");
            parser.expect("-")?;
            parser.expect("[")?;
        }
        let variable = parser.variable()?;
        let labels = match parser.take(":") || parser.take_word("IS") {
            true => Some(parser.label_expression()?),
            false => None,
        };
        if !is_relationship {
            parser.expect(")")?;
            return Ok(Element { at, variable, labels, is_relationship });
        }
        parser.expect("]")?;
        parser.expect("-")?;
        parser.take(">");
        parser.expect("(")?;
        parser.expect(")")?;
        Ok(Element { at, variable, labels, is_relationship })
    }

    /// `(n.a, n.b)`, or `n.a` alone.
    pub(super) fn read_keys(&self, parser: &mut Parser<'_>) -> Read<Vec<Name>> {
        if !parser.take("(") {
            return Ok(vec![self.read_key(parser)?]);
        }
        let keys = parser.list(|parser| self.read_key(parser))?;
        parser.expect(")")?;
        Ok(keys)
    }

    /// `n.key`.
    pub(super) fn read_key(&self, parser: &mut Parser<'_>) -> Read<Name> {
        self.read_variable(parser)?;
        parser.expect(".")?;
        parser.name("a key")
    }

    fn read_variable(&self, parser: &mut Parser<'_>) -> Read<()> {
        let variable = parser.variable()?;
        if variable.name == self.variable.name {
            return Ok(());
        }
        let detail = format!("the variable `{}` is not defined", variable.name);
        let wrong = syntax(Detail::UnexpectedSyntax, variable.at, detail);
        Err(wrong.with_help(format!("write `{}`", self.variable.name)))
    }

    /// The labels or types: none, several or one.
    fn on(self, may_be_none: bool, may_be_several: bool) -> Read<Vec<On>> {
        let is_relationship = self.is_relationship;
        let on = |name| if is_relationship { On::Relationship(name) } else { On::Node(name) };
        match self.labels {
            None if may_be_none => Ok(Vec::new()),
            Some(LabelExpr::Name(_, name)) if !may_be_none => Ok(vec![on(name)]),
            Some(LabelExpr::Or(labels)) if may_be_several => {
                let names = labels.into_iter().map(|label| match label {
                    LabelExpr::Name(_, name) => Ok(on(name)),
                    _ => Err(not_plain(self.at)),
                });
                names.collect()
            }
            None | Some(_) => Err(not_plain(self.at)),
        }
    }

    /// The one label or type.
    pub(super) fn single(self) -> Read<On> {
        let at = self.at;
        self.on(false, false)?.pop().ok_or_else(|| not_plain(at))
    }
}

fn not_plain(at: TextPosition) -> Error {
    let detail = "the labels or types of this schema are of another form";
    let help = "write `FOR (n:Label)` or `FOR ()-[r:TYPE]-()`; a lookup index has none, a \
                full-text index may have several: `(n:A|B)`";
    syntax(Detail::UnexpectedSyntax, at, detail).with_help(help)
}
