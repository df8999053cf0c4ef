//! The catalog: names and their numbers, and the definitions about them.
//!
//! Names of labels, edge types and keys are append-only and appear on first use; definitions,
//! indexes and constraints change in transactions. A [`Catalog`] is one version of both, a plain
//! value shared by all readers of that version. Versions share what is equal in them: a copy and a
//! change cost the same with 10 indexes and with 10,000.

use std::fmt;
use std::sync::Arc;

use crate::ids::{EdgeTypeId, IndexId, KeyId, LabelId};
use crate::temporal::DateTime;
use crate::value::Value;

pub use crate::definitions::{Definition, Definitions};
pub use crate::names::Names;
pub use crate::notes::Notes;

/// The type of a property's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PropertyType {
    /// Anything.
    Any,
    /// True or false.
    Boolean,
    /// 64-bit integer.
    Integer,
    /// Double.
    Double,
    /// Text.
    String,
    /// Timestamp.
    DateTime,
    /// A list of booleans.
    BooleanList,
    /// A list of integers.
    IntegerList,
    /// A list of doubles.
    DoubleList,
    /// A list of texts.
    StringList,
    /// A timestamp that is defined as `date`.
    Date,
    /// A list of timestamps.
    DateList,
}

impl PropertyType {
    /// Every type with its word.
    pub const ALL: [(PropertyType, &'static str); 12] = [
        (PropertyType::Any, "any"),
        (PropertyType::Boolean, "boolean"),
        (PropertyType::Integer, "integer"),
        (PropertyType::Double, "double"),
        (PropertyType::String, "string"),
        (PropertyType::DateTime, "datetime"),
        (PropertyType::BooleanList, "boolean_list"),
        (PropertyType::IntegerList, "integer_list"),
        (PropertyType::DoubleList, "double_list"),
        (PropertyType::StringList, "string_list"),
        (PropertyType::Date, "date"),
        (PropertyType::DateList, "date_list"),
    ];

    /// The type of a word.
    pub fn parse(word: &str) -> Option<PropertyType> {
        Self::ALL.iter().find(|(_, name)| *name == word).map(|(kind, _)| *kind)
    }

    /// The value as this type: itself, an integer made a double, a whole double made an integer, or
    /// ISO text or seconds since 1970 made a timestamp; `None` if it is something else.
    pub fn accept(self, value: Value) -> Option<Value> {
        let fits = |values: &[Value], kind: PropertyType| {
            values.iter().map(|value| kind.accept(value.clone())).collect::<Option<Vec<_>>>()
        };
        match (self, value) {
            (PropertyType::Any, value) => Some(value),
            (_, Value::Null) => Some(Value::Null),
            (kind, Value::PropertyValues(property)) => {
                let accepted = property.map(|value| kind.accept(value.clone()))?;
                Some(Value::PropertyValues(Arc::new(accepted)))
            }
            (PropertyType::Boolean, value @ Value::Bool(_)) => Some(value),
            (PropertyType::Integer, value) => whole(&value).map(Value::I64),
            (PropertyType::Double, value) => value.as_double().map(Value::F64),
            (PropertyType::String, value @ Value::String(_)) => Some(value),
            (PropertyType::Date | PropertyType::DateTime, value) => timestamp(value),
            (list, Value::List(values)) => {
                fits(&values, list.element()?).map(|values| Value::List(Arc::from(values)))
            }
            _ => None,
        }
    }

    /// The type of a list's elements.
    pub fn element(self) -> Option<PropertyType> {
        match self {
            PropertyType::BooleanList => Some(PropertyType::Boolean),
            PropertyType::IntegerList => Some(PropertyType::Integer),
            PropertyType::DoubleList => Some(PropertyType::Double),
            PropertyType::StringList => Some(PropertyType::String),
            PropertyType::DateList => Some(PropertyType::Date),
            PropertyType::Any
            | PropertyType::Boolean
            | PropertyType::Integer
            | PropertyType::Double
            | PropertyType::String
            | PropertyType::DateTime
            | PropertyType::Date => None,
        }
    }
}

/// The integer that a value is: a double counts if it is whole, as some clients have no other
/// numbers.
fn whole(value: &Value) -> Option<i64> {
    value.as_int().or_else(|| {
        let double = value.as_double()?;
        let fits = double.fract() == 0.0 && (-(2f64.powi(63))..2f64.powi(63)).contains(&double);
        fits.then_some(double as i64)
    })
}

/// The timestamp that a value is, or that its text or its seconds stand for.
fn timestamp(value: Value) -> Option<Value> {
    match value {
        Value::DateTime(_) | Value::ZonedDateTime(_) => Some(value),
        Value::Date(date) => Some(Value::DateTime(DateTime::at_start_of(date))),
        Value::String(text) => DateTime::parse_utc(&text).map(Value::DateTime),
        other => DateTime::from_seconds(other.as_double()?).map(Value::DateTime),
    }
}

impl fmt::Display for PropertyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Self::ALL.iter().find(|(kind, _)| kind == self).map_or("?", |(_, word)| word);
        f.write_str(word)
    }
}

/// The owner of a property or an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// Vertices with a label.
    Label(LabelId),
    /// Edges of a type.
    EdgeType(EdgeTypeId),
    /// Every vertex of the graph.
    AllVertices,
    /// Every edge of the graph: of the index of external ids alone, no client defines anything of
    /// it.
    AllEdges,
}

/// How an index finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IndexKind {
    /// By equal values; at most one element for each value.
    Unique,
    /// By equal values.
    Exact,
    /// By equal values of the first keys and a range of the next, in order.
    Range,
}

/// A defined property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyDefinition {
    /// Its owner.
    pub owner: Owner,
    /// Which.
    pub key: KeyId,
    /// The type of its values.
    pub kind: PropertyType,
    /// Whether every owner must have it.
    pub required: bool,
}

/// An index over one or more keys of its owner; an owner's element without one of the keys has no
/// entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexDefinition {
    /// Its number, never reused.
    pub id: IndexId,
    /// The owner of the values.
    pub owner: Owner,
    /// Which keys, in order.
    pub keys: Vec<KeyId>,
    /// How it finds.
    pub kind: IndexKind,
}

impl IndexDefinition {
    /// Whether a value may be there once only.
    pub fn is_unique(&self) -> bool {
        self.kind == IndexKind::Unique
    }
}

/// An index that is being built: writers maintain it already, and no seek uses it yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexBuild {
    /// The definition of the index.
    pub index: IndexDefinition,
    /// Whether a second unique value is refused already.
    pub enforced: bool,
}

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
    /// as how far a load is. It is no definition: it changes no version and judges no data.
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

    /// Whether it sets a note, which affects only readers of that note.
    pub fn is_note(&self) -> bool {
        matches!(self, CatalogChange::SetNote(..))
    }
}

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

    /// The index of an owner over exactly these keys.
    pub fn index(&self, owner: Owner, keys: &[KeyId]) -> Option<&IndexDefinition> {
        self.indexes.of_owner(owner).find(|index| index.keys == keys)
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
