//! `SET`: properties and labels.

use crate::text::error::{Detail, Read, syntax};
use crate::text::parser::Parser;
use crate::tree::{Clause, ExprKind, Set, SetItem, Variable};

/// `SET …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    let items = parser.list(read_item)?;
    Ok(Clause::Set(Set { at, items }))
}

/// An item of `SET`.
pub(super) fn read_item(parser: &mut Parser<'_>) -> Read<SetItem> {
    let target = parser.operand()?;
    match target.kind {
        ExprKind::Property(of, key) => {
            parser.expect("=")?;
            Ok(SetItem::Property(*of, key, parser.expression()?))
        }
        ExprKind::Index(of, key) => {
            parser.expect("=")?;
            Ok(SetItem::DynamicProperty(*of, *key, parser.expression()?))
        }
        ExprKind::Variable(variable) => of_variable(parser, variable),
        ExprKind::HasLabels(of, labels) => match of.kind {
            ExprKind::Variable(variable) => Ok(SetItem::Labels(variable, labels)),
            _ => {
                Err(syntax(Detail::UnexpectedSyntax, of.at, "labels can only be set on variables")
                    .with_help("write `SET n:Label`"))
            }
        },
        _ => {
            let detail = "only properties and labels can be set";
            let wrong = syntax(Detail::UnexpectedSyntax, target.at, detail);
            Err(wrong.with_help("write `SET n.key = value`, `SET n += map` or `SET n:Label`"))
        }
    }
}

fn of_variable(parser: &mut Parser<'_>, variable: Variable) -> Read<SetItem> {
    if parser.take("=") {
        return Ok(SetItem::Replace(variable, parser.expression()?));
    }
    if parser.take("+=") {
        return Ok(SetItem::Add(variable, parser.expression()?));
    }
    parser.expect_also(".");
    parser.expect_also(":");
    parser.expect_word("IS")?;
    Ok(SetItem::Labels(variable, parser.label_expression()?))
}
