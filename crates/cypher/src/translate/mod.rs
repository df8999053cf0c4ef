//! The state of a translation: a plan under construction, and the column of each variable of its rows.
//!
//! Expressions, patterns and clauses add operators here, each in a module of its own above: no tree is translated here.
//! A tree that comes here was resolved by `scope`: whatever is wrong with a text was found there.
//!
//! An expression may hold a query, and a query has clauses, which have expressions. This circle is closed here, by
//! [`Nested`], and nowhere else.

mod nested;
mod parameters;

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::compare::CompareMode;
use millrace_model::{Error, ErrorKind, Phase, Result, TextPosition, Value};
use millrace_plan::op::{self, ApplyKind};
use millrace_plan::{ColumnId, End, Expr, Hints, Pipeline, Plan, PlanBuilder, Signatures};

use crate::tree;
use crate::types::{Symbols, Type};

pub(crate) use nested::Nested;
pub(crate) use parameters::Parameters;

/// The columns of variables.
pub(crate) type Columns = BTreeMap<tree::Symbol, ColumnId>;

/// The columns of a record of `LOAD CSV` besides its fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) file: ColumnId,
    pub(crate) line: ColumnId,
}

/// A translation under way.
pub(crate) struct Translator<'a> {
    pub(crate) plan: PlanBuilder,
    pub(crate) symbols: &'a Symbols,
    pub(crate) hints: &'a Hints,
    pub(crate) signatures: &'a Signatures,
    /// What translates the queries and patterns inside of expressions.
    pub(crate) nested: &'a dyn Nested,
    pub(crate) parameters: Parameters,
    /// The columns of the variables of a row, where the open pipeline ends.
    pub(crate) columns: Columns,
    /// Those of the outer query, which all clauses of a subquery see.
    outer: Columns,
    /// Variables that are never null: nodes and relationships that a pattern found or made.
    certain: BTreeSet<tree::Symbol>,
    /// Within how many expressions that are evaluated for entries of lists or edges of paths, which no operator makes.
    pub(crate) inside: u32,
    /// Whether a `DELETE` stands before.
    deletes: bool,
    /// The columns of variables of a pattern that are read before they are made: null.
    pub(crate) pending: Columns,
    /// The record that a row comes from; `None` also behind an aggregate and `DISTINCT`.
    pub(crate) record: Option<Record>,
    /// Expressions that a column holds already: keys of groups and aggregates.
    pub(crate) known: Vec<(tree::Expr, ColumnId)>,
}

