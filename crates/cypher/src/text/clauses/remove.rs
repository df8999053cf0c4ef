//! `REMOVE`: properties and labels.

use crate::text::error::{Detail, Read, syntax};
use crate::text::parser::Parser;
use crate::tree::{Clause, ExprKind, Remove, RemoveItem};

/// `REMOVE …`.
pub(super) fn read(parser: &mut Parser<'_>) -> Read<Clause> {
    let at = parser.position();
    parser.advance();
    let items = parser.list(read_item)?;
    Ok(Clause::Remove(Remove { at, items }))
}

fn read_item(parser: &mut Parser<'_>) -> Read<RemoveItem> {
    let target = parser.operand()?;
    match target.kind {
        ExprKind::Property(of, key) => Ok(RemoveItem::Property(*of, key)),
        ExprKind::Index(of, key) => Ok(RemoveItem::DynamicProperty(*of, *key)),
        ExprKind::Variable(variable) => {
            parser.expect_also(".");
            parser.expect_also(":");
            parser.expect_word("IS")?;
            Ok(RemoveItem::Labels(variable, parser.label_expression()?))
        }
        ExprKind::HasLabels(of, labels) => match of.kind {
            ExprKind::Variable(variable) => Ok(RemoveItem::Labels(variable, labels)),
            _ => Err(syntax(
                Detail::UnexpectedSyntax,
                of.at,
                "labels can only be removed from variables",
            )
            .with_help("write `REMOVE n:Label`")),
        },
        _ => {
            let detail = "only properties and labels can be removed";
            let wrong = syntax(Detail::UnexpectedSyntax, target.at, detail);
            Err(wrong.with_help("write `REMOVE n.key` or `REMOVE n:Label`"))
        }
    }
}
