//! The direct parts of an expression: to look at them, and to change them.
//!
//! Parts are operands, arguments, lists, the inner expressions of comprehensions, and what the parts of a pattern
//! contain. A subquery has none: it has scopes of its own.

use super::{Case, CaseTest, Expr, ExprKind, LabelExpr, MapItem, PathPart, PathPattern};

/// The functions that visit parts, with the word `mut` or without it.
macro_rules! parts {
    ($each:ident, $exprs:ident, $iter:ident, $($mutable:ident)?) => {
        impl Expr {
            /// Calls a function for each direct part.
            pub(crate) fn $each<'e>(
                &'e $($mutable)? self,
                each: &mut dyn FnMut(&'e $($mutable)? Expr),
            ) {
                match &$($mutable)? self.kind {
                    ExprKind::Literal(_)
                    | ExprKind::Parameter(_)
                    | ExprKind::Variable(_)
                    | ExprKind::CountAll
                    | ExprKind::Subquery(..) => {}
                    ExprKind::List(entries) => entries.$iter().for_each(each),
                    ExprKind::Map(entries) => entries.$iter().for_each(|(_, value)| each(value)),
                    ExprKind::MapProjection(projection) => {
                        for item in &$($mutable)? projection.items {
                            match item {
                                MapItem::Entry(_, value) => each(value),
                                MapItem::Property(_)
                                | MapItem::AllProperties
                                | MapItem::Variable(_) => {}
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
                        labels.$exprs(each);
                    }
                    ExprKind::Index(of, index) => {
                        each(of);
                        each(index);
                    }
                    ExprKind::Slice(of, from, to) => {
                        each(of);
                        from.$iter().chain(to.$iter()).for_each(|bound| each(bound));
                    }
                    ExprKind::Binary(_, left, right) => {
                        each(left);
                        each(right);
                    }
                    ExprKind::Comparisons(first, others) => {
                        each(first);
                        others.$iter().for_each(|(_, other)| each(other));
                    }
                    ExprKind::Call(call) => call.arguments.$iter().for_each(each),
                    ExprKind::Case(case) => case.$each(each),
                    ExprKind::Comprehension(own) | ExprKind::Quantified(_, own) => {
                        each(&$($mutable)? own.list);
                        own.test.$iter().chain(own.value.$iter()).for_each(each);
                    }
                    ExprKind::Reduce(reduce) => {
                        each(&$($mutable)? reduce.start);
                        each(&$($mutable)? reduce.list);
                        each(&$($mutable)? reduce.next);
                    }
                    ExprKind::PatternComprehension(own) => {
                        own.pattern.$exprs(each);
                        own.test.$iter().for_each(&mut *each);
                        each(&$($mutable)? own.value);
                    }
                    ExprKind::Pattern(pattern) | ExprKind::ShortestPath(pattern) => {
                        pattern.$exprs(each);
                    }
                }
            }
        }

        impl Case {
            fn $each<'e>(
                &'e $($mutable)? self,
                each: &mut dyn FnMut(&'e $($mutable)? Expr),
            ) {
                self.subject.$iter().for_each(|subject| each(subject));
                for (tests, value) in &$($mutable)? self.branches {
                    for test in tests {
                        match test {
                            CaseTest::Value(test) | CaseTest::Test(test) => each(test),
                        }
                    }
                    each(value);
                }
                self.otherwise.$iter().for_each(|value| each(value));
            }
        }

        impl LabelExpr {
            /// The expressions of dynamic labels.
            pub(crate) fn $exprs<'e>(
                &'e $($mutable)? self,
                each: &mut dyn FnMut(&'e $($mutable)? Expr),
            ) {
                match self {
                    LabelExpr::Name(..) | LabelExpr::Any(_) => {}
                    LabelExpr::Dynamic(expr) | LabelExpr::DynamicAny(expr) => each(expr),
                    LabelExpr::Not(of) => of.$exprs(each),
                    LabelExpr::And(parts) | LabelExpr::Or(parts) => {
                        parts.$iter().for_each(|part| part.$exprs(each));
                    }
                }
            }
        }

        impl PathPattern {
            /// The properties, tests and dynamic labels of its parts.
            pub(crate) fn $exprs<'e>(
                &'e $($mutable)? self,
                each: &mut dyn FnMut(&'e $($mutable)? Expr),
            ) {
                for part in &$($mutable)? self.parts {
                    let (labels, properties, test) = match part {
                        PathPart::Node(own) => {
                            (own.labels.$iter(), own.properties.$iter(), own.test.$iter())
                        }
                        PathPart::Relationship(own) => {
                            (own.types.$iter(), own.properties.$iter(), own.test.$iter())
                        }
                        PathPart::Quantified(own) => {
                            own.pattern.$exprs(each);
                            own.test.$iter().for_each(&mut *each);
                            continue;
                        }
                    };
                    labels.for_each(|labels| labels.$exprs(each));
                    properties.chain(test).for_each(&mut *each);
                }
            }
        }
    };
}

parts!(each_part, each_expr, iter,);
parts!(each_part_mut, each_expr_mut, iter_mut, mut);
