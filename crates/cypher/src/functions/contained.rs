//! Which functions an expression contains: aggregates, and what needs operators of its own.

use super::named;
use crate::tree::{Expr, ExprKind, MapItem, Variable};

/// Whether it is a call of an aggregate.
pub(crate) fn is_aggregate(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::CountAll => true,
        ExprKind::Call(call) => named(&call.name).is_some_and(|row| row.is_aggregate),
        _ => false,
    }
}

/// Whether an aggregate stands somewhere in it.
pub(crate) fn contains_aggregate(expr: &Expr) -> bool {
    let mut found = false;
    each_aggregate(expr, &mut |_| found = true);
    found
}

/// Visits the aggregates in an expression, not those inside of another.
pub(crate) fn each_aggregate<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match is_aggregate(expr) {
        true => visit(expr),
        false => expr.each_part(&mut |part| each_aggregate(part, visit)),
    }
}

/// The variables of map projections that hold an aggregate: grouping keys, although they are no items.
pub(crate) fn implicit_keys(expr: &Expr) -> Vec<&Variable> {
    let mut keys = Vec::new();
    if contains_aggregate(expr) {
        add_implicit_keys(expr, &mut keys);
    }
    keys
}

fn add_implicit_keys<'e>(expr: &'e Expr, keys: &mut Vec<&'e Variable>) {
    if is_aggregate(expr) {
        return;
    }
    if let ExprKind::MapProjection(projection) = &expr.kind {
        keys.push(&projection.variable);
        keys.extend(projection.items.iter().filter_map(MapItem::variable));
    }
    expr.each_part(&mut |part| add_implicit_keys(part, keys));
}

/// Whether an expression needs operators before its row: a subquery, a pattern, random numbers.
pub(crate) fn needs_operators(expr: &Expr) -> bool {
    let mut needs = false;
    expr.each(&mut |inner| {
        needs |= match &inner.kind {
            ExprKind::Pattern(_)
            | ExprKind::ShortestPath(_)
            | ExprKind::PatternComprehension(_)
            | ExprKind::Subquery(..) => true,
            ExprKind::Call(call) => named(&call.name).is_some_and(|row| row.is_random()),
            _ => false,
        };
    });
    needs
}
