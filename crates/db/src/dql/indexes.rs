//! Which index of the store a predicate's words mean: one over its values, and one for each way that makes keys.
//!
//! ```text
//!   int float bigfloat exact year month day hour ──> Range      hash bool sha256 ──> Exact
//! ```

use millrace_dql::schema::{Kind, Predicate};
use millrace_model::schema::{IndexDefinition, IndexKind};
use millrace_model::{Catalog, CatalogChange, KeyId, Owner};

/// Words of indexes that are in order.
const ORDERED: [&str; 8] = ["int", "float", "bigfloat", "exact", "year", "month", "day", "hour"];

/// Words of indexes by equal values.
const BY_HASH: [&str; 3] = ["hash", "bool", "sha256"];

/// The kind of the index over a predicate's values; none: it needs none.
fn kind_of(predicate: &Predicate) -> Option<IndexKind> {
    match predicate.kind {
        Kind::Uid => None,
        _ if predicate.is_indexed_by(&ORDERED) => Some(IndexKind::Range),
        _ => predicate.is_indexed_by(&BY_HASH).then_some(IndexKind::Exact),
    }
}

/// The changes that give a key the indexes of a predicate; those of other owners stay.
pub(super) fn changes(catalog: &Catalog, key: KeyId, predicate: Option<&Predicate>) -> Vec<CatalogChange> {
    let wanted = predicate.and_then(kind_of);
    let is_own = |index: &&IndexDefinition| index.keys == [key] && index.kind != IndexKind::Unique && index.method.is_none();
    let own: Vec<&IndexDefinition> = catalog.maintained_of(Owner::AllVertices).filter(is_own).collect();
    let is_there = own.iter().any(|index| Some(index.kind) == wanted);
    let others = own.iter().filter(|index| Some(index.kind) != wanted);
    let mut changes: Vec<CatalogChange> = others.map(|index| CatalogChange::DropIndex(index.id)).collect();
    if let Some(kind) = wanted.filter(|_| !is_there) {
        let index = IndexDefinition::new(Owner::AllVertices, vec![key], kind);
        changes.push(CatalogChange::CreateIndex(index));
    }
    changes
}
