//! Columns of expressions.

use crate::base::{ColumnId, ColumnSet, ElementKind, keep_live};
use crate::expr::Expr;
use crate::op::facts::{DependsOn, Facts};
use crate::op::{KnownKinds, MadeKinds};
use crate::printer::{Printer, join};

/// Adds columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// New column and its expression.
    pub columns: Vec<(ColumnId, Expr)>,
}

impl Facts for Project {
    fn print(&self, printer: &Printer<'_>) -> String {
        let column = |(to, expr): &(ColumnId, Expr)| {
            format!("{} = {}", printer.column(*to), printer.expr(expr))
        };
        format!("Project {}", join(self.columns.iter().map(column)))
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.columns.iter().map(|(_, expr)| expr).collect()
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        self.columns.iter().map(|(column, _)| *column).collect()
    }

    fn narrow(&mut self, live: &ColumnSet) -> bool {
        keep_live(&mut self.columns, live)
    }

    fn is_needed(&self, _live: &ColumnSet) -> bool {
        !self.columns.is_empty()
    }

    /// A column under another name is of its kind, and the end of an edge is a vertex.
    fn made_kinds(&self, known: &KnownKinds<'_>) -> MadeKinds {
        let kind = |expr: &Expr| {
            if let Expr::Column(column) = expr {
                return known.of(*column);
            }
            // An element, or null.
            if let Expr::Case { branches, otherwise: None } = expr
                && let [(_, Expr::Column(column))] = branches.as_slice()
            {
                return known.of(*column);
            }
            matches!(expr, Expr::EdgeEnd { .. }).then_some(ElementKind::Vertex)
        };
        self.columns.iter().map(|(to, expr)| (*to, kind(expr))).collect()
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: false }
    }
}
