//! The names of a graph, the indexes that may be defined on it, and the entries of each.
//!
//! A new kind of index is one entry of [`INDEXES`] and, if it finds in another way, one branch of
//! the judge. Definitions of properties are in `rules`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use millrace_model::schema::{IndexDefinition, IndexKind, KeyMethod};
use millrace_model::value::Point;
use millrace_model::{Catalog, EdgeTypeId, KeyId, LabelId, Owner, Value};
use millrace_store::NameKind;
use millrace_store::ordered_keys::KeyMaker;

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

/// The elements of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Vertices with a label.
    Label(usize),
    /// Edges of a type.
    Type(usize),
    /// All vertices.
    Vertices,
}

/// A property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Age,
    Name,
    Weight,
}

/// An index that may be defined.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) of: Of,
    pub(super) keys: &'static [Key],
    pub(super) kind: IndexKind,
    /// How keys are made, of the kind `made`.
    pub(super) method: &'static str,
}

const fn index(of: Of, keys: &'static [Key], kind: IndexKind) -> Index {
    Index { of, keys, kind, method: "" }
}

const fn made(of: Of, keys: &'static [Key], method: &'static str) -> Index {
    Index { of, keys, kind: IndexKind::Made, method }
}

pub(super) const INDEXES: [Index; 14] = [
    index(Of::Label(0), &[Key::Age], IndexKind::Exact),
    index(Of::Label(0), &[Key::Name], IndexKind::Unique),
    index(Of::Label(1), &[Key::Age, Key::Name], IndexKind::Exact),
    index(Of::Type(0), &[Key::Weight], IndexKind::Exact),
    index(Of::Label(0), &[Key::Age], IndexKind::Range),
    index(Of::Vertices, &[Key::Name, Key::Age], IndexKind::Range),
    index(Of::Type(1), &[Key::Weight], IndexKind::Range),
    made(Of::Label(0), &[Key::Name, Key::Age], "trigrams"),
    made(Of::Type(0), &[Key::Weight], "trigrams"),
    made(Of::Label(0), &[Key::Age, Key::Name], "scored-words(standard)"),
    made(Of::Type(1), &[Key::Weight], "scored-words(english)"),
    made(Of::Label(0), &[Key::Age], "vector(3, euclidean)"),
    made(Of::Type(0), &[Key::Weight], "vector(3, cosine)"),
    made(Of::Label(1), &[Key::Age], "points"),
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

    pub(super) fn owner(&self, of: Of) -> Owner {
        match of {
            Of::Label(label) => Owner::Label(self.labels[label]),
            Of::Type(kind) => Owner::EdgeType(self.types[kind]),
            Of::Vertices => Owner::AllVertices,
        }
    }

    /// The schema change of one of [`INDEXES`]; its number is the store's business.
    pub(super) fn definition(&self, index: usize) -> IndexDefinition {
        let Index { of, keys, kind, method } = &INDEXES[index];
        let keys = keys.iter().map(|key| self.key(*key)).collect();
        match kind {
            IndexKind::Made => {
                IndexDefinition::made(self.owner(*of), keys, KeyMethod((*method).into()))
            }
            kind => IndexDefinition::new(self.owner(*of), keys, *kind),
        }
    }

    /// The same as a catalog has it, with its number.
    pub(super) fn defined<'c>(
        &self,
        catalog: &'c Catalog,
        index: usize,
    ) -> Option<&'c IndexDefinition> {
        let wanted = self.definition(index);
        let same = |other: &&IndexDefinition| {
            (other.owner, &other.keys, other.kind, &other.method)
                == (wanted.owner, &wanted.keys, wanted.kind, &wanted.method)
        };
        catalog.indexes.iter().find(same)
    }
}

/// The age or weight that is a text of many bytes.
pub(super) const LONG_TEXT: i64 = 8;
/// The age or weight that is a text of few words.
pub(super) const SHORT_TEXT: i64 = 9;
/// Ages and weights that are vectors.
pub(super) const VECTORS: Range<i64> = 10..16;
/// Ages and weights that are points.
pub(super) const POINTS: Range<i64> = 16..19;
/// The name of many bytes: one makes a section that is worth to be kept by itself.
pub(super) const LONG_NAME: u8 = 27;
/// Names are below this.
pub(super) const NAMES_MAX: u8 = LONG_NAME + 1;
const LONG_BYTES: usize = 1_000;

/// Values of one sort compare with each other, and with no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Number,
    Text,
    Vector,
    Point,
}

