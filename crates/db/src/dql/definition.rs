//! The schema of a graph as a text that `/alter`, `dgraph live` and `millrace load --schema` read: what an export as N-Quads
//! has beside the data.

use std::collections::BTreeSet;
use std::sync::Arc;

use millrace_dql::schema::{GraphSchema, Kind, Predicate, TypeField};
use millrace_ingest::export::Definition;
use millrace_model::Catalog;

/// The schema of a graph.
pub(crate) fn definition_of(catalog: &Arc<Catalog>) -> Definition {
    let schema = GraphSchema::of(catalog);
    let mut predicates: Vec<(&Arc<str>, &Predicate)> = schema.shown().collect();
    predicates.retain(|(name, _)| !name.is_empty());
    predicates.sort_unstable_by_key(|(name, _)| Arc::clone(name));
    let is_password = |own: &&(&Arc<str>, &Predicate)| own.1.kind == Kind::Password;
    let passwords: BTreeSet<String> =
        predicates.iter().filter(is_password).map(|(name, _)| name.to_string()).collect();
    let mut text = String::new();
    for (name, predicate) in predicates {
        text.push_str(&format!("[0x0] <{name}>:{predicate} . \n"));
    }
    for (name, fields) in schema.types() {
        let field = |field: &TypeField| {
            let mark = if field.is_reverse { "~" } else { "" };
            format!("\t<{mark}{}>\n", field.predicate)
        };
        let fields: String = fields.iter().map(field).collect();
        text.push_str(&format!("[0x0] type <{name}> {{\n{fields}}}\n"));
    }
    Definition { schema: text, passwords }
}
