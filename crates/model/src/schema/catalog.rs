//! The catalog: names and their numbers, and the definitions about them.
//!
//! Names of labels, edge types and keys are append-only and appear on first use; definitions,
//! indexes and constraints change in transactions. A [`Catalog`] is one version of both, a plain
//! value shared by all readers of that version. Versions share what is equal in them: a copy and a
//! change cost the same with 10 indexes and with 10,000.

use std::sync::Arc;

use super::change::CatalogChange;
use super::definition::{IndexBuild, IndexDefinition, IndexKind, Owner, PropertyDefinition};
use super::definitions::Definitions;
use super::names::Names;
use super::notes::Notes;
use crate::base::ids::{EdgeTypeId, IndexId, KeyId, LabelId};

/// Names and definitions at one version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// Grows by one with each transaction that changes definitions.
    pub version: u64,
    /// Label names.
    pub labels: Names,
    /// Edge type names.
    pub edge_types: Names,
    /// Property key names.
    pub keys: Names,
    /// Labels and edge types that were defined, in order of definition.
    pub owners: Definitions<Owner>,
    /// Defined properties.
    pub properties: Definitions<PropertyDefinition>,
    /// Indexes that are ready.
    pub indexes: Definitions<IndexDefinition>,
    /// Edge types with at most one edge from a source to a target.
    pub sets: Definitions<EdgeTypeId>,
    /// Whether every transaction must be serializable.
    pub serializable: bool,
    /// Indexes that are being made.
    pub building: Definitions<IndexBuild>,
    /// Properties that are being defined: writers keep to them, and the existing data is validated.
    pub checking: Definitions<PropertyDefinition>,
    /// Notes, by name.
    pub notes: Notes,
}

impl Catalog {
    /// The label of a name.
    pub fn label(&self, name: &str) -> Option<LabelId> {
        self.labels.number(name).map(LabelId)
    }

    /// The edge type of a name.
    pub fn edge_type(&self, name: &str) -> Option<EdgeTypeId> {
        self.edge_types.number(name).map(EdgeTypeId)
    }

    /// The key of a name.
    pub fn key(&self, name: &str) -> Option<KeyId> {
        self.keys.number(name).map(KeyId)
    }

    /// The index of an owner that finds elements by the whole values of exactly these keys: of several a unique one,
    /// then one without an order.
    pub fn index(&self, owner: Owner, keys: &[KeyId]) -> Option<&IndexDefinition> {
        let indexes = keys.first().map(|key| self.indexes.of_first_key(owner, *key));
        let serving = indexes
            .into_iter()
            .flatten()
            .filter(|index| index.keys == keys && index.kind != IndexKind::Made);
        serving.min_by_key(|index| match index.kind {
            IndexKind::Unique => 0,
            IndexKind::Exact => 1,
            IndexKind::Range | IndexKind::Made => 2,
        })
    }

    /// Whether some element has, or had, several values of a key, or null as its value: an index over it has not one
    /// entry for each element that has the key.
    pub fn is_irregular(&self, key: KeyId) -> bool {
        self.notes.contains_key(&Catalog::irregular_note(key))
    }

    /// The name of the note that says so.
    pub fn irregular_note(key: KeyId) -> Arc<str> {
        format!("keys.irregular.{}", key.0).into()
    }

    /// The definition of a property of an owner, if any.
    pub fn property(&self, owner: Owner, key: KeyId) -> Option<&PropertyDefinition> {
        self.properties.get(&(owner, key))
    }

    /// Whether there is at most one edge of the type from a source to a target.
    pub fn is_set(&self, edge_type: EdgeTypeId) -> bool {
        self.sets.contains(&edge_type)
    }

    /// The indexes that writers maintain: those that are ready, and those being made.
    pub fn maintained_indexes(&self) -> impl Iterator<Item = &IndexDefinition> {
        self.indexes.iter().chain(self.building.iter().map(|build| &build.index))
    }

    /// Those of an owner.
    pub fn maintained_of(&self, owner: Owner) -> impl Iterator<Item = &IndexDefinition> {
        let building = self.building.of_owner(owner).map(|build| &build.index);
        self.indexes.of_owner(owner).chain(building)
    }

    /// The index of a number, ready or being made.
    pub fn maintained_index(&self, id: IndexId) -> Option<&IndexDefinition> {
        self.indexes.get(&id).or_else(|| Some(&self.building.get(&id)?.index))
    }

    /// Whether writers must not bring a second unique value into the index.
    pub fn is_enforced(&self, index: &IndexDefinition) -> bool {
        let building = self.building.get(&index.id);
        index.is_unique() && building.is_none_or(|build| build.enforced)
    }

    /// The definitions of properties that writers enforce.
    pub fn enforced_properties(&self) -> impl Iterator<Item = &PropertyDefinition> {
        self.properties.iter().chain(self.checking.iter())
    }

