//! `dql.index_language`: a mutation brings the first values of a predicate in a language.

use std::sync::Arc;

use millrace_dql::schema::GraphSchema;
use millrace_dql::tree::SchemaItem;
use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::{Column, Result};
use millrace_plan::{Signature, ValueType};
use millrace_store::non_blocking;

use super::alter::wanted_indexes;
use super::indexes::indexes_of;
use crate::limits::LANGUAGES_INDEXED_MAX;

/// The procedure.
pub(super) struct IndexLanguage;

impl Procedure for IndexLanguage {
    fn signature(&self) -> Signature {
        let description = "Makes the indexes of a predicate of DQL for its values in a language, unless they are there.";
        Signature::reading("dql.index_language", description)
            .argument("predicate", ValueType::Text)
            .argument("language", ValueType::Text)
            .writing()
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        non_blocking::would_block()?;
        for row in 0..len {
            let arguments = Arguments { columns, row };
            let (name, language) = (arguments.must_text(0)?, arguments.must_text(1)?);
            let known = GraphSchema::of(&context.catalog()).predicate(&name);
            let Some(known) = known.filter(|own| own.is_declared) else { continue };
            if LANGUAGES_INDEXED_MAX <= known.languages_indexed.len() {
                continue;
            }
            let schema = millrace_dql::parse_schema(&format!("<{name}>: {known} ."))?;
            let Some(SchemaItem::Predicate(statement)) = schema.items.first() else { continue };
            let mut wanted = indexes_of(statement, &[&language])?.indexes;
            let tagged = format!("{name}@{language}");
            wanted.retain(|index| index.keys.iter().all(|key| **key == *tagged));
            let changes = wanted_indexes(&wanted, context)?.changes;
            context.transaction()?.change_schema(&changes)?;
        }
        Ok(Yielded::void(len))
    }
}
