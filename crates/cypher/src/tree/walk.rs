//! Walks over expressions, and comparisons of them without regard to positions.

use millrace_model::{Error, ErrorKind, Phase};

use super::{
    CaseTest, Expr, ExprKind, LabelExpr, MapItem, PathPart, PathPattern, SubqueryKind, Symbol,
    Variable,
};
use crate::functions::is_aggregate;

impl Expr {
    /// The expressions directly inside; those of subqueries are not.
    pub(crate) fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Parameter(_)
            | ExprKind::Variable(_)
            | ExprKind::CountAll
            | ExprKind::Subquery(..) => Vec::new(),
            ExprKind::List(entries) => entries.iter().collect(),
            ExprKind::Map(pairs) => pairs.iter().map(|(_, value)| value).collect(),
            ExprKind::MapProjection(projection) => {
                let entry = |item| match item {
                    &MapItem::Entry(_, ref value) => Some(value),
                    MapItem::Property(_) | MapItem::AllProperties | MapItem::Variable(_) => None,
                };
                projection.items.iter().filter_map(entry).collect()
            }
            ExprKind::Property(of, _)
            | ExprKind::Unary(_, of)
            | ExprKind::IsNull(of, _)
            | ExprKind::IsType(of, ..)
            | ExprKind::IsNormalized(of, ..) => vec![of],
            ExprKind::HasLabels(of, labels) => {
                let mut children = vec![&**of];
                labels.each_expr(&mut |expr| children.push(expr));
                children
            }
            ExprKind::Index(one, other) | ExprKind::Binary(_, one, other) => vec![one, other],
            ExprKind::Slice(of, from, to) => {
                [of].into_iter().chain(from).chain(to).map(|child| &**child).collect()
            }
            ExprKind::Chain(first, rest) => {
                [&**first].into_iter().chain(rest.iter().map(|(_, operand)| operand)).collect()
            }
            ExprKind::Call(call) => call.arguments.iter().collect(),
            ExprKind::Case(case) => {
                let mut children: Vec<&Expr> = case.subject.iter().map(|own| &**own).collect();
                for (tests, value) in &case.branches {
                    for CaseTest::Value(test) | CaseTest::Test(test) in tests {
                        children.push(test);
                    }
                    children.push(value);
                }
                children.extend(case.otherwise.iter().map(|own| &**own));
                children
            }
            ExprKind::Comprehension(own) | ExprKind::Quantified(_, own) => {
                [&own.list].into_iter().chain(&own.test).chain(&own.value).collect()
            }
            ExprKind::Reduce(own) => vec![&own.start, &own.list, &own.next],
            ExprKind::PatternComprehension(own) => {
                let mut children = own.pattern.exprs();
                children.extend(&own.test);
                children.push(&own.value);
                children
            }
            ExprKind::Pattern(pattern) | ExprKind::ShortestPath(pattern) => pattern.exprs(),
        }
    }

    /// Visits it and all expressions in it, but for those of subqueries.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        self.children().into_iter().for_each(|child| child.each(visit));
    }

    /// Whether it reads one of some variables; a subquery may read any.
    pub(crate) fn reads(&self, is_read: &dyn Fn(Symbol) -> bool) -> bool {
        let own = match &self.kind {
            ExprKind::Variable(variable) => variable.symbol.is_some_and(is_read),
            ExprKind::MapProjection(projection) => {
                let of = |item: &MapItem| match item {
                    MapItem::Variable(variable) => variable.symbol,
                    MapItem::Entry(..) | MapItem::Property(_) | MapItem::AllProperties => None,
                };
                let symbols = projection.items.iter().filter_map(of);
                symbols.chain(projection.variable.symbol).any(is_read)
            }
            ExprKind::Pattern(pattern) | ExprKind::ShortestPath(pattern) => {
                pattern.variables().iter().filter_map(|own| own.symbol).any(is_read)
            }
            ExprKind::PatternComprehension(own) => {
                own.pattern.variables().iter().filter_map(|own| own.symbol).any(is_read)
            }
            ExprKind::Subquery(..) => true,
            _ => false,
        };
        own || self.children().into_iter().any(|child| child.reads(is_read))
    }
}

