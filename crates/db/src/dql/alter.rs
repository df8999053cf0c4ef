//! `dql.alter`: the schema of a graph changes. What data has to go with it is removed by the plan that calls.

use std::sync::Arc;

use millrace_dql::schema::{self, GraphSchema, PREDICATE_NOTE, Predicate, TYPE_NOTE};
use millrace_dql::tree::SchemaItem;
use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::{CatalogChange, Column, Error, ErrorKind, KeyId, Result};
use millrace_plan::{Signature, ValueType};
use millrace_store::{NameKind, non_blocking};

use super::indexes;

/// The procedure.
pub(super) struct Alter;

impl Procedure for Alter {
    fn signature(&self) -> Signature {
        let description = "Changes the schema of DQL: `schema` with its text, `all`, `data`, `predicate` or \
                           `type` with a name. Data is not removed.";
        Signature::reading("dql.alter", description)
            .argument("operation", ValueType::Text)
            .argument("argument", ValueType::Text)
            .writing()
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        non_blocking::would_block()?;
        for row in 0..len {
            let arguments = Arguments { columns, row };
            let (operation, argument) = (arguments.must_text(0)?, arguments.must_text(1)?);
            match &*operation {
                "schema" => set_schema(&argument, context)?,
                "all" => drop_all(context)?,
                "data" => {}
                "predicate" => drop_predicate(&argument, context)?,
                "type" => drop_type(&argument, context)?,
                other => {
                    let detail = format!("there is no operation `{other}`");
                    return Err(Error::new(ErrorKind::BadQuery, detail));
                }
            }
        }
        Ok(Yielded::void(len))
    }
}

/// Sets the predicates and types of a text.
fn set_schema(text: &str, context: &Context) -> Result<()> {
    let parsed = millrace_dql::parse_schema(text)?;
    let mut changes = Vec::new();
    for item in &parsed.items {
        match item {
            SchemaItem::Predicate(statement) => {
                let name = &statement.predicate.text;
                let predicate = Predicate::checked(statement, text)?;
                let note = format!("{PREDICATE_NOTE}{name}").into();
                changes.push(CatalogChange::SetNote(note, Some(predicate.to_string().into())));
                let key = intern(name, context)?;
                changes.extend(indexes::changes(&context.catalog(), key, Some(&predicate)));
            }
            SchemaItem::Type(own) => {
                schema::check_type(own, text)?;
                let note = format!("{TYPE_NOTE}{}", own.name.text).into();
                let fields: Vec<&str> =
                    own.fields.iter().map(|field| field.predicate.text.as_str()).collect();
                changes.push(CatalogChange::SetNote(note, Some(fields.join("\n").into())));
            }
        }
    }
    context.transaction()?.change_schema(&changes).map(drop)
}

fn drop_all(context: &Context) -> Result<()> {
    let catalog = context.catalog();
    let schema = GraphSchema::of(&catalog);
    let mut changes = Vec::new();
    for (name, own) in schema.predicates() {
        if let Some(key) = catalog.key(name).filter(|_| own.is_declared) {
            changes.extend(indexes::changes(&catalog, key, None));
        }
    }
    for prefix in [PREDICATE_NOTE, TYPE_NOTE] {
        let notes = catalog.notes.named_from(prefix);
        changes.extend(notes.map(|(note, _)| CatalogChange::SetNote(Arc::clone(note), None)));
    }
    context.transaction()?.change_schema(&changes).map(drop)
}

fn drop_predicate(name: &str, context: &Context) -> Result<()> {
    let catalog = context.catalog();
    let mut changes = vec![CatalogChange::SetNote(format!("{PREDICATE_NOTE}{name}").into(), None)];
    if let Some(key) = catalog.key(name) {
        changes.extend(indexes::changes(&catalog, key, None));
    }
    context.transaction()?.change_schema(&changes).map(drop)
}

fn drop_type(name: &str, context: &Context) -> Result<()> {
    let change = CatalogChange::SetNote(format!("{TYPE_NOTE}{name}").into(), None);
    context.transaction()?.change_schema(&[change]).map(drop)
}

fn intern(name: &str, context: &Context) -> Result<KeyId> {
    let numbers = context.transaction()?.intern(&[(NameKind::Key, name)])?;
    let number = numbers.first().copied();
    number.map(KeyId).ok_or_else(|| Error::new(ErrorKind::Bug, "a name without a number"))
}
