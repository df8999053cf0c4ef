//! The index of external ids of a graph.

use millrace_model::schema::IndexDefinition;
use millrace_model::{CatalogChange, ErrorKind, Owner, Result};

use super::graphs::Store;
use crate::changes::{Changes, WriteBatch};

/// The index of external ids of vertices, or of edges, made if this is the first of them. A caller
/// that begins at the same time finds it there; another schema change comes first, and then this
/// one.
pub fn make_index(store: &dyn Store, owner: Owner) -> Result<IndexDefinition> {
    loop {
        let snapshot = store.snapshot()?;
        let catalog = snapshot.catalog();
        if let Some(index) = catalog.external_index_of(owner) {
            return Ok(index.clone());
        }
        let define = CatalogChange::CreateIndex(IndexDefinition::of_external_ids_of(owner));
        let batch = WriteBatch {
            snapshot: snapshot.position(),
            catalog_version: catalog.version,
            changes: Changes { catalog: vec![define], ..Changes::default() },
            ..WriteBatch::default()
        };
        drop(snapshot);
        match store.commit(batch).and_then(|ticket| ticket.wait()) {
            Ok(_) => {}
            Err(error) if error.kind == ErrorKind::Conflict => {}
            Err(error) => return Err(error),
        }
    }
}
