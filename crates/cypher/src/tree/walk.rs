//! Questions about expressions: what they read, and which aggregates and patterns are in them.

use millrace_model::{Error, ErrorKind, Phase};

use super::{Expr, ExprKind, MapItem, PathPart, PathPattern, Symbol, Variable};
use crate::functions;

impl Expr {
    /// Visits it and all expressions in it, but for those of subqueries.
    pub(crate) fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        self.each_part(&mut |part| part.each(visit));
    }

    /// Whether it reads one of some variables; a subquery may read any.
    pub(crate) fn reads(&self, is_read: &dyn Fn(Symbol) -> bool) -> bool {
        let mut reads = false;
        self.each(&mut |expr| reads |= expr.reads_itself(is_read));
        reads
    }

    /// The same without the expressions inside of it.
    pub(crate) fn reads_itself(&self, is_read: &dyn Fn(Symbol) -> bool) -> bool {
        let all = |variables: Vec<&Variable>| {
            variables.iter().filter_map(|variable| variable.symbol).any(is_read)
        };
        match &self.kind {
            ExprKind::Variable(variable) => all(vec![variable]),
            ExprKind::MapProjection(projection) => {
                let of_items = projection.items.iter().filter_map(MapItem::variable);
                all(of_items.chain([&projection.variable]).collect())
            }
            ExprKind::Pattern(pattern) | ExprKind::ShortestPath(pattern) => {
                all(pattern.variables())
            }
            ExprKind::PatternComprehension(own) => all(own.pattern.variables()),
            ExprKind::Subquery(..) => true,
            _ => false,
        }
    }
}

impl MapItem {
    /// The variable that it is.
    fn variable(&self) -> Option<&Variable> {
        match self {
            MapItem::Variable(variable) => Some(variable),
            MapItem::Entry(..) | MapItem::Property(_) | MapItem::AllProperties => None,
        }
    }
}

impl PathPattern {
    /// The variables of its nodes and relationships, and of the path.
    pub(crate) fn variables(&self) -> Vec<&Variable> {
        let mut variables: Vec<&Variable> = self.variable.iter().collect();
        for part in &self.parts {
            match part {
                PathPart::Node(node) => variables.push(&node.variable),
                PathPart::Relationship(own) => variables.push(&own.variable),
                PathPart::Quantified(own) => match own.length {
                    None => variables.extend(own.pattern.variables()),
                    Some(_) => variables.extend(own.groups.iter().map(|(_, outer)| outer)),
                },
            }
        }
        variables
    }
}

/// Whether it is a call of an aggregate.
pub(crate) fn is_aggregate(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::CountAll => true,
        ExprKind::Call(call) => functions::named(&call.name).is_some_and(|row| row.is_aggregate),
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
            ExprKind::Call(call) => functions::named(&call.name).is_some_and(|row| row.is_random()),
            _ => false,
        };
    });
    needs
}

/// An aggregate where `scope` lets none through.
pub(crate) fn misplaced_aggregate(expr: &Expr) -> Error {
    let detail = "an aggregate stands where no group is";
    Error::new(ErrorKind::Bug, detail).in_phase(Phase::Compile).at(expr.at)
}
