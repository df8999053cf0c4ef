//! One change of the catalog, as a transaction or a store makes it.

use std::sync::Arc;

use super::definition::{IndexDefinition, Owner, PropertyDefinition};
use crate::base::ids::{EdgeTypeId, IndexId, KeyId};

/// The beginning of the names of notes that define how data is read, as a front end's schema: a change of one is a new
/// version of the catalog, like any other change of a definition.
pub(super) const DEFINITION_NOTES: &str = "definition.";

/// One change of the catalog. Names must be interned before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogChange {
    /// A label or edge type is defined, so that it is listed before its first use.
    CreateOwner(Owner),
    /// A label or edge type is listed no more.
    DropOwner(Owner),
    /// A property is defined.
    CreateProperty(PropertyDefinition),
    /// A property's definition ends.
    DropProperty(Owner, KeyId),
    /// An index is made; its `id` is given by the store.
    CreateIndex(IndexDefinition),
    /// An index ends, ready or not.
    DropIndex(IndexId),
    /// A type is a set from now on: at most one edge of it from a source to a target.
    CreateSet(EdgeTypeId),
    /// A type is a set no more.
    DropSet(EdgeTypeId),
    /// Whether every transaction of the graph must be serializable.
    DemandSerializable(bool),
    /// A store begins to make an index beside its writers. This and those below are a store's own,
    /// and refused in a write set.
    BuildIndex(IndexDefinition),
    /// Writers keep to a unique index that is being made.
    EnforceIndex(IndexId),
    /// An index that was being made is ready.
    FinishIndex(IndexId),
    /// Writers keep to a definition while the existing data is validated.
    CheckProperty(PropertyDefinition),
    /// The existing data violates that definition: it ends.
    AbandonProperty(Owner, KeyId),
    /// A note is set, or taken away: a named text that belongs to the graph and to no element, such
    /// as how far a load is. It is no definition, judges no data and changes no version, unless its name begins with
    /// `definition.`.
    SetNote(Arc<str>, Option<Arc<str>>),
}

impl CatalogChange {
    /// Whether only a store makes it, as a step of another change.
    pub fn is_internal(&self) -> bool {
        match self {
            CatalogChange::CreateOwner(_)
            | CatalogChange::DropOwner(_)
            | CatalogChange::CreateProperty(_)
            | CatalogChange::DropProperty(..)
            | CatalogChange::CreateIndex(_)
            | CatalogChange::DropIndex(_)
            | CatalogChange::CreateSet(_)
            | CatalogChange::DropSet(_)
            | CatalogChange::DemandSerializable(_)
            | CatalogChange::SetNote(..) => false,
            CatalogChange::BuildIndex(_)
            | CatalogChange::EnforceIndex(_)
            | CatalogChange::FinishIndex(_)
            | CatalogChange::CheckProperty(_)
            | CatalogChange::AbandonProperty(..) => true,
        }
    }

    /// Whether it sets a note that affects only readers of that note: one that defines something raises the version.
    pub fn is_note(&self) -> bool {
        matches!(self, CatalogChange::SetNote(name, _) if !name.starts_with(DEFINITION_NOTES))
    }
}