impl<'a> Translator<'a> {
    pub(crate) fn new(
        symbols: &'a Symbols,
        hints: &'a Hints,
        signatures: &'a Signatures,
        nested: &'a dyn Nested,
    ) -> Translator<'a> {
        Translator {
            plan: PlanBuilder::new(CompareMode::NullIsUnknown).sorted_only(),
            symbols,
            hints,
            signatures,
            nested,
            parameters: Parameters::default(),
            columns: Columns::new(),
            outer: Columns::new(),
            certain: BTreeSet::new(),
            inside: 0,
            deletes: false,
            pending: Columns::new(),
            record: None,
            known: Vec::new(),
        }
    }

    /// The plan, with its output columns.
    pub(crate) fn finish(self, output: Vec<ColumnId>) -> (Plan, Parameters) {
        (self.plan.finish(output), self.parameters)
    }

    /// The column of a variable.
    pub(crate) fn column_of(&self, variable: &tree::Variable) -> Result<ColumnId> {
        let pending = || self.pending.get(&variable.symbol?).copied();
        self.bound_column(variable).or_else(pending).ok_or_else(|| {
            let detail = format!("variable `{}` has no column", variable.name);
            Error::new(ErrorKind::Bug, detail).at(variable.at)
        })
    }

    /// The column of a variable, if it has a value already.
    pub(crate) fn bound_column(&self, variable: &tree::Variable) -> Option<ColumnId> {
        self.columns.get(&variable.symbol?).copied()
    }

    /// Variables that are read before they are made are null until then.
    pub(crate) fn pend(&mut self, variable: &tree::Variable) {
        if let Some(symbol) = variable.symbol {
            let null = self.plan.project(variable.name.trim_start(), Expr::Literal(Value::Null));
            self.pending.insert(symbol, null);
        }
    }

    /// A new column for a variable.
    pub(crate) fn new_column(&mut self, variable: &tree::Variable) -> ColumnId {
        self.plan.column(variable.name.trim_start())
    }

    /// From now on the variable has this column.
    pub(crate) fn bind(&mut self, variable: &tree::Variable, column: ColumnId) {
        if let Some(symbol) = variable.symbol {
            self.columns.insert(symbol, column);
        }
    }

    /// A column with the value of an expression: that of a column itself, or a new one.
    pub(crate) fn as_column(&mut self, name: &str, expr: Expr) -> ColumnId {
        if let Expr::Column(column) = expr {
            return column;
        }
        self.plan.project(name.trim_start(), expr)
    }

    /// A pipeline that starts from the rows of now; variables that it binds end with it.
    pub(crate) fn sub<T>(
        &mut self,
        build: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(Pipeline, T)> {
        let (columns, known) = (self.columns.clone(), self.known.clone());
        let (certain, record) = (self.certain.clone(), self.record);
        self.plan.begin_pipeline();
        let built = build(self);
        let pipeline = self.plan.end_pipeline();
        (self.columns, self.known, self.certain) = (columns, known, certain);
        self.record = record;
        Ok((pipeline, built?))
    }

    /// A parameter's value.
    pub(crate) fn parameter(&mut self, name: &tree::Name) -> Expr {
        let Translator { parameters, plan, .. } = self;
        parameters.expr(plan, name)
    }

    /// A query inside of another, which sees the variables of now in all of its clauses.
    pub(crate) fn inner_query(&mut self, query: &tree::Query) -> Result<Vec<ColumnId>> {
        let outer = std::mem::replace(&mut self.outer, self.columns.clone());
        let columns = self.nested.query(self, query);
        self.outer = outer;
        columns
    }

    /// The columns of the outer query.
    pub(crate) fn outer_columns(&self) -> &Columns {
        &self.outer
    }

    /// Runs a subplan for each row.
    pub(crate) fn apply(&mut self, sub: Pipeline, kind: ApplyKind) {
        self.plan.push(op::Apply { sub, kind });
    }

    /// The variable is never null from now on.
    pub(crate) fn is_there(&mut self, variable: &tree::Variable) {
        self.certain.extend(variable.symbol);
    }

    /// Whether an expression is a variable that is never null.
    pub(crate) fn is_certain(&self, expr: &tree::Expr) -> bool {
        match &expr.kind {
            tree::ExprKind::Variable(variable) => {
                variable.symbol.is_some_and(|symbol| self.certain.contains(&symbol))
            }
            _ => false,
        }
    }

    /// Elements were deleted: from now on what is read of one is looked at first.
    pub(crate) fn deletes_before(&mut self) {
        self.deletes = true;
    }

    /// An element that is read: an error where it was deleted. `only_edges`: of a node that is gone, nothing is read.
    pub(crate) fn living(&self, element: Expr, kind: &Type, only_edges: bool) -> Expr {
        let may_be = kind.is_element() || kind.is_open();
        if !self.deletes || !may_be || only_edges && *kind == Type::Node {
            return element;
        }
        Expr::Living { element: Box::new(element), only_edges }
    }

    /// Keeps the type and the ends of a relationship that is about to be deleted: they may still be asked for.
    pub(crate) fn keep_record(&mut self, of: &tree::Expr, edge: &Expr) {
        let edge = || Box::new(edge.clone());
        self.keep_call("type", of, Expr::EdgeType(edge()));
        self.keep_ends(of, &edge());
    }

    /// Keeps the ends alone.
    pub(crate) fn keep_ends(&mut self, of: &tree::Expr, edge: &Expr) {
        for (name, end) in [("startNode", End::Source), ("endNode", End::Target)] {
            let edge = Box::new(edge.clone());
            self.keep_call(name, of, Expr::EdgeEnd { edge, end });
        }
    }

    /// The variables of rows that hold relationships, with their columns.
    pub(crate) fn relationships(&self) -> Vec<(tree::Expr, ColumnId)> {
        let at = TextPosition { line: 1, column: 1 };
        let is_one = |symbol: &tree::Symbol| *self.symbols.type_of(*symbol) == Type::Relationship;
        let variable = |(&symbol, &column): (&tree::Symbol, &ColumnId)| {
            let name = self.symbols.name(symbol)?.clone();
            let variable = tree::Variable { at, name, symbol: Some(symbol) };
            Some((tree::Expr::new(at, tree::ExprKind::Variable(variable)), column))
        };
        self.columns.iter().filter(|(symbol, _)| is_one(symbol)).filter_map(variable).collect()
    }

    fn keep_call(&mut self, name: &str, of: &tree::Expr, value: Expr) {
        let call = tree::FunctionCall {
            name: tree::Name::from(name),
            distinct: false,
            arguments: vec![of.clone()],
        };
        let asked = tree::Expr::new(of.at, tree::ExprKind::Call(call));
        let column = self.plan.project(name, value);
        self.known.push((asked, column));
    }

    /// Begins anew with these variables only.
    pub(crate) fn keep_only(&mut self, columns: Columns) {
        self.columns = self.outer.clone();
        self.columns.extend(columns);
        self.known.clear();
    }

    /// A column that holds the expression already.
    pub(crate) fn known_column(&self, expr: &tree::Expr) -> Option<ColumnId> {
        let known = self.known.iter().rev();
        known.into_iter().find(|(own, _)| own.is_same(expr)).map(|(_, column)| *column)
    }
}

/// What a plan cannot say.
pub(crate) fn unsupported(at: TextPosition, what: &str, help: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{what} is not supported"))
        .with_help(help)
        .in_phase(Phase::Compile)
        .at(at)
}
