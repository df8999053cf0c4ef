//! Where aggregates may be, and what may stand beside them.
//!
//! The items of a projection without an aggregate are its grouping keys. Beside an aggregate only constants, keys that
//! are variables or properties of variables, and outer variables may be read: what is more complex is refused even if
//! it equals a key, as openCypher has it.

use std::collections::HashSet;

use millrace_model::{Error, TextPosition};

use crate::functions::{contains_aggregate, implicit_keys, is_aggregate};
use crate::scope::bindings::Bindings;
use crate::scope::faults::{fault, no_aggregate};
use crate::scope::resolver::Resolver;
use crate::tree::{Expr, ExprKind, ProjectionItem, Symbol};

/// What an expression is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Item,
    /// The argument of an aggregate.
    Aggregate,
    /// An expression for each entry of a list.
    List,
}

/// The name of the aggregate that an expression is a call of.
fn aggregate_name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::CountAll => Some("count"),
        ExprKind::Call(call) if is_aggregate(expr) => Some(&call.name),
        _ => None,
    }
}

fn first_aggregate(expr: &Expr) -> Option<(TextPosition, &str)> {
    if let Some(name) = aggregate_name(expr) {
        return Some((expr.at, name));
    }
    let mut found = None;
    expr.each_part(&mut |part| found = found.or_else(|| first_aggregate(part)));
    found
}

/// Whether an expression is a variable or a property of one: what may stand beside an aggregate.
pub(in crate::scope) fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Property(of, _) => is_simple(of),
        _ => false,
    }
}

/// What stands beside an aggregate and is no grouping key.
pub(in crate::scope) fn ambiguous(at: TextPosition) -> Error {
    let detail = "Aggregation column contains implicit grouping expressions: beside an aggregate only grouping keys \
                  that are variables or properties can be read";
    fault("AmbiguousAggregationExpression", at, detail)
        .with_help("compute the other expressions in an earlier WITH")
}

impl Resolver<'_> {
    /// Refuses the first aggregate of an expression.
    pub(in crate::scope) fn refuse_aggregates(&mut self, expr: &Expr) {
        if let Some((at, name)) = first_aggregate(expr) {
            self.errors.push(no_aggregate(at, name));
        }
    }

    /// Judges where the aggregates of an item are.
    pub(in crate::scope) fn check_aggregates(&mut self, expr: &Expr) {
        self.check_inside(expr, Inside::Item);
    }

    fn check_inside(&mut self, expr: &Expr, inside: Inside) {
        if let Some(name) = aggregate_name(expr) {
            match inside {
                Inside::Item => {}
                Inside::Aggregate => {
                    let detail = "Can't use aggregate functions inside of aggregate functions";
                    self.refuse(fault("NestedAggregation", expr.at, detail));
                }
                Inside::List => self.refuse(no_aggregate(expr.at, name)),
            }
            expr.each_part(&mut |part| self.check_inside(part, Inside::Aggregate));
            return;
        }
        match &expr.kind {
            ExprKind::Call(call) if inside == Inside::Aggregate && is_random(&call.name) => {
                let detail =
                    "Can't use non-deterministic (random) functions inside of aggregate functions";
                self.refuse(fault("NonConstantExpression", expr.at, detail));
            }
            ExprKind::Comprehension(own) | ExprKind::Quantified(_, own) => {
                self.check_inside(&own.list, inside);
                for part in own.test.iter().chain(&own.value) {
                    self.check_inside(part, Inside::List);
                }
                return;
            }
            ExprKind::Reduce(reduce) => {
                self.check_inside(&reduce.start, inside);
                self.check_inside(&reduce.list, inside);
                self.check_inside(&reduce.next, Inside::List);
                return;
            }
            ExprKind::PatternComprehension(_) => {
                expr.each_part(&mut |part| self.check_inside(part, Inside::List));
                return;
            }
            _ => {}
        }
        expr.each_part(&mut |part| self.check_inside(part, inside));
    }

    /// Judges what stands beside the aggregates of the items of a projection.
    pub(in crate::scope) fn check_grouping(&mut self, items: &[ProjectionItem], scope: &Bindings) {
        let (aggregates, keys): (Vec<&Expr>, Vec<&Expr>) =
            items.iter().map(|item| &item.expr).partition(|expr| contains_aggregate(expr));
        let mut rows: HashSet<Symbol> = scope.rows().map(|(_, symbol)| symbol).collect();
        for key in aggregates.iter().flat_map(|expr| implicit_keys(expr)) {
            key.symbol.map(|symbol| rows.remove(&symbol));
        }
        for expr in aggregates {
            if let Some(at) = self.beside(expr, &keys, &rows) {
                self.refuse(ambiguous(at));
            }
        }
    }

    /// The first place that reads a variable of the rows which is no key.
    fn beside(&self, expr: &Expr, keys: &[&Expr], rows: &HashSet<Symbol>) -> Option<TextPosition> {
        if is_aggregate(expr) || (is_simple(expr) && keys.iter().any(|key| key.is_same(expr))) {
            return None;
        }
        let is_key = |symbol: Symbol| keys.iter().any(|key| symbol_of(key) == Some(symbol));
        let is_read = |symbol: &Symbol| rows.contains(symbol) && !is_key(*symbol);
        if symbol_of(expr).is_some_and(|symbol| is_read(&symbol)) {
            return Some(expr.at);
        }
        if let Some(reads) = self.inner_reads.get(&expr.at).filter(|_| has_scope(expr)) {
            return reads.iter().any(is_read).then_some(expr.at);
        }
        let mut found = None;
        expr.each_part(&mut |part| found = found.or_else(|| self.beside(part, keys, rows)));
        found
    }
}

/// The symbol of a variable.
fn symbol_of(expr: &Expr) -> Option<Symbol> {
    match &expr.kind {
        ExprKind::Variable(variable) => variable.symbol,
        _ => None,
    }
}

/// Whether what it reads is noted by its place.
fn has_scope(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Subquery(..)
            | ExprKind::Pattern(_)
            | ExprKind::ShortestPath(_)
            | ExprKind::PatternComprehension(_)
    )
}

fn is_random(name: &str) -> bool {
    ["rand", "randomUUID"].iter().any(|random| random.eq_ignore_ascii_case(name))
}
