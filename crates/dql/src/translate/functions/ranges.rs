//! `le`, `lt`, `ge`, `gt` and `between`.

use millrace_model::Result;
use millrace_plan::{ColumnId, Comparison, Expr};

use super::variables::only_value_of;
use super::{only_value, subject, unsupported};
use crate::schema::Kind;
use crate::translate::predicates::Named;
use crate::translate::translator::Translator;
use crate::tree::{Argument, Function, Predicate, Subject};

pub(super) fn test(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let comparison = match function.name.as_str() {
        "le" => Comparison::LessEqual,
        "lt" => Comparison::Less,
        "ge" => Comparison::GreaterEqual,
        _ => Comparison::Greater,
    };
    if let Subject::Count(predicate) = &function.subject {
        let compared = count_and_bound(translator, node, (function, predicate))?;
        let Some((count, bound)) = compared else { return Ok(Expr::literal(false)) };
        return Ok(Expr::compare(comparison, count, bound));
    }
    let predicate = subject(translator, function)?;
    let value = only_value(translator, function)?;
    let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
    let operand = translator.operands.argument(value, named.known.kind)?;
    if named.known.kind == Kind::Vector {
        return Ok(no_order());
    }
    let compared = |value| Expr::compare(comparison, value, operand.clone());
    Ok(translator.some_value(node, &named, compared))
}

/// `le(count(friend), 2)` and `lt` at a root: of nodes that have some, as the index of counts has no others. A bound that only
/// nodes without any keep is of these.
pub(super) fn few(
    translator: &mut Translator<'_>,
    node: ColumnId,
    (function, predicate): (&Function, &Predicate),
) -> Result<Expr> {
    let compared = count_and_bound(translator, node, (function, predicate))?;
    let Some((count, bound)) = compared else { return Ok(Expr::literal(false)) };
    let (comparison, none) = match function.name.as_str() {
        "le" => (Comparison::LessEqual, 0_i64),
        _ => (Comparison::Less, 1),
    };
    let has_some = Expr::compare(Comparison::Greater, count.clone(), Expr::literal(0_i64));
    let is_none = Expr::compare(Comparison::LessEqual, bound.clone(), Expr::literal(none));
    let holds = Expr::compare(comparison, count, bound);
    Ok(Expr::And(vec![holds, Expr::Or(vec![has_some, is_none])]))
}

/// How many a node has, and what it is compared with; none: the graph does not have the predicate.
fn count_and_bound(
    translator: &mut Translator<'_>,
    node: ColumnId,
    (function, predicate): (&Function, &Predicate),
) -> Result<Option<(Expr, Expr)>> {
    let value = only_value(translator, function)?;
    let Some(named) = translator.named(predicate) else { return Ok(None) };
    let count = translator.count_of(node, &named)?;
    let bound = translator.operands.argument(value, Kind::Int)?;
    Ok(Some((Expr::Column(count), bound)))
}

/// An end of a range: a value, or the only one of a variable.
fn bound(
    translator: &mut Translator<'_>,
    function: &Function,
    (argument, kind): (&Argument, Kind),
    named: &Named<'_>,
) -> Result<Expr> {
    match (argument, &function.subject) {
        (Argument::Value(value), _) => translator.operands.argument(value, kind),
        (Argument::ValueOf(name), Subject::Predicate(_)) => {
            only_value_of(translator, (&function.name, name), named)
        }
        (
            Argument::ValueOf(_)
            | Argument::Variable(_)
            | Argument::Uids { .. }
            | Argument::Named(_),
            _,
        ) => Err(unsupported(translator, function.offset)),
    }
}

/// Vectors have no order, and none is less than another.
fn no_order() -> Expr {
    Expr::literal(false)
}

pub(super) fn between(
    translator: &mut Translator<'_>,
    node: ColumnId,
    function: &Function,
) -> Result<Expr> {
    let [least, most] = function.arguments.as_slice() else {
        let detail = "between needs two values";
        return Err(translator.wrong(function.offset, detail));
    };
    let (own, kind, named) = match &function.subject {
        Subject::Count(predicate) => {
            let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
            (Some(translator.count_of(node, &named)?), Kind::Int, named)
        }
        _ => {
            let predicate = subject(translator, function)?;
            let Some(named) = translator.named(predicate) else { return Ok(Expr::literal(false)) };
            (None, named.known.kind, named)
        }
    };
    let least = bound(translator, function, (least, kind), &named)?;
    let most = bound(translator, function, (most, kind), &named)?;
    if kind == Kind::Vector {
        return Ok(no_order());
    }
    let within = |value: Expr| {
        let above = Expr::compare(Comparison::GreaterEqual, value.clone(), least.clone());
        Expr::And(vec![above, Expr::compare(Comparison::LessEqual, value, most.clone())])
    };
    Ok(match own {
        Some(count) => within(Expr::Column(count)),
        None => translator.some_value(node, &named, within),
    })
}
