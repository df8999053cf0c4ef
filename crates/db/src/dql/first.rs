//! `dql.first`: the first value of a list, in the order in which DQL shows lists.

use std::sync::Arc;

use millrace_dql::first_in_order;
use millrace_engine::Context;
use millrace_engine::procedures::{Procedure, Yielded};
use millrace_model::{Column, Result};
use millrace_plan::{Signature, ValueType};

/// The procedure.
pub(super) struct First;

impl Procedure for First {
    fn signature(&self) -> Signature {
        let description = "The first of the values of a list of DQL, in the order of answers; null if it has none.";
        Signature::reading("dql.first", description)
            .argument("values", ValueType::Any)
            .yields("value", ValueType::Any)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, _context: &Context) -> Result<Yielded> {
        let first = |row: usize| {
            let values = columns.first().and_then(|own| own.get(row)).unwrap_or_default();
            Ok(vec![vec![first_in_order(&values)]])
        };
        Yielded::of_rows(1, (0..len).map(first))
    }
}
