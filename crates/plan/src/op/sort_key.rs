//! The keys of an order.

use crate::expr::Expr;
use crate::printer::{Printer, join};

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

impl Printer<'_> {
    pub(crate) fn sort_keys(&self, keys: &[SortKey]) -> String {
        join(keys.iter().map(|key| {
            let direction = if key.descending { " desc" } else { "" };
            let nulls = if key.nulls == Nulls::First { " nulls first" } else { "" };
            format!("{}{direction}{nulls}", self.expr(&key.by))
        }))
    }
}
