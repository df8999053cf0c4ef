//! `type`: the nodes of a type, which is a label.

use millrace_model::Result;
use millrace_plan::{ColumnId, Expr};

use crate::schema::HIDDEN_LABEL;
use crate::translate::levels::Comes;
use crate::translate::translator::Translator;
use crate::tree::{Argument, Function, ValueKind};

pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let label = name(translator, function)?;
    if label == HIDDEN_LABEL {
        return Ok(Expr::literal(false));
    }
    Ok(Expr::HasLabel { vertex: Box::new(Expr::Column(node)), label: label.into() })
}

pub(super) fn source(
    translator: &mut Translator<'_>,
    function: &Function,
) -> Result<(ColumnId, Comes)> {
    let label = name(translator, function)?;
    let node = translator.builder.scan(Some(&label), "node");
    if label == HIDDEN_LABEL {
        translator.builder.filter(Expr::literal(false));
    }
    Ok((node, Comes::InOrder))
}

fn name(translator: &mut Translator<'_>, function: &Function) -> Result<String> {
    match function.arguments.as_slice() {
        [Argument::Value(value)] if !matches!(value.kind, ValueKind::List(_)) => {
            translator.operands.literal(value)
        }
        [Argument::Variable(name)] => Ok(name.text.clone()),
        _ => Err(translator.wrong(function.offset, "type needs one name")),
    }
}
