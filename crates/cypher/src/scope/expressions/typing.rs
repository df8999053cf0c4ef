//! Static types of expressions, and the errors where no value can be right.
//!
//! Null is of every type, and what a parameter, a property or an entry of a mixed list holds is unknown: only what is
//! wrong for every value is an error here. Patterns and subqueries were judged when their names were resolved.

use millrace_model::{Error, TextPosition};

use super::operators::{self, Operand};
use crate::functions;
use crate::scope::faults::{fault, wrong_type};
use crate::tree::{
    Case, CaseTest, Clause, Comprehension, Expr, ExprKind, FunctionCall, Literal, MapItem,
    MapProjection, Query, SubqueryKind, Unary,
};
use crate::types::{Symbols, Type};

/// The static type of an expression with resolved names.
pub(crate) fn type_of(expr: &Expr, symbols: &Symbols) -> Type {
    check(expr, symbols, &mut Vec::new())
}

/// The same, with the errors of the expression.
pub(in crate::scope) fn check(expr: &Expr, symbols: &Symbols, errors: &mut Vec<Error>) -> Type {
    Typing { symbols, errors }.of(expr)
}

struct Typing<'e> {
    symbols: &'e Symbols,
    errors: &'e mut Vec<Error>,
}

impl Typing<'_> {
    fn of(&mut self, expr: &Expr) -> Type {
        let at = expr.at;
        match &expr.kind {
            ExprKind::Literal(literal) => literal_type(literal),
            ExprKind::Parameter(_) => Type::Any,
            ExprKind::Variable(variable) => {
                variable.symbol.map_or(Type::Any, |symbol| self.symbols.type_of(symbol).clone())
            }
            ExprKind::List(entries) => Type::list(self.common(entries)),
            ExprKind::Map(entries) => {
                entries.iter().for_each(|(_, value)| self.visit(value));
                Type::Map
            }
            ExprKind::MapProjection(projection) => self.map_projection(projection),
            ExprKind::Property(of, key) => self.property(of, key),
            ExprKind::Index(of, index) => self.index(of, index),
            ExprKind::Slice(of, from, to) => self.slice(of, [from.as_deref(), to.as_deref()]),
            ExprKind::HasLabels(of, labels) => {
                let kind = self.of(of);
                if !kind.overlaps(&Type::Node) && !kind.is_element() {
                    self.refuse(of.at, "Node or Relationship", &kind);
                }
                labels.each_expr(&mut |expr| self.visit(expr));
                Type::Boolean
            }
            ExprKind::Unary(operator, of) => self.unary(*operator, of),
            ExprKind::Binary(operator, left, right) => {
                let (left_type, right_type) = (self.of(left), self.of(right));
                let left = Operand { at: left.at, kind: &left_type };
                let right = Operand { at: right.at, kind: &right_type };
                match operators::binary(*operator, left, right) {
                    Ok(kind) => kind,
                    Err(error) => {
                        self.errors.push(error);
                        Type::Any
                    }
                }
            }
            ExprKind::Comparisons(first, others) => {
                self.visit(first);
                others.iter().for_each(|(_, other)| self.visit(other));
                Type::Boolean
            }
            ExprKind::IsNull(of, _) | ExprKind::IsType(of, ..) | ExprKind::IsNormalized(of, ..) => {
                self.visit(of);
                Type::Boolean
            }
            ExprKind::Call(call) => self.call(at, call),
            ExprKind::CountAll => Type::Integer,
            ExprKind::Case(case) => self.case(case),
            ExprKind::Comprehension(own) => {
                let list = self.comprehension(own);
                match &own.value {
                    Some(value) => Type::list(self.of(value)),
                    // `[x IN value]` is the value itself.
                    None if own.test.is_none() => list,
                    None => Type::list(list.entry()),
                }
            }
            ExprKind::Quantified(_, own) => {
                self.comprehension(own);
                Type::Boolean
            }
            ExprKind::Reduce(reduce) => {
                let start = self.of(&reduce.start);
                self.list(&reduce.list);
                start.join(&self.of(&reduce.next))
            }
            ExprKind::PatternComprehension(own) => {
                own.test.iter().for_each(|test| self.test(test));
                Type::list(self.of(&own.value))
            }
            ExprKind::Pattern(_) => Type::Boolean,
            ExprKind::ShortestPath(pattern) => operators::shortest_type(&pattern.selector),
            ExprKind::Subquery(kind, query) => self.subquery(*kind, query),
        }
    }

    fn visit(&mut self, expr: &Expr) {
        let _: Type = self.of(expr);
    }

    fn refuse(&mut self, at: TextPosition, wanted: &str, is: &Type) {
        self.errors.push(wrong_type(at, wanted, &is.to_string()));
    }

    fn wants(&mut self, expr: &Expr, wanted: &Type) -> Type {
        let kind = self.of(expr);
        if !kind.overlaps(wanted) {
            self.refuse(expr.at, &wanted.to_string(), &kind);
        }
        kind
    }

    fn test(&mut self, expr: &Expr) {
        self.wants(expr, &Type::Boolean);
    }

    /// The type of the entries of a list.
    fn list(&mut self, expr: &Expr) -> Type {
        self.wants(expr, &Type::list(Type::Any)).entry()
    }

    fn common<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Type {
        exprs.into_iter().fold(Type::Null, |common, expr| common.join(&self.of(expr)))
    }

    /// The type of the list.
    fn comprehension(&mut self, own: &Comprehension) -> Type {
        let list = self.wants(&own.list, &Type::list(Type::Any));
        own.test.iter().for_each(|test| self.test(test));
        list
    }

    fn map_projection(&mut self, projection: &MapProjection) -> Type {
        let variable = &projection.variable;
        let kind = variable.symbol.map_or(Type::Any, |symbol| self.symbols.type_of(symbol).clone());
        if !kind.overlaps(&Type::Map) && !kind.is_element() {
            self.refuse(variable.at, "Map, Node or Relationship", &kind);
        }
        for item in &projection.items {
            match item {
                MapItem::Property(_) | MapItem::AllProperties | MapItem::Variable(_) => {}
                MapItem::Entry(_, value) => self.visit(value),
            }
        }
        Type::Map
    }

    fn property(&mut self, of: &Expr, key: &str) -> Type {
        let kind = self.of(of);
        if !kind.has_keys() {
            self.refuse(
                of.at,
                "Map, Node, Relationship, Point, Duration or a temporal value",
                &kind,
            );
        }
        operators::component(&kind, key)
    }

    fn index(&mut self, of: &Expr, index: &Expr) -> Type {
        let (kind, key) = (self.of(of), self.of(index));
        match &kind {
            Type::List(entry) => {
                if !key.overlaps(&Type::Integer) {
                    self.refuse(index.at, "Integer", &key);
                }
                (**entry).clone()
            }
            kind if kind.has_keys() => {
                if !kind.is_open() && !key.overlaps(&Type::String) {
                    self.refuse(index.at, "String", &key);
                }
                if kind.is_element() { Type::Property } else { Type::Any }
            }
            kind => {
                self.refuse(of.at, "List, Map, Node or Relationship", kind);
                Type::Any
            }
        }
    }

    fn slice(&mut self, of: &Expr, bounds: [Option<&Expr>; 2]) -> Type {
        let list = self.wants(of, &Type::list(Type::Any));
        for bound in bounds.into_iter().flatten() {
            let kind = self.of(bound);
            if !kind.overlaps(&Type::Integer) {
                self.refuse(bound.at, "Integer", &kind);
            }
        }
        list
    }

    fn unary(&mut self, operator: Unary, of: &Expr) -> Type {
        match operator {
            Unary::Not => {
                self.test(of);
                Type::Boolean
            }
            Unary::Minus | Unary::Plus => {
                let kind = self.of(of);
                if !kind.overlaps(&Type::Number) && kind != Type::Duration {
                    self.refuse(of.at, "Integer, Float or Duration", &kind);
                }
                kind
            }
        }
    }

    fn case(&mut self, case: &Case) -> Type {
        let has_subject = case.subject.is_some();
        case.subject.iter().for_each(|subject| self.visit(subject));
        let mut result = Type::Null;
        for (tests, value) in &case.branches {
            for test in tests {
                match test {
                    CaseTest::Value(value) if has_subject => self.visit(value),
                    CaseTest::Value(test) | CaseTest::Test(test) => self.test(test),
                }
            }
            result = result.join(&self.of(value));
        }
        case.otherwise.iter().fold(result, |result, value| result.join(&self.of(value)))
    }

    fn call(&mut self, at: TextPosition, call: &FunctionCall) -> Type {
        let types: Vec<Type> = call.arguments.iter().map(|argument| self.of(argument)).collect();
        let Some(row) = functions::named(&call.name) else {
            let error = fault("UnknownFunction", at, format!("Unknown function '{}'", call.name));
            self.errors.push(match functions::remedy(&call.name) {
                Some(remedy) => error.with_help(remedy),
                None => error,
            });
            return Type::Any;
        };
        let count = types.len();
        if count < row.arguments_min() || row.arguments_max().is_some_and(|most| most < count) {
            let word = if count < row.arguments_min() { "Insufficient" } else { "Too many" };
            let detail = format!("{word} parameters for function '{}'", row.name);
            let error = fault("InvalidNumberOfArguments", at, detail);
            self.errors.push(error.with_help(row.signature()));
        }
        if call.distinct && !row.is_aggregate {
            let detail = format!("Invalid use of DISTINCT with function '{}'", row.name);
            self.errors.push(fault("UnexpectedSyntax", at, detail));
        }
        for (index, (argument, kind)) in call.arguments.iter().zip(&types).enumerate() {
            let Some(wanted) = row.argument(index).filter(|_| row.is_checked) else { break };
            if !wanted.kind.accepts(kind) {
                self.refuse(argument.at, &wanted.kind.to_string(), kind);
            }
        }
        row.result(&types)
    }

    fn subquery(&mut self, kind: SubqueryKind, query: &Query) -> Type {
        let column = || {
            let last = query.parts.first().and_then(|part| part.clauses.last());
            let Some(Clause::Return(projection)) = last else { return Type::Any };
            let alias = projection.items.first().and_then(|item| item.alias.as_ref());
            let symbol = alias.and_then(|alias| alias.symbol);
            symbol.map_or(Type::Any, |symbol| self.symbols.type_of(symbol).clone())
        };
        match kind {
            SubqueryKind::Exists => Type::Boolean,
            SubqueryKind::Count => Type::Integer,
            SubqueryKind::Collect => Type::list(column()),
        }
    }
}

fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Boolean(_) => Type::Boolean,
        Literal::Integer(_) => Type::Integer,
        Literal::Float(_) => Type::Float,
        Literal::String(_) => Type::String,
    }
}
