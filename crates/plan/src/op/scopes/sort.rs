//! The order of rows.

use crate::expr::Expr;
use crate::op::SortKey;
use crate::op::facts::{DependsOn, Facts};
use crate::printer::Printer;

/// Rows of a scope in order, stable.
#[derive(Clone, Debug, PartialEq)]
pub struct Sort {
    /// The keys, first decides.
    pub keys: Vec<SortKey>,
}

impl Facts for Sort {
    fn print(&self, printer: &Printer<'_>) -> String {
        format!("Sort {}", printer.sort_keys(&self.keys))
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.keys.iter().map(|key| &key.by).collect()
    }

    fn sort_keys(&self) -> Option<&[SortKey]> {
        Some(&self.keys)
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Order
    }
}
