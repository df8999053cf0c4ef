//! `CREATE CONSTRAINT`.

use millrace_model::TextPosition;

use super::indexes::Element;
use super::{read_if_not_exists, read_options};
use crate::text::error::Read;
use crate::text::parser::Parser;
use crate::tree::{Command, CreateConstraint, MaybeName, Requirement, SchemaName};

/// `CONSTRAINT …` behind `CREATE`.
pub(super) fn read_create(parser: &mut Parser<'_>, at: TextPosition) -> Read<Command> {
    parser.advance();
    let has_name = !(parser.is_word("ON") && parser.is_mark_after(1, "("));
    let name = match has_name {
        true => SchemaName::read_maybe(parser, "the name of a constraint")?,
        false => None,
    };
    let if_not_exists = read_if_not_exists(parser)?;
    if parser.is_word("ON") {
        return read_old_form(parser, at, name).map(Command::CreateConstraint);
    }
    parser.expect_word("FOR")?;
    let element = Element::read(parser)?;
    if parser.is_word("ASSERT") {
        let help = "write `REQUIRE` after `FOR`, and `ASSERT` after `ON`";
        return Err(parser.refused(parser.position(), "`FOR … ASSERT` is not supported", help));
    }
    parser.expect_word("REQUIRE")?;
    let keys = element.read_keys(parser)?;
    let requires = Requirement::read(parser)?;
    let options = read_options(parser)?;
    let on = element.single()?;
    let constraint = CreateConstraint { at, name, if_not_exists, on, keys, requires, options };
    Ok(Command::CreateConstraint(constraint))
}

/// `ON … ASSERT …`, as versions before 5 had it: an existing one is left as it is, as in those versions.
pub(super) fn read_old_form(
    parser: &mut Parser<'_>,
    at: TextPosition,
    name: MaybeName,
) -> Read<CreateConstraint> {
    parser.expect_word("ON")?;
    let element = Element::read(parser)?;
    parser.expect_word("ASSERT")?;
    let (keys, requires) = if parser.is_word("exists") && parser.is_mark_after(1, "(") {
        parser.advance();
        parser.expect("(")?;
        let key = element.read_key(parser)?;
        parser.expect(")")?;
        (vec![key], Requirement::Exists)
    } else {
        (element.read_keys(parser)?, Requirement::read(parser)?)
    };
    let (on, if_not_exists, options) = (element.single()?, true, None);
    Ok(CreateConstraint { at, name, if_not_exists, on, keys, requires, options })
}

impl Requirement {
    fn read(parser: &mut Parser<'_>) -> Read<Requirement> {
        if parser.take("::") {
            return parser.type_name().map(Requirement::Type);
        }
        parser.expect_word("IS")?;
        if parser.take("::") || parser.take_word("TYPED") {
            return parser.type_name().map(Requirement::Type);
        }
        if parser.take_words(&["NOT", "NULL"]) {
            return Ok(Requirement::Exists);
        }
        if !parser.take_word("NODE") {
            parser.take_one_of(&["RELATIONSHIP", "REL"]);
        }
        if parser.take_word("UNIQUE") {
            return Ok(Requirement::Unique);
        }
        parser.expect_word("KEY")?;
        Ok(Requirement::Key)
    }
}
