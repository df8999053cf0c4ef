//! `eq`: a value, or one of a list; a number of edges.

use millrace_model::Result;
use millrace_plan::{ColumnId, Comparison, Expr};

use super::{Test, values};
use crate::schema::{HIDDEN_LABEL, Kind, TYPE_PREDICATE};
use crate::translate::translator::Translator;
use crate::tree::{Function, Subject, Value, ValueKind};

pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    const _: Test = test;
    match &function.subject {
        Subject::Predicate(predicate) => {
            let wanted = wanted(translator, function)?;
            let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
            if named.tree.name == TYPE_PREDICATE {
                return types(translator, node, &wanted);
            }
            if named.known.is_edge() {
                if !translator.schema.is_shown(&named.known) {
                    return Ok(Expr::literal(false));
                }
                let detail = format!("Predicate {} is not indexed", predicate.name);
                return Err(translator.wrong(predicate.offset, detail));
            }
            let kind = named.known.kind;
            let operands: Result<Vec<Expr>> =
                wanted.iter().map(|value| translator.operands.argument(value, kind)).collect();
            let operands = operands?;
            Ok(translator.some_value(node, &named, |value| one_of(value, operands.clone())))
        }
        Subject::Count(predicate) => {
            let wanted = wanted(translator, function)?;
            let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
            let count = translator.count_of(node, &named)?;
            let operands: Result<Vec<Expr>> =
                wanted.iter().map(|value| translator.operands.argument(value, Kind::Int)).collect();
            Ok(one_of(Expr::Column(count), operands?))
        }
        Subject::Absent | Subject::Variable(_) | Subject::Length(_) => {
            let what = "eq of a variable is not supported yet";
            Err(translator.unsupported(function.offset, what, "ask about a predicate"))
        }
    }
}

/// Whether a value equals one of some.
fn one_of(value: Expr, mut operands: Vec<Expr>) -> Expr {
    match operands.len() {
        1 => Expr::compare(Comparison::Equal, value, operands.remove(0)),
        _ => Expr::InList { item: Box::new(value), list: Box::new(Expr::List(operands)) },
    }
}

/// The values, those of a list one by one.
fn wanted<'f>(translator: &Translator<'_>, function: &'f Function) -> Result<Vec<&'f Value>> {
    let mut wanted = Vec::new();
    for value in values(translator, function)? {
        match &value.kind {
            ValueKind::List(values) => wanted.extend(values),
            _ => wanted.push(value),
        }
    }
    if wanted.is_empty() {
        let detail = "eq needs a value to compare with";
        return Err(translator.wrong(function.offset, detail));
    }
    Ok(wanted)
}

/// Whether a node has one of some types.
fn types(translator: &mut Translator<'_>, node: ColumnId, wanted: &[&Value]) -> Result<Expr> {
    let mut tests = Vec::new();
    for value in wanted {
        let label = translator.operands.literal(value)?;
        if label != HIDDEN_LABEL {
            let vertex = Box::new(Expr::Column(node));
            tests.push(Expr::HasLabel { vertex, label: label.into() });
        }
    }
    Ok(Expr::Or(tests))
}
