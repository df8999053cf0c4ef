//! The text of a request that may change data: blocks of mutations, an upsert, or a query alone.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase, Result};

use super::{Changes, Mutation};
use crate::text::position;
use crate::tree::{self, Document, Item, MutationKind, Offset};

impl Changes {
    /// Reads `{ set { … } delete { … } }`, `upsert { … }`, or a query.
    pub fn of_text(text: &str) -> Result<Changes> {
        let mut changes = Changes { query: Arc::from(text), ..Changes::default() };
        let mut document = Document::default();
        for item in crate::parse(text)?.items {
            match item {
                Item::Mutation(own) => changes.mutations.push(Mutation::of_tree(own, text)?),
                Item::Upsert(upsert) => {
                    document.items.push(Item::Query(upsert.query));
                    document.items.extend(upsert.fragments.into_iter().map(Item::Fragment));
                    for own in upsert.mutations {
                        changes.mutations.push(Mutation::of_tree(own, text)?);
                    }
                }
                Item::Query(_) | Item::Fragment(_) | Item::Schema(_) => document.items.push(item),
            }
        }
        changes.document = Some(document);
        Ok(changes)
    }
}

impl Mutation {
    fn of_tree(own: tree::Mutation, text: &str) -> Result<Mutation> {
        let mut mutation = Mutation { condition: own.condition, ..Mutation::default() };
        for part in own.parts {
            let quads = match part.kind {
                MutationKind::Set => &mut mutation.set,
                MutationKind::Delete => &mut mutation.delete,
                MutationKind::Schema => return Err(schema_in_mutation(text, part.offset)),
            };
            quads.read_nquads(&part.data.text, text, part.data.offset)?;
        }
        Ok(mutation)
    }
}

/// The form of 2016 had the schema beside the data.
fn schema_in_mutation(text: &str, at: Offset) -> Error {
    let error = Error::new(ErrorKind::Unsupported, "`schema` in a mutation");
    let error = error.in_phase(Phase::Parse).at(position(text, at));
    error.with_help("send the text of a schema to /alter")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_mutations_and_keeps_its_query() {
        let text = "upsert { query { v as var(func: eq(name, \"A\")) }
            mutation @if(eq(len(v), 0)) { set { _:a <name> \"A\" . } delete { uid(v) <age> * . } } }";
        let changes = Changes::of_text(text).unwrap();
        let [only] = changes.mutations.as_slice() else { panic!("{changes:?}") };
        assert!(only.condition.is_some());
        assert_eq!((only.set.rows.len(), only.delete.rows.len()), (1, 1));
        let document = changes.document.unwrap();
        assert!(matches!(document.items.as_slice(), [Item::Query(_)]), "{document:?}");
        let plain = Changes::of_text("{ set { <0x1> <name> \"A\" .\n <0x1> <age> \"7\" . } }").unwrap();
        assert_eq!((plain.mutations.len(), plain.mutations[0].set.rows.len()), (1, 2));
        assert!(plain.document.unwrap().items.is_empty());
    }

    #[test]
    fn a_wrong_quad_has_its_place_in_the_whole_text() {
        let error = Changes::of_text("{\n  set {\n    <0x1> <name> .\n  }\n}").unwrap_err();
        assert_eq!(error.position.map(|at| at.line), Some(3), "{error}");
        let error = Changes::of_text("mutation { schema { name: string . } }").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported, "{error}");
    }
}
