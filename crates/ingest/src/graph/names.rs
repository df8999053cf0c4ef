//! Names to the store's numbers, and the unique index that an external name needs.

use millrace_model::schema::{CatalogChange, IndexDefinition, IndexKind};
use millrace_model::{KeyId, LabelId, Owner, Result};
use millrace_store::{Changes, Labels, NameKind, Store, WriteBatch};
use std::sync::Arc;

/// The numbers of names of one kind, in their order.
pub(crate) fn intern<'a>(
    store: &dyn Store,
    kind: NameKind,
    names: impl Iterator<Item = &'a str>,
) -> Result<Vec<u32>> {
    let names: Vec<_> = names.map(|name| (kind, name)).collect();
    if names.is_empty() { Ok(Vec::new()) } else { store.intern(&names) }
}

/// A label set in the store's form: ascending, each label once.
pub(crate) fn labels_of(mut numbers: Vec<u32>) -> Labels {
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().map(LabelId).collect::<Vec<_>>().into()
}

/// Declares a unique index over one key unless there is one; says whether it was there.
pub(crate) fn ensure_unique(store: &dyn Store, owner: Owner, key: KeyId) -> Result<bool> {
    let snapshot = store.snapshot()?;
    let catalog = snapshot.catalog();
    let known = catalog.index(owner, &[key]);
    if known.is_some_and(|index| index.kind == IndexKind::Unique) {
        return Ok(true);
    }
    let declare =
        CatalogChange::CreateIndex(IndexDefinition::new(owner, vec![key], IndexKind::Unique));
    let changes = Changes { catalog: vec![declare], ..Changes::default() };
    let batch = WriteBatch {
        snapshot: snapshot.position(),
        catalog_version: catalog.version,
        changes,
        ..WriteBatch::default()
    };
    store.commit(batch)?.wait()?;
    Ok(false)
}

/// One name in the store's numbers.
pub(crate) fn intern_one(store: &dyn Store, kind: NameKind, name: &str) -> Result<u32> {
    Ok(store.intern(&[(kind, name)])?[0])
}

/// A label set of names in the store's form.
pub(crate) fn intern_labels(store: &dyn Store, names: &[Arc<str>]) -> Result<Labels> {
    intern(store, NameKind::Label, names.iter().map(|name| &**name)).map(labels_of)
}
