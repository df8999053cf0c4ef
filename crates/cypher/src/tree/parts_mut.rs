//! The direct parts of an expression, to change them.
//!
//! Parts are operands, arguments, lists, the inner expressions of comprehensions, and what the parts of a pattern
//! contain. A subquery has none: it has scopes of its own.

use super::{Case, CaseTest, Expr, ExprKind, LabelExpr, MapItem, PathPart, PathPattern};

impl Expr {
    /// Calls a function for each direct part.
    pub(crate) fn each_part_mut(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            ExprKind::Literal(_)
            | ExprKind::Parameter(_)
            | ExprKind::Variable(_)
            | ExprKind::CountAll
            | ExprKind::Subquery(..) => {}
            ExprKind::List(entries) => entries.iter_mut().for_each(each),
            ExprKind::Map(entries) => entries.iter_mut().for_each(|(_, value)| each(value)),
            ExprKind::MapProjection(projection) => {
                for item in &mut projection.items {
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
                labels.each_expr_mut(each);
            }
            ExprKind::Index(of, index) => {
                each(of);
                each(index);
            }
            ExprKind::Slice(of, from, to) => {
                each(of);
                from.iter_mut().chain(to.iter_mut()).for_each(|bound| each(bound));
            }
            ExprKind::Binary(_, left, right) => {
                each(left);
                each(right);
            }
            ExprKind::Chain(first, others) => {
                each(first);
                others.iter_mut().for_each(|(_, other)| each(other));
            }
            ExprKind::Call(call) => call.arguments.iter_mut().for_each(each),
            ExprKind::Case(case) => case.each_part_mut(each),
            ExprKind::Comprehension(own) | ExprKind::Quantified(_, own) => {
                each(&mut own.list);
                own.test.iter_mut().chain(own.value.iter_mut()).for_each(each);
            }
            ExprKind::Reduce(reduce) => {
                each(&mut reduce.start);
                each(&mut reduce.list);
                each(&mut reduce.next);
            }
            ExprKind::PatternComprehension(own) => {
                own.pattern.each_expr_mut(each);
                own.test.iter_mut().for_each(&mut *each);
                each(&mut own.value);
            }
            ExprKind::Pattern(pattern) | ExprKind::ShortestPath(pattern) => {
                pattern.each_expr_mut(each);
            }
        }
    }
}

impl Case {
    fn each_part_mut(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        self.subject.iter_mut().for_each(|subject| each(subject));
        for (tests, value) in &mut self.branches {
            for test in tests {
                match test {
                    CaseTest::Value(test) | CaseTest::Test(test) => each(test),
                }
            }
            each(value);
        }
        self.otherwise.iter_mut().for_each(|value| each(value));
    }
}

impl LabelExpr {
    /// The expressions of dynamic labels.
    pub(crate) fn each_expr_mut(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        match self {
            LabelExpr::Name(..) | LabelExpr::Any(_) => {}
            LabelExpr::Dynamic(expr) | LabelExpr::DynamicAny(expr) => each(expr),
            LabelExpr::Not(of) => of.each_expr_mut(each),
            LabelExpr::And(parts) | LabelExpr::Or(parts) => {
                parts.iter_mut().for_each(|part| part.each_expr_mut(each));
            }
        }
    }
}

impl PathPattern {
    /// The properties, tests and dynamic labels of its parts.
    pub(crate) fn each_expr_mut(&mut self, each: &mut dyn FnMut(&mut Expr)) {
        for part in &mut self.parts {
            let (labels, properties, test) = match part {
                PathPart::Node(node) => (&mut node.labels, &mut node.properties, &mut node.test),
                PathPart::Relationship(own) => (&mut own.types, &mut own.properties, &mut own.test),
                PathPart::Quantified(own) => {
                    own.pattern.each_expr_mut(each);
                    own.test.iter_mut().for_each(&mut *each);
                    continue;
                }
            };
            labels.iter_mut().for_each(|labels| labels.each_expr_mut(each));
            properties.iter_mut().chain(test.iter_mut()).for_each(&mut *each);
        }
    }
}
