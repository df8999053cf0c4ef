//! Rows that fulfil a condition.

use crate::expr::Expr;
use crate::op::facts::{DependsOn, Facts};
use crate::printer::Printer;

/// Keeps rows for which the predicate is true; unknown is false.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The condition; rows where it is false or unknown are dropped.
    pub predicate: Expr,
}

impl Facts for Filter {
    fn print(&self, printer: &Printer<'_>) -> String {
        format!("Filter {}", printer.expr(&self.predicate))
    }

    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.predicate]
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }
}
