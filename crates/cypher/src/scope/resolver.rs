//! The state of a pass over a statement, and the reading and binding of one variable.

use std::collections::{HashMap, HashSet};

use millrace_model::{Error, TextPosition};
use millrace_plan::{Signatures, nearest};

use super::bindings::Bindings;
use super::faults;
use super::parameters::{ParameterKind, WrittenParameter};
use crate::tree::{Expr, ExprKind, Name, Symbol, Variable};
use crate::types::{Symbols, Type};

/// A pass over a statement.
pub(super) struct Resolver<'s> {
    pub(super) signatures: &'s Signatures,
    pub(super) symbols: Symbols,
    pub(super) errors: Vec<Error>,
    /// Whether a clause that writes was seen.
    pub(super) writes: bool,
    /// Whether the clauses are those of a subquery in an expression, which may not write.
    pub(super) is_expression: bool,
    /// The symbols that were read, in order.
    pub(super) reads: Vec<Symbol>,
    /// What subqueries and patterns in expressions read, by their places.
    pub(super) inner_reads: HashMap<TextPosition, Vec<Symbol>>,
    /// Names that a projection with `DISTINCT` or an aggregate hides from its `ORDER BY`.
    pub(super) hidden: HashSet<Name>,
    /// The parameters that stand for something that is written.
    pub(super) parameters: Vec<WrittenParameter>,
    /// Names that were reported as undefined: once is enough.
    undefined: HashSet<Name>,
}

impl<'s> Resolver<'s> {
    pub(super) fn new(signatures: &'s Signatures) -> Resolver<'s> {
        Resolver {
            signatures,
            symbols: Symbols::default(),
            errors: Vec::new(),
            writes: false,
            is_expression: false,
            reads: Vec::new(),
            inner_reads: HashMap::new(),
            hidden: HashSet::new(),
            parameters: Vec::new(),
            undefined: HashSet::new(),
        }
    }

    /// Adds an error.
    pub(super) fn refuse(&mut self, error: Error) {
        self.errors.push(error);
    }

    /// The errors in the order in which they were found, each once: what a pattern or a `CASE` has twice in the tree is
    /// judged twice.
    pub(super) fn distinct_errors(self) -> Vec<Error> {
        let mut distinct: Vec<Error> = Vec::new();
        for error in self.errors {
            let is_same = |known: &Error| {
                (known.name, known.position, &known.detail)
                    == (error.name, error.position, &error.detail)
            };
            if !distinct.iter().any(is_same) {
                distinct.push(error);
            }
        }
        distinct
    }

    /// Resolves a variable that is read.
    pub(super) fn read(&mut self, variable: &mut Variable, scope: &Bindings) {
        let symbol = variable.symbol.or_else(|| scope.symbol(&variable.name));
        variable.symbol = symbol;
        match symbol {
            Some(symbol) => self.reads.push(symbol),
            None => self.report_undefined(variable, scope),
        }
    }

    fn report_undefined(&mut self, variable: &Variable, scope: &Bindings) {
        if !self.undefined.insert(variable.name.clone()) {
            return;
        }
        let near = nearest(&variable.name, scope.names());
        let mut error = faults::undefined(variable.at, &variable.name, near);
        if self.hidden.contains(&variable.name) {
            error = error.with_help(
                "after DISTINCT or an aggregate only columns of the projection can be read",
            );
        }
        self.refuse(error);
    }

    /// Defines a variable that must be new, and binds it.
    pub(super) fn bind_new(&mut self, variable: &mut Variable, kind: Type, scope: &mut Bindings) {
        if scope.symbol(&variable.name).is_some() {
            self.refuse(faults::already_bound(variable.at, &variable.name));
        }
        self.define(variable, kind, scope);
    }

    /// Defines a variable and binds it; it hides one of its name.
    pub(super) fn define(&mut self, variable: &mut Variable, kind: Type, scope: &mut Bindings) {
        let symbol = self.symbols.define(&variable.name, kind);
        variable.symbol = Some(symbol);
        if !variable.is_anonymous() {
            scope.bind(&variable.name, symbol);
        }
    }

    /// The static type of a variable that is bound; any, if it is not.
    pub(super) fn type_of_variable(&self, variable: &Variable) -> Type {
        variable.symbol.map_or(Type::Any, |symbol| self.symbols.type_of(symbol).clone())
    }

    /// Notes that an expression is written, if it is a parameter.
    pub(super) fn note_parameter(&mut self, expr: &Expr, kind: ParameterKind) {
        if let ExprKind::Parameter(name) = &expr.kind {
            self.parameters.push(WrittenParameter { name: name.clone(), at: expr.at, kind });
        }
    }
}
