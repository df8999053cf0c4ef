//! The names of a graph, the indexes that may be declared on it, and what each of them holds.
//!
//! A new kind of index is one entry of [`INDEXES`] and, if it finds in another way, one branch of
//! the judge.

use millrace_model::schema::{IndexDeclaration, IndexKind};
use millrace_model::{EdgeTypeId, IndexId, KeyId, LabelId, Owner, Value};
use millrace_store::NameKind;

use super::model::{LABELS, Model, TYPES, Vertex};

/// Names that every graph has, in the order of [`Names::of`].
pub(super) const NAMES: [(NameKind, &str); LABELS + TYPES + 3] = [
    (NameKind::Label, "Person"),
    (NameKind::Label, "City"),
    (NameKind::EdgeType, "LIKES"),
    (NameKind::EdgeType, "KNOWS"),
    (NameKind::Key, "age"),
    (NameKind::Key, "name"),
    (NameKind::Key, "weight"),
];

/// The names of a graph, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) labels: [LabelId; LABELS],
    pub(super) types: [EdgeTypeId; TYPES],
    pub(super) age: KeyId,
    pub(super) name: KeyId,
    pub(super) weight: KeyId,
}

/// What an index is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Vertices with a label.
    Label(usize),
    /// Edges of a type.
    Type(usize),
}

/// A property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Age,
    Name,
    Weight,
}

/// An index that may be declared.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) of: Of,
    pub(super) keys: &'static [Key],
    pub(super) is_unique: bool,
}

pub(super) const INDEXES: [Index; 4] = [
    Index { of: Of::Label(0), keys: &[Key::Age], is_unique: false },
    Index { of: Of::Label(0), keys: &[Key::Name], is_unique: true },
    Index { of: Of::Label(1), keys: &[Key::Age, Key::Name], is_unique: false },
    Index { of: Of::Type(0), keys: &[Key::Weight], is_unique: false },
];

/// Values of the keys of an index: ages and weights as they are, names by number.
pub(super) type Values = Vec<i64>;

impl Names {
    /// The numbers of [`NAMES`].
    pub(super) fn of(numbers: &[u32]) -> Names {
        Names {
            labels: [LabelId(numbers[0]), LabelId(numbers[1])],
            types: [EdgeTypeId(numbers[2]), EdgeTypeId(numbers[3])],
            age: KeyId(numbers[4]),
            name: KeyId(numbers[5]),
            weight: KeyId(numbers[6]),
        }
    }

    pub(super) fn key(&self, key: Key) -> KeyId {
        match key {
            Key::Age => self.age,
            Key::Name => self.name,
            Key::Weight => self.weight,
        }
    }

    /// The declaration of one of [`INDEXES`]; its number is the store's business.
    pub(super) fn declaration(&self, index: usize) -> IndexDeclaration {
        let Index { of, keys, is_unique } = &INDEXES[index];
        let owner = match of {
            Of::Label(label) => Owner::Label(self.labels[*label]),
            Of::Type(kind) => Owner::EdgeType(self.types[*kind]),
        };
        let keys = keys.iter().map(|key| self.key(*key)).collect();
        let kind = if *is_unique { IndexKind::Unique } else { IndexKind::Exact };
        IndexDeclaration { id: IndexId::default(), owner, keys, kind }
    }
}

/// The value that stands for a number under a key. Some names are long.
pub(super) fn value(key: Key, number: i64) -> Value {
    match key {
        Key::Age | Key::Weight => Value::I64(number),
        Key::Name => Value::from(name_text(number as u8).as_str()),
    }
}

/// The name of a number.
pub(super) fn name_text(number: u8) -> String {
    let letter = char::from(b'a' + number % 26);
    if number.is_multiple_of(3) { letter.to_string().repeat(40) } else { letter.to_string() }
}

impl Model {
    /// What one of [`INDEXES`] must find: each element that has all its values.
    pub(super) fn entries(&self, index: usize) -> Vec<(u64, Values)> {
        let Index { of, keys, .. } = &INDEXES[index];
        match of {
            Of::Label(label) => {
                let owned = self.vertices.iter().filter(|(_, vertex)| vertex.labels[*label]);
                owned.filter_map(|(id, vertex)| Some((*id, values(vertex, keys)?))).collect()
            }
            Of::Type(kind) => {
                let owned = self.edges.iter().filter(|(_, edge)| edge.kind == *kind);
                owned.filter_map(|(id, edge)| Some((*id, vec![edge.weight?]))).collect()
            }
        }
    }
}

fn values(vertex: &Vertex, keys: &[Key]) -> Option<Values> {
    let value = |key: &Key| match key {
        Key::Age => vertex.age,
        Key::Name => vertex.name.map(i64::from),
        Key::Weight => None,
    };
    keys.iter().map(value).collect()
}
