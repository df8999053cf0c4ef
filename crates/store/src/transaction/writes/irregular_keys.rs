//! The note of the graph that a key is irregular: some element has several values of it, or null.
//!
//! An index has an entry for each of several values, and none for null, so its order is not that of the elements, and
//! a reader of the first of an order must know. The note stays when the values go: it costs a sort, and no answer.

use std::sync::Arc;

use millrace_model::{Catalog, CatalogChange, Column, KeyId};

use crate::changes::is_irregular;
use crate::transaction::state::write_set::WriteSet;

/// Sets the note if a column is the first of the graph with such values of the key.
pub(in crate::transaction) fn note_irregular(set: &mut WriteSet, key: KeyId, values: &Column) {
    if !is_irregular(values) || set.catalog.is_irregular(key) {
        return;
    }
    let change = CatalogChange::SetNote(Catalog::irregular_note(key), Some("".into()));
    Arc::make_mut(&mut set.catalog).apply(&change);
    set.catalog_changes.push(change);
}
