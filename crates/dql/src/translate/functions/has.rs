//! `has`: whether a node has a value of a predicate, or an edge.

use millrace_model::Result;
use millrace_plan::{ApplyKind, ColumnId, Expr, Fold, op};

use super::subject;
use crate::translate::translator::Translator;
use crate::tree::Function;

pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let predicate = subject(translator, function)?;
    if !function.arguments.is_empty() {
        let error = translator.wrong(function.offset, "has takes one predicate");
        return Err(error.with_help("join several by AND and OR in a filter"));
    }
    let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
    if !named.known.is_edge() && !predicate.is_reverse {
        return Ok(translator.has_value(node, &named));
    }
    let to = translator.builder.column("has");
    translator.builder.begin_pipeline();
    translator.expand(node, predicate);
    let sub = translator.builder.end_pipeline();
    let kind = ApplyKind::Value { fold: Fold::Exists, to };
    translator.builder.push(op::Apply { sub, kind });
    Ok(Expr::Column(to))
}
