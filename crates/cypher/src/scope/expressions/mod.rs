//! Names in expressions. Inner variables (of comprehensions, `reduce`, pattern comprehensions) hide outer ones.

pub(super) mod aggregation;
pub(super) mod operators;
pub(super) mod typing;

use millrace_model::TextPosition;

use super::bindings::Bindings;
use super::resolver::Resolver;
use super::surroundings::{Start, Within};
use super::{faults, type_of};
use crate::functions;
use crate::tree::{
    Binary, Case, CaseTest, Comprehension, Expr, ExprKind, Literal, MapItem, MapProjection,
    PatternComprehension, Query, Reduce, SubqueryKind, Unary, Variable,
};
use crate::types::Type;

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scope) enum Stand {
    /// Its value is used.
    Value,
    /// It is a predicate, so that it may be a pattern.
    Test,
}

impl Resolver<'_> {
    /// Resolves and judges an expression that is used as a value; its type.
    pub(in crate::scope) fn value(&mut self, expr: &mut Expr, scope: &Bindings) -> Type {
        self.names(expr, scope, Stand::Value);
        self.judge(expr)
    }

    /// The same, where no aggregate may be.
    pub(in crate::scope) fn plain_value(&mut self, expr: &mut Expr, scope: &Bindings) -> Type {
        self.refuse_aggregates(expr);
        self.value(expr, scope)
    }

    /// Resolves and judges a predicate, where no aggregate may be.
    pub(in crate::scope) fn test(&mut self, expr: &mut Expr, scope: &Bindings) {
        self.refuse_aggregates(expr);
        self.names(expr, scope, Stand::Test);
        let kind = self.judge(expr);
        if !kind.overlaps(&Type::Boolean) {
            self.refuse(faults::wrong_type(expr.at, "Boolean", &kind.to_string()));
        }
    }

    /// Judges the types of a resolved expression; its type.
    pub(in crate::scope) fn judge(&mut self, expr: &Expr) -> Type {
        typing::check(expr, &self.symbols, &mut self.errors)
    }

    /// Resolves the names of an expression.
    pub(in crate::scope) fn names(&mut self, expr: &mut Expr, scope: &Bindings, stand: Stand) {
        let at = expr.at;
        match &mut expr.kind {
            ExprKind::Variable(variable) => self.read(variable, scope),
            ExprKind::MapProjection(projection) => self.map_projection(projection, scope),
            ExprKind::Unary(Unary::Not, of) => self.names(of, scope, Stand::Test),
            ExprKind::Binary(Binary::And | Binary::Or | Binary::Xor, left, right) => {
                self.names(left, scope, Stand::Test);
                self.names(right, scope, Stand::Test);
            }
            ExprKind::Call(call) => {
                if let Some(row) = functions::named(&call.name) {
                    call.name = row.name.into();
                }
                let is_exists = call.name.eq_ignore_ascii_case("exists");
                let stand = if is_exists { Stand::Test } else { Stand::Value };
                for argument in &mut call.arguments {
                    self.names(argument, scope, stand);
                }
            }
            ExprKind::Case(case) => self.case(case, scope),
            ExprKind::Comprehension(own) | ExprKind::Quantified(_, own) => {
                self.comprehension(own, scope);
            }
            ExprKind::Reduce(reduce) => self.reduce(reduce, scope),
            ExprKind::PatternComprehension(own) => self.with_reads(at, |resolver| {
                resolver.pattern_comprehension(own, scope);
            }),
            ExprKind::Pattern(pattern) => {
                self.with_reads(at, |resolver| resolver.bound_pattern(pattern, scope));
                if stand == Stand::Value {
                    self.refuse(pattern_as_value(at));
                    // Its type has to make no further error.
                    expr.kind = ExprKind::Literal(Literal::Null);
                }
            }
            ExprKind::ShortestPath(pattern) => {
                self.with_reads(at, |resolver| resolver.bound_pattern(pattern, scope));
            }
            ExprKind::Subquery(kind, query) => {
                let kind = *kind;
                self.with_reads(at, |resolver| resolver.subquery(kind, query, scope));
            }
            ExprKind::Literal(_)
            | ExprKind::Parameter(_)
            | ExprKind::CountAll
            | ExprKind::List(_)
            | ExprKind::Map(_)
            | ExprKind::Property(..)
            | ExprKind::Index(..)
            | ExprKind::Slice(..)
            | ExprKind::HasLabels(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Comparisons(..)
            | ExprKind::IsNull(..)
            | ExprKind::IsType(..)
            | ExprKind::IsNormalized(..) => {
                expr.each_part_mut(&mut |part| self.names(part, scope, Stand::Value));
            }
        }
    }

    /// Notes what an expression at a place reads; a function resolves its names.
    fn with_reads(&mut self, at: TextPosition, resolve: impl FnOnce(&mut Self)) {
        let before = self.reads.len();
        resolve(self);
        let reads = self.reads.get(before..).unwrap_or_default().to_vec();
        self.inner_reads.insert(at, reads);
    }

    fn map_projection(&mut self, projection: &mut MapProjection, scope: &Bindings) {
        self.read(&mut projection.variable, scope);
        for item in &mut projection.items {
            match item {
                MapItem::Property(_) | MapItem::AllProperties => {}
                MapItem::Variable(variable) => self.read(variable, scope),
                MapItem::Entry(_, value) => self.names(value, scope, Stand::Value),
            }
        }
    }

    fn case(&mut self, case: &mut Case, scope: &Bindings) {
        let stand = if case.subject.is_some() { Stand::Value } else { Stand::Test };
        if let Some(subject) = &mut case.subject {
            self.names(subject, scope, Stand::Value);
        }
        for (tests, value) in &mut case.branches {
            for test in tests {
                match test {
                    CaseTest::Value(test) | CaseTest::Test(test) => self.names(test, scope, stand),
                }
            }
            self.names(value, scope, Stand::Value);
        }
        if let Some(value) = &mut case.otherwise {
            self.names(value, scope, Stand::Value);
        }
    }

    fn comprehension(&mut self, own: &mut Comprehension, scope: &Bindings) {
        self.names(&mut own.list, scope, Stand::Value);
        let entry = type_of(&own.list, &self.symbols).entry();
        let mut inner = scope.clone();
        self.define(&mut own.variable, entry, &mut inner);
        if let Some(test) = &mut own.test {
            self.names(test, &inner, Stand::Test);
        }
        if let Some(value) = &mut own.value {
            self.names(value, &inner, Stand::Value);
        }
    }

    fn reduce(&mut self, reduce: &mut Reduce, scope: &Bindings) {
        self.names(&mut reduce.start, scope, Stand::Value);
        self.names(&mut reduce.list, scope, Stand::Value);
        let start = type_of(&reduce.start, &self.symbols);
        let entry = type_of(&reduce.list, &self.symbols).entry();
        let mut inner = scope.clone();
        self.define(&mut reduce.accumulator, start.clone(), &mut inner);
        if reduce.variable.name == reduce.accumulator.name {
            let Variable { at, name, .. } = &reduce.variable;
            self.refuse(faults::already_bound(*at, name));
        }
        self.define(&mut reduce.variable, entry, &mut inner);
        self.names(&mut reduce.next, &inner, Stand::Value);
        // The accumulator has the type of the start in the first round only.
        let is_stable = type_of(&reduce.next, &self.symbols) == start;
        if let (false, Some(symbol)) = (is_stable, reduce.accumulator.symbol) {
            self.symbols.retype(symbol, Type::Any);
        }
    }

    fn pattern_comprehension(&mut self, own: &mut PatternComprehension, scope: &Bindings) {
        let mut inner = scope.clone();
        if let Some(path) = &own.pattern.variable {
            // The path hides an outer variable; the nodes and relationships of its pattern are those outside.
            inner.hide(&path.name);
        }
        self.matched(std::slice::from_mut(&mut own.pattern), &mut inner, false);
        if let Some(test) = &mut own.test {
            self.names(test, &inner, Stand::Test);
        }
        self.names(&mut own.value, &inner, Stand::Value);
    }

    fn subquery(&mut self, kind: SubqueryKind, query: &mut Query, scope: &Bindings) {
        let within = match kind {
            SubqueryKind::Exists | SubqueryKind::Count => Within::Test,
            SubqueryKind::Collect => Within::Collect,
        };
        let was_expression = std::mem::replace(&mut self.is_expression, true);
        self.query(query, &Start::at(scope.inside()), within);
        self.is_expression = was_expression;
    }
}

fn pattern_as_value(at: TextPosition) -> millrace_model::Error {
    let detail = "A pattern expression can only be used to test the existence of a pattern";
    faults::syntax(at, detail).with_help("write COUNT { pattern } or [path = pattern | path]")
}
