//! What `ORDER BY`, and the `WHERE` of a `WITH`, read of a projection.
//!
//! An expression that equals an item is that item's column; of a name, the alias wins over a variable before the
//! projection. Behind an aggregate or `DISTINCT` nothing but columns can be read. In a sort key with an aggregate, an
//! item may stand for an aggregate, a variable or a property only.

use crate::functions::{contains_aggregate, is_aggregate};
use crate::scope::bindings::Bindings;
use crate::scope::expressions::Stand;
use crate::scope::expressions::aggregation::{ambiguous, is_simple};
use crate::scope::faults;
use crate::scope::resolver::Resolver;
use crate::tree::{Expr, ExprKind, Variable};
use crate::types::Type;

/// An item of a projection, as it was written, and its alias.
#[derive(Debug)]
pub(in crate::scope) struct Column {
    pub(in crate::scope) written: Expr,
    pub(in crate::scope) alias: Variable,
}

impl Resolver<'_> {
    /// Resolves a sort key.
    pub(in crate::scope) fn sort_key(
        &mut self,
        key: &mut Expr,
        columns: &[Column],
        visible: &Bindings,
    ) {
        let is_whole = columns.iter().any(|column| column.written.is_same(key));
        let is_mixed = !is_whole && contains_aggregate(key);
        self.read_columns(key, columns, is_mixed);
        let before = self.errors.len();
        self.names(key, visible, Stand::Value);
        self.judge(key);
        if self.errors.len() == before {
            self.refuse_aggregates(key);
        }
    }

    /// Resolves the `WHERE` of a `WITH`.
    pub(in crate::scope) fn projected_test(
        &mut self,
        test: &mut Expr,
        columns: &[Column],
        visible: &Bindings,
    ) {
        self.refuse_aggregates(test);
        self.read_columns(test, columns, false);
        self.names(test, visible, Stand::Test);
        let kind = self.judge(test);
        if !kind.overlaps(&Type::Boolean) {
            self.refuse(faults::wrong_type(test.at, "Boolean", &kind.to_string()));
        }
    }

    /// Puts a column in place of each part that equals its item.
    fn read_columns(&mut self, expr: &mut Expr, columns: &[Column], is_mixed: bool) {
        if let ExprKind::Variable(variable) = &expr.kind
            && columns.iter().any(|column| column.alias.name == variable.name)
        {
            return;
        }
        if let Some(column) = columns.iter().find(|column| column.written.is_same(expr)) {
            if is_mixed && !is_aggregate(expr) && !is_simple(expr) && !is_constant(expr) {
                self.refuse(ambiguous(expr.at));
            }
            let variable = Variable { at: expr.at, ..column.alias.clone() };
            expr.kind = ExprKind::Variable(variable);
            return;
        }
        // Inner variables hide columns: of what binds some, only the list is looked at.
        match &mut expr.kind {
            ExprKind::Comprehension(own) | ExprKind::Quantified(_, own) => {
                self.read_columns(&mut own.list, columns, is_mixed);
            }
            ExprKind::Reduce(reduce) => {
                self.read_columns(&mut reduce.start, columns, is_mixed);
                self.read_columns(&mut reduce.list, columns, is_mixed);
            }
            ExprKind::PatternComprehension(_)
            | ExprKind::Pattern(_)
            | ExprKind::ShortestPath(_)
            | ExprKind::Subquery(..) => {}
            _ => expr.each_part_mut(&mut |part| self.read_columns(part, columns, is_mixed)),
        }
    }
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(_) | ExprKind::Parameter(_))
}