/// What a value is.
pub(super) fn sort(key: Key, number: i64) -> Sort {
    match number {
        _ if key == Key::Name => Sort::Text,
        LONG_TEXT | SHORT_TEXT => Sort::Text,
        number if VECTORS.contains(&number) => Sort::Vector,
        number if POINTS.contains(&number) => Sort::Point,
        _ => Sort::Number,
    }
}

/// The value that stands for a number under a key. Some names are long.
pub(super) fn value(key: Key, number: i64) -> Value {
    match key {
        Key::Age | Key::Weight if number == LONG_TEXT => {
            Value::from(&*"long".repeat(LONG_BYTES / 4))
        }
        Key::Age | Key::Weight if number == SHORT_TEXT => Value::from("unknown age, unknown"),
        Key::Age | Key::Weight if VECTORS.contains(&number) => Value::vector(&vector(number)),
        Key::Age | Key::Weight if POINTS.contains(&number) => {
            let place = number as f64;
            Value::Point(Arc::new(Point { srid: 7203, coordinates: vec![place, -place] }))
        }
        Key::Age | Key::Weight => Value::I64(number),
        Key::Name => Value::from(name_text(number as u8).as_str()),
    }
}

/// A vector that stands for a number.
pub(super) fn vector(number: i64) -> [f32; 3] {
    let number = (number - VECTORS.start) as f32;
    [1.0, number, number * number / 4.0]
}

/// The name of a number.
pub(super) fn name_text(number: u8) -> String {
    let (letter, count) = letters(number);
    char::from(letter).to_string().repeat(count)
}

/// The number of a name, if some number has it.
pub(super) fn name_number(text: &str) -> Option<u8> {
    let is_of = |number: &u8| {
        let (letter, count) = letters(*number);
        text.len() == count && text.bytes().all(|byte| byte == letter)
    };
    (0..NAMES_MAX).find(is_of)
}

/// A name is one letter, so many times.
fn letters(number: u8) -> (u8, usize) {
    let count = match number {
        LONG_NAME => LONG_BYTES,
        number if number.is_multiple_of(3) => 40,
        _ => 1,
    };
    (b'a' + number % 26, count)
}

impl Model {
    /// Each element of an owner with its values of some keys.
    pub(super) fn owned(&self, of: Of, keys: &[Key]) -> Vec<(u64, Vec<Option<i64>>)> {
        let of_vertices = |has: &dyn Fn(&Vertex) -> bool| {
            let owned = self.vertices.iter().filter(|(_, vertex)| has(vertex));
            owned.map(|(id, vertex)| (*id, values(vertex, keys))).collect()
        };
        match of {
            Of::Label(label) => of_vertices(&|vertex| vertex.labels[label]),
            Of::Vertices => of_vertices(&|_| true),
            Of::Type(kind) => {
                let owned = self.edges.iter().filter(|(_, edge)| edge.kind == kind);
                owned.map(|(id, edge)| (*id, vec![edge.weight; keys.len()])).collect()
            }
        }
    }

    /// The entries that one of [`INDEXES`] must find: each element that has all its values.
    pub(super) fn entries(&self, index: usize) -> Vec<(u64, Values)> {
        let Index { of, keys, .. } = &INDEXES[index];
        let owned = self.owned(*of, keys).into_iter();
        owned
            .filter_map(|(id, values)| Some((id, values.into_iter().collect::<Option<_>>()?)))
            .collect()
    }

    /// The keys that one of [`INDEXES`] makes, each with the elements that have it.
    pub(super) fn made_keys(&self, index: usize, names: Names) -> BTreeMap<Vec<u8>, Vec<u64>> {
        let Index { of, keys, .. } = &INDEXES[index];
        let definition = names.definition(index);
        let mut holders: BTreeMap<Vec<u8>, Vec<u64>> = BTreeMap::new();
        let maker = KeyMaker::of(&definition).expect("a known method");
        for (id, values) in self.owned(*of, keys) {
            let values = keys.iter().zip(values);
            let values = values.map(|(key, number)| Some(value(*key, number?)));
            let hold = |key: &[u8]| holders.entry(key.to_vec()).or_default().push(id);
            maker.each_of_values(values.collect(), hold).expect("short texts");
        }
        holders
    }
}

fn values(vertex: &Vertex, keys: &[Key]) -> Vec<Option<i64>> {
    let value = |key: &Key| match key {
        Key::Age => vertex.age,
        Key::Name => vertex.name.map(i64::from),
        Key::Weight => None,
    };
    keys.iter().map(value).collect()
}