    /// Those of an owner.
    pub fn enforced_of(&self, owner: Owner) -> impl Iterator<Item = &PropertyDefinition> {
        self.properties.of_owner(owner).chain(self.checking.of_owner(owner))
    }

    /// Whether some property or index of vertices, or of edges, is defined or being made.
    pub fn defines(&self, of_edges: bool) -> bool {
        let owners = match of_edges {
            false => [
                (Owner::Label(LabelId(0)), Owner::Label(LabelId(u32::MAX))),
                (Owner::AllVertices, Owner::AllVertices),
            ],
            true => [
                (Owner::EdgeType(EdgeTypeId(0)), Owner::EdgeType(EdgeTypeId(u32::MAX))),
                (Owner::AllEdges, Owner::AllEdges),
            ],
        };
        owners.into_iter().any(|(first, last)| {
            self.properties.any_of(first, last)
                || self.checking.any_of(first, last)
                || self.indexes.any_of(first, last)
                || self.building.any_of(first, last)
        })
    }

    /// The owner of the definitions that a change is about.
    pub fn owner_of(&self, change: &CatalogChange) -> Option<Owner> {
        match change {
            CatalogChange::CreateOwner(owner)
            | CatalogChange::DropOwner(owner)
            | CatalogChange::DropProperty(owner, _)
            | CatalogChange::AbandonProperty(owner, _) => Some(*owner),
            CatalogChange::CreateProperty(property) | CatalogChange::CheckProperty(property) => {
                Some(property.owner)
            }
            CatalogChange::CreateIndex(index) | CatalogChange::BuildIndex(index) => {
                Some(index.owner)
            }
            CatalogChange::DropIndex(id)
            | CatalogChange::EnforceIndex(id)
            | CatalogChange::FinishIndex(id) => self.maintained_index(*id).map(|index| index.owner),
            CatalogChange::CreateSet(edge_type) | CatalogChange::DropSet(edge_type) => {
                Some(Owner::EdgeType(*edge_type))
            }
            CatalogChange::DemandSerializable(_) | CatalogChange::SetNote(..) => None,
        }
    }

    /// Removes indexes and definitions that were being made when the process ended.
    pub fn abandon_builds(&mut self) {
        self.building.clear();
        self.checking.clear();
    }

    /// This catalog after a change; names must be known, and indexes must have their number.
    pub fn apply(&mut self, change: &CatalogChange) {
        match change {
            CatalogChange::CreateOwner(owner) => {
                if !self.owners.contains(owner) {
                    self.owners.push(*owner);
                }
            }
            CatalogChange::DropOwner(owner) => {
                self.owners.remove(owner);
                self.properties.remove_of(*owner, |_| true);
                self.checking.remove_of(*owner, |_| true);
                self.indexes.remove_of(*owner, |index| !index.is_of_external_ids());
                self.sets.remove_of(*owner, |_| true);
                self.building.remove_of(*owner, |build| !build.index.is_of_external_ids());
            }
            CatalogChange::CreateProperty(defined) => {
                self.end_check(defined.owner, defined.key);
                self.properties.push(defined.clone());
            }
            CatalogChange::DropProperty(owner, key) => {
                self.properties.remove(&(*owner, *key));
                self.end_check(*owner, *key);
            }
            CatalogChange::CreateIndex(index) => self.indexes.push(index.clone()),
            CatalogChange::DropIndex(id) => {
                self.indexes.remove(id);
                self.building.remove(id);
            }
            CatalogChange::BuildIndex(index) => {
                self.building.push(IndexBuild { index: index.clone(), enforced: false });
            }
            CatalogChange::EnforceIndex(id) => {
                if let Some(build) = self.building.get(id) {
                    let index = build.index.clone();
                    self.building.push(IndexBuild { index, enforced: true });
                }
            }
            CatalogChange::FinishIndex(id) => {
                self.indexes.extend(self.building.remove(id).map(|build| build.index));
            }
            CatalogChange::CheckProperty(defined) => self.checking.push(defined.clone()),
            CatalogChange::AbandonProperty(owner, key) => self.end_check(*owner, *key),
            CatalogChange::CreateSet(edge_type) => {
                if !self.is_set(*edge_type) {
                    self.sets.push(*edge_type);
                }
            }
            CatalogChange::DropSet(edge_type) => drop(self.sets.remove(edge_type)),
            CatalogChange::DemandSerializable(demanded) => self.serializable = *demanded,
            CatalogChange::SetNote(name, Some(text)) => {
                self.notes.insert(Arc::clone(name), Arc::clone(text));
            }
            CatalogChange::SetNote(name, None) => {
                self.notes.remove(name);
            }
        }
    }

    fn end_check(&mut self, owner: Owner, key: KeyId) {
        self.checking.remove(&(owner, key));
    }
}
