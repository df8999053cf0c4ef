//! `dql.define`: predicates that a mutation uses first.

use std::sync::Arc;

use millrace_dql::schema::PREDICATE_NOTE;
use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::{CatalogChange, Column, Result};
use millrace_plan::{Signature, ValueType};
use millrace_store::non_blocking;

use super::alter::first_names;

/// The procedure.
pub(super) struct Define;

impl Procedure for Define {
    fn signature(&self) -> Signature {
        let description =
            "Declares a predicate of DQL, unless it is there: its name and its statement.";
        Signature::reading("dql.define", description)
            .argument("predicate", ValueType::Text)
            .argument("statement", ValueType::Text)
            .writing()
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        non_blocking::would_block()?;
        let catalog = context.catalog();
        let mut changes: Vec<CatalogChange> = first_names(&catalog).into_iter().collect();
        for row in 0..len {
            let arguments = Arguments { columns, row };
            let note: Arc<str> = format!("{PREDICATE_NOTE}{}", arguments.must_text(0)?).into();
            if !catalog.notes.contains_key(&note) {
                changes.push(CatalogChange::SetNote(note, Some(arguments.must_text(1)?)));
            }
        }
        context.transaction()?.change_schema(&changes)?;
        Ok(Yielded::void(len))
    }
}
