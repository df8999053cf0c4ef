//! `dql.typed`: a value that a query found, as one of the type of the predicate that it is set of.

use std::sync::Arc;

use millrace_dql::value_of_variable;
use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::{Column, Result};
use millrace_plan::{Signature, ValueType};

/// The procedure.
pub(super) struct Typed;

impl Procedure for Typed {
    fn signature(&self) -> Signature {
        let description = "A value as one of a type of DQL: the value, the word of the type, the name of the \
                           predicate that an error says.";
        Signature::reading("dql.typed", description)
            .argument("value", ValueType::Any)
            .argument("type", ValueType::Text)
            .argument("predicate", ValueType::Text)
            .yields("value", ValueType::Any)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, _context: &Context) -> Result<Yielded> {
        let typed = |row: usize| {
            let arguments = Arguments { columns, row };
            let value = columns.first().and_then(|own| own.get(row)).unwrap_or_default();
            let (kind, predicate) = (arguments.must_text(1)?, arguments.must_text(2)?);
            Ok(vec![vec![value_of_variable(&value, &kind, &predicate)?]])
        };
        Yielded::of_rows(1, (0..len).map(typed))
    }
}