impl LabelExpr {
    /// Visits the expressions of dynamic labels.
    pub(crate) fn each_expr<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            LabelExpr::Name(..) | LabelExpr::Any(_) => {}
            LabelExpr::Dynamic(expr) | LabelExpr::DynamicAny(expr) => visit(expr),
            LabelExpr::Not(inner) => inner.each_expr(visit),
            LabelExpr::And(parts) | LabelExpr::Or(parts) => {
                parts.iter().for_each(|part| part.each_expr(visit));
            }
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

    /// The expressions in it.
    pub(crate) fn exprs(&self) -> Vec<&Expr> {
        let mut exprs = Vec::new();
        for part in &self.parts {
            match part {
                PathPart::Node(node) => {
                    if let Some(labels) = &node.labels {
                        labels.each_expr(&mut |expr| exprs.push(expr));
                    }
                    exprs.extend(node.properties.iter().chain(&node.test));
                }
                PathPart::Relationship(own) => {
                    if let Some(types) = &own.types {
                        types.each_expr(&mut |expr| exprs.push(expr));
                    }
                    exprs.extend(own.properties.iter().chain(&own.test));
                }
                PathPart::Quantified(own) => {
                    exprs.extend(own.pattern.exprs());
                    exprs.extend(&own.test);
                }
            }
        }
        exprs
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
    let is_one = match &expr.kind {
        ExprKind::CountAll => true,
        ExprKind::Call(call) => is_aggregate(&call.name),
        _ => false,
    };
    match is_one {
        true => visit(expr),
        false => expr.children().into_iter().for_each(|child| each_aggregate(child, visit)),
    }
}

/// Whether an expression needs operators before its row: a subquery, or a pattern.
pub(crate) fn needs_operators(expr: &Expr) -> bool {
    let mut needs = false;
    expr.each(&mut |inner| {
        needs |= match &inner.kind {
            ExprKind::Pattern(_)
            | ExprKind::ShortestPath(_)
            | ExprKind::PatternComprehension(_)
            | ExprKind::Subquery(
                SubqueryKind::Exists | SubqueryKind::Count | SubqueryKind::Collect,
                _,
            ) => true,
            ExprKind::Call(call) => call.name.eq_ignore_ascii_case("rand"),
            _ => false,
        };
    });
    needs
}

/// Whether both are the same expression, wherever they stand.
pub(crate) fn same(one: &Expr, other: &Expr) -> bool {
    let key = |variable: &Variable| (variable.symbol, variable.name.clone());
    match (&one.kind, &other.kind) {
        (ExprKind::Variable(one), ExprKind::Variable(other)) => key(one) == key(other),
        (ExprKind::Call(one), ExprKind::Call(other)) => {
            one.name.eq_ignore_ascii_case(&other.name)
                && one.distinct == other.distinct
                && all_same(&one.arguments, &other.arguments)
        }
        (ExprKind::Literal(one), ExprKind::Literal(other)) => one == other,
        (ExprKind::Parameter(one), ExprKind::Parameter(other)) => one == other,
        (ExprKind::CountAll, ExprKind::CountAll) => true,
        (ExprKind::Property(one, key), ExprKind::Property(other, other_key)) => {
            key == other_key && same(one, other)
        }
        (ExprKind::Index(one, at), ExprKind::Index(other, other_at)) => {
            same(one, other) && same(at, other_at)
        }
        (ExprKind::List(one), ExprKind::List(other)) => all_same(one, other),
        (ExprKind::Map(one), ExprKind::Map(other)) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len()
                && pairs.all(|((key, one), (other_key, other))| {
                    key == other_key && same(one, other)
                })
        }
        (ExprKind::Unary(operator, one), ExprKind::Unary(other_operator, other)) => {
            operator == other_operator && same(one, other)
        }
        (ExprKind::Binary(operator, left, right), ExprKind::Binary(other, their_left, their_right)) => {
            operator == other && same(left, their_left) && same(right, their_right)
        }
        (ExprKind::IsNull(one, negated), ExprKind::IsNull(other, other_negated)) => {
            negated == other_negated && same(one, other)
        }
        // Of other kinds only the very same text in the same place is known to be the same.
        _ => one == other,
    }
}

fn all_same(one: &[Expr], other: &[Expr]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
}

/// An aggregate where `scope` lets none through.
pub(crate) fn misplaced_aggregate(expr: &Expr) -> Error {
    Error::new(ErrorKind::Bug, "an aggregate stands where no group is").in_phase(Phase::Compile).at(expr.at)
}
