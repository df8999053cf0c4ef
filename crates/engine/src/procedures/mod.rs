//! Procedures that a plan may call: one file for each family, one line in a sorted list.
//!
//! A procedure reads the graph and its catalog; it writes nothing. It is called once for a batch of
//! arguments, never once for each row.

mod catalog;

use std::ops::RangeInclusive;
use std::sync::Arc;

use millrace_model::{Column, Result};

use crate::context::Context;

/// A procedure.
pub(crate) trait Procedure: Sync {
    /// The name in a query.
    fn name(&self) -> &'static str;

    /// How many arguments it takes.
    fn arguments(&self) -> RangeInclusive<usize>;

    /// The names of the columns it yields; one without any is void, and keeps its rows.
    fn yields(&self) -> &'static [&'static str];

    /// The rows it yields for `len` rows of arguments, in order of the rows.
    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded>;
}

/// The result of a procedure.
pub(crate) struct Yielded {
    /// For each row the row of arguments that it belongs to.
    pub(crate) rows: Vec<u32>,
    /// A column for each name it yields.
    pub(crate) columns: Vec<Column>,
}

/// All procedures, by name.
pub(crate) fn all() -> &'static [&'static dyn Procedure] {
    const ALL: [&dyn Procedure; 3] =
        [&catalog::AWAIT_INDEXES, &catalog::LABELS, &catalog::RELATIONSHIP_TYPES];
    &ALL
}

/// The procedure of a name.
pub(crate) fn named(name: &str) -> Option<&'static dyn Procedure> {
    all().iter().find(|procedure| procedure.name() == name).copied()
}

#[cfg(test)]
mod tests {
    #[test]
    fn procedures_stand_in_order_of_their_names() {
        assert!(super::all().is_sorted_by_key(|procedure| procedure.name()));
    }
}
