//! The values of a property that has several.

use crate::base::ColumnId;
use crate::expr::Expr;
use crate::op::facts::{DependsOn, Distinct, Facts, and_made};
use crate::printer::Printer;

/// Each row, once for every value of a property; a property with a single value, null and absent
/// too, gives that value, of ordinal 0. Weights multiply.
#[derive(Clone, Debug, PartialEq)]
pub struct UnwindValues {
    /// The property.
    pub property: Expr,
    /// The new column.
    pub to: ColumnId,
    /// A new column for the value's ordinal.
    pub ordinal: Option<ColumnId>,
}

impl Facts for UnwindValues {
    fn print(&self, printer: &Printer<'_>) -> String {
        let [property, to] = [printer.expr(&self.property), printer.column(self.to)];
        format!("UnwindValues {property} as {to}{}", printer.optional(" at ", self.ordinal))
    }

    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.property]
    }

    fn made_columns(&self) -> Vec<ColumnId> {
        std::iter::once(self.to).chain(self.ordinal).collect()
    }

    fn optional_columns_mut(&mut self) -> Vec<&mut Option<ColumnId>> {
        vec![&mut self.ordinal]
    }

    fn distinct_after(&self, before: Distinct) -> Distinct {
        and_made(before, &[self.ordinal.unwrap_or(self.to)])
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Row { drops: true }
    }
}
