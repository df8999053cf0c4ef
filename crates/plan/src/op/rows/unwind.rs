//! The entries of a list.

use crate::base::ColumnId;
use crate::expr::Expr;
use crate::op::facts::{DependsOn, Distinct, Facts, and_made};
use crate::printer::Printer;

/// Each row, once for every entry of a list. Null has none; weights multiply.
#[derive(Clone, Debug, PartialEq)]
pub struct Unwind {
    /// The list.
    pub list: Expr,
    /// The new column.
    pub to: ColumnId,
    /// A new column for the place in the list, from 0.
    pub position: Option<ColumnId>,
}

impl Facts for Unwind {
    fn print(&self, printer: &Printer<'_>) -> String {
        let position = printer.optional(" at ", self.position);
        format!("Unwind {} as {}{position}", printer.expr(&self.list), printer.column(self.to))
    }

    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.list]
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        std::iter::once(self.to).chain(self.position).collect()
    }

    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        vec![&mut self.position]
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &[self.position.unwrap_or(self.to)])
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }
}
