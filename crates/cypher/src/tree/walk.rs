//! Visits of expressions, and what they read.

use super::{Expr, ExprKind, MapItem, PathPart, PathPattern, Symbol, Variable};

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
    pub(crate) fn variable(&self) -> Option<&Variable> {
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
