//! The order of rows.

use crate::expr::Expr;
use crate::op::facts::{DependsOn, Facts};
use crate::printer::Printer;

/// Rows of a scope in order, stable.
#[derive(Clone, Debug, PartialEq)]
pub struct Sort {
    /// The keys, first decides.
    pub keys: Vec<SortKey>,
}

/// One key of a `Sort`.
#[derive(Clone, Debug, PartialEq)]
pub struct SortKey {
    /// The value that is compared, by the order of the plan's compare mode.
    pub by: Expr,
    /// Largest first.
    pub descending: bool,
    /// Where null goes.
    pub nulls: Nulls,
}

/// Where null and absent entries go in an order, apart from its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nulls {
    /// Before all values.
    First,
    /// After all values.
    Last,
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
