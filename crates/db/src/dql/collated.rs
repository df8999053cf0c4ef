//! `dql.collated`: what a text is ordered by in a language.

use std::sync::Arc;

use millrace_collation::Collation;
use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::{Column, Result, Value};
use millrace_plan::{Signature, ValueType};

/// The procedure.
pub(super) struct Collated;

impl Procedure for Collated {
    fn signature(&self) -> Signature {
        let description = "A key that orders a text as a language does; other values, and all where the tag is of no \
                           language, as they are.";
        Signature::reading("dql.collated", description)
            .argument("value", ValueType::Any)
            .argument("language", ValueType::Text)
            .yields("key", ValueType::Any)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, _context: &Context) -> Result<Yielded> {
        let mut known: Option<(Arc<str>, Option<Collation>)> = None;
        let mut key = |row: usize| {
            let tag = Arguments { columns, row }.must_text(1)?;
            if known.as_ref().is_none_or(|(own, _)| *own != tag) {
                known = Some((Arc::clone(&tag), Collation::of_language(&tag)));
            }
            let collation = known.as_ref().and_then(|(_, own)| own.as_ref());
            let value = columns.first().and_then(|own| own.get(row)).unwrap_or_default();
            let key = match (collation, &value) {
                (Some(collation), Value::String(text)) => Value::from(collation.key(text).as_str()),
                _ => value,
            };
            Ok(vec![vec![key]])
        };
        Yielded::of_rows(1, (0..len).map(&mut key))
    }
}
