//! Which expressions may raise an error for some row.
//!
//! An error belongs to its row (docs/design/algebra.md, section 1): an expression that can fail is not
//! moved ahead of an operator that drops rows. When in doubt, it can. A parameter that is bound wrongly
//! fails for the whole plan, not for a row, so it does not count.

use millrace_model::Value;

use crate::base::ElementKind;
use crate::expr::{Expr, Makes};
use crate::functions::{Fails, Function};
use crate::op::ElementColumns;

/// Whether evaluating the expression may fail; as a `condition`, also whether it may be something
/// other than a boolean.
pub fn can_fail(expr: &Expr, elements: &ElementColumns, condition: bool) -> bool {
    let value_fails = |expr: &Expr| can_fail(expr, elements, false);
    let holds = |expr: &Expr, kind: ElementKind| matches!(expr, Expr::Column(column) if elements.get(column) == Some(&kind));
    match expr {
        Expr::Literal(value) => condition && !matches!(value, Value::Null | Value::Bool(_)),
        Expr::Column(_) | Expr::Parameter(_) | Expr::Let { .. } => condition,
        Expr::Property { element, .. } => {
            condition || !holds(element, ElementKind::Vertex) && !holds(element, ElementKind::Edge)
        }
        Expr::Properties { element, .. } => {
            condition || !holds(element, ElementKind::Vertex) && !holds(element, ElementKind::Edge)
        }
        Expr::Labels(vertex) => condition || !holds(vertex, ElementKind::Vertex),
        Expr::HasLabel { vertex, .. } => !holds(vertex, ElementKind::Vertex),
        Expr::EdgeType(edge) | Expr::EdgeEnd { edge, .. } => {
            condition || !holds(edge, ElementKind::Edge)
        }
        Expr::Living { .. } => true,
        Expr::Compare { left, right, .. } => value_fails(left) || value_fails(right),
        Expr::And(parts) | Expr::Or(parts) => {
            parts.iter().any(|part| can_fail(part, elements, true))
        }
        Expr::Not(inner) | Expr::AnyValue { test: inner, .. } => can_fail(inner, elements, true),
        Expr::IsNull(inner) | Expr::IsAbsent(inner) | Expr::InSet { item: inner, .. } => {
            value_fails(inner)
        }
        Expr::InList { item, list } => value_fails(item) || value_fails(list) || !is_list(list),
        Expr::List(entries) => condition || entries.iter().any(value_fails),
        Expr::Map(pairs) => condition || pairs.iter().any(|(_, entry)| value_fails(entry)),
        Expr::Call { function, arguments } => {
            let (least, most) = function.arity();
            !(least..=most).contains(&arguments.len())
                || match function.fails() {
                    Fails::May => true,
                    Fails::Not { truth } => {
                        condition && !truth || arguments.iter().any(value_fails)
                    }
                    Fails::UnlessBound => arguments.split_first().is_none_or(|(own, bound)| {
                        let is_bound =
                            |expr: &Expr| matches!(expr, Expr::Literal(_) | Expr::Parameter(_));
                        value_fails(own) || !bound.iter().all(is_bound)
                    }),
                    Fails::UnlessEdges => {
                        !arguments.iter().all(|argument| holds(argument, ElementKind::Edge))
                    }
                }
        }
        // There may be several.
        Expr::SingleValue(_) => true,
        // An id beyond 63 bits does not fit an integer.
        Expr::Id(_) | Expr::Arithmetic { .. } => true,
        Expr::Case { branches, otherwise } => {
            let value = |expr: &Expr| can_fail(expr, elements, condition);
            branches.iter().any(|(when, then)| can_fail(when, elements, true) || value(then))
                || otherwise.as_deref().is_some_and(value)
        }
        Expr::Over(over) => {
            let makes_fail = match &over.makes {
                Makes::List { keep, value } => {
                    condition
                        || keep.as_ref().is_some_and(|keep| can_fail(keep, elements, true))
                        || value.as_ref().is_some_and(value_fails)
                }
                Makes::Truth { holds, .. } => can_fail(holds, elements, true),
                Makes::Fold { start, next, .. } => {
                    condition || value_fails(start) || value_fails(next)
                }
            };
            makes_fail || value_fails(&over.list) || !is_list(&over.list)
        }
    }
}

/// Whether it certainly is a list, a set or null.
pub(crate) fn is_list(expr: &Expr) -> bool {
    let is_ids = matches!(expr, Expr::Call { function: Function::Ids, .. });
    let is_value = matches!(expr, Expr::Literal(Value::List(_) | Value::Set(_) | Value::Null));
    let is_made = matches!(expr, Expr::Over(over) if matches!(over.makes, Makes::List { .. }));
    is_ids || is_value || is_made || matches!(expr, Expr::List(_))
}
