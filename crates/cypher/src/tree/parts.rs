//! The direct parts of an expression.
//!
//! Parts are operands, arguments, lists, the inner expressions of comprehensions, and what the parts of a pattern
//! contain. A subquery has none: it has scopes of its own.

use super::{Case, CaseTest, Expr, ExprKind, LabelExpr, MapItem, PathPart, PathPattern};

impl Expr {
    /// Calls a function for each direct part.
    pub(crate) fn each_part<'e>(&'e self, each: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Parameter(_)
            | ExprKind::Variable(_)
            | ExprKind::CountAll
            | ExprKind::Subquery(..) => {}
            ExprKind::List(entries) => entries.iter().for_each(each),
            ExprKind::Map(entries) => entries.iter().for_each(|(_, value)| each(value)),
            ExprKind::MapProjection(projection) => {
                for item in &projection.items {
                    match item {
                        MapItem::Entry(_, value) => each(value),
                        MapItem::Property(_) | MapItem::AllProperties | MapItem::Variable(_) => {}
                    }
                }
            }
            ExprKind::Property(of, _)
            | ExprKind::Unary(_, of)
            | ExprKind::IsNull(of, _)
            | ExprKind::IsType(of, _, _)
            | ExprKind::IsNormalized(of, _, _) => each(of),
            ExprKind::HasLabels(of, labels) => {
                each(of);
                labels.each_expr(each);
            }
            ExprKind::Index(of, index) => {
                each(of);
                each(index);
            }
            ExprKind::Slice(of, from, to) => {
                each(of);
                from.iter().chain(to).for_each(|bound| each(bound));
            }
            ExprKind::Binary(_, left, right) => {
                each(left);
                each(right);
            }
            ExprKind::Chain(first, others) => {
                each(first);
                others.iter().for_each(|(_, other)| each(other));
            }
            ExprKind::Call(call) => call.arguments.iter().for_each(each),
            ExprKind::Case(case) => case.each_part(each),
            ExprKind::Comprehension(own) | ExprKind::Quantified(_, own) => {
                each(&own.list);
                own.test.iter().chain(&own.value).for_each(each);
            }
            ExprKind::Reduce(reduce) => {
                each(&reduce.start);
                each(&reduce.list);
                each(&reduce.next);
            }
            ExprKind::PatternComprehension(own) => {
                own.pattern.each_expr(each);
                own.test.iter().for_each(&mut *each);
                each(&own.value);
            }
            ExprKind::Pattern(pattern) | ExprKind::ShortestPath(pattern) => {
                pattern.each_expr(each);
            }
        }
    }
}

impl Case {
    fn each_part<'e>(&'e self, each: &mut dyn FnMut(&'e Expr)) {
        self.subject.iter().for_each(|subject| each(subject));
        for (tests, value) in &self.branches {
            for test in tests {
                match test {
                    CaseTest::Value(test) | CaseTest::Test(test) => each(test),
                }
            }
            each(value);
        }
        self.otherwise.iter().for_each(|value| each(value));
    }
}

impl LabelExpr {
    /// The expressions of dynamic labels.
    pub(crate) fn each_expr<'e>(&'e self, each: &mut dyn FnMut(&'e Expr)) {
        match self {
            LabelExpr::Name(..) | LabelExpr::Any(_) => {}
            LabelExpr::Dynamic(expr) | LabelExpr::DynamicAny(expr) => each(expr),
            LabelExpr::Not(of) => of.each_expr(each),
            LabelExpr::And(parts) | LabelExpr::Or(parts) => {
                parts.iter().for_each(|part| part.each_expr(each));
            }
        }
    }
}

impl PathPattern {
    /// The properties, tests and dynamic labels of its parts.
    pub(crate) fn each_expr<'e>(&'e self, each: &mut dyn FnMut(&'e Expr)) {
        for part in &self.parts {
            let (labels, properties, test) = match part {
                PathPart::Node(node) => (&node.labels, &node.properties, &node.test),
                PathPart::Relationship(own) => (&own.types, &own.properties, &own.test),
                PathPart::Quantified(own) => {
                    own.pattern.each_expr(each);
                    own.test.iter().for_each(&mut *each);
                    continue;
                }
            };
            labels.iter().for_each(|labels| labels.each_expr(each));
            properties.iter().chain(test).for_each(&mut *each);
        }
    }
}
