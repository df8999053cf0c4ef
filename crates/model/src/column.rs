//! A column: typed entries, with null and absent marked beside them.
//!
//! An entry is a value, **null** or **absent** (docs/design/algebra.md, section 1): absent means there
//! is no such property, null is a value. The slot of a null or absent entry in `entries` holds a default.
//! A column pushed a value of another type turns into `Entries::Value` and keeps every width.

use std::sync::Arc;

use crate::batch::Batch;
use crate::bits::Bits;
use crate::ids::{EdgeId, KeyId, VertexId};
use crate::path_arena::Paths;
use crate::property_name::PropertyName;
use crate::schema::Catalog;
use crate::strings::Strings;
use crate::value::Value;

/// One column of a batch.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// The entries, all of one type where possible.
    pub entries: Entries,
    /// Which entries are null; absent means none is.
    pub nulls: Option<Bits>,
    /// Which entries are absent; absent means none is.
    pub absents: Option<Bits>,
}

/// The entries of a column, by type.
#[derive(Clone, Debug)]
pub enum Entries {
    /// Vertices.
    Vertex(Vec<VertexId>),
    /// Edges.
    Edge(Vec<EdgeId>),
    /// Booleans.
    Bool(Vec<bool>),
    /// 64-bit integers.
    I64(Vec<i64>),
    /// Doubles.
    F64(Vec<f64>),
    /// Texts.
    String(Strings),
    /// Values of mixed or rarer types.
    Value(Vec<Value>),
    /// Paths of one run, by their last steps.
    Path(Paths),
    /// Bags: views into one child batch.
    Bag(Bags),
    /// Properties known only from data.
    Fields(Vec<Arc<[Field]>>),
}

/// Views into one child batch; rows may share a view.
#[derive(Clone, Debug)]
pub struct Bags {
    /// Offset and length of each bag in `rows`.
    pub views: Vec<(u32, u32)>,
    /// The rows of all bags.
    pub rows: Arc<Batch>,
}

/// One property of an element, as data: key, language, value, and what is said of the value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name it is kept under, which says key and language.
    pub key: KeyId,
    /// The value; of a value that more is said of, entries.
    pub value: Value,
}

impl Field {
    /// The bare key and the language; `None` if the catalog is another graph's.
    pub fn name<'c>(&self, catalog: &'c Catalog) -> Option<PropertyName<'c>> {
        catalog.keys.name(self.key.0).map(|name| PropertyName::of(name))
    }
}

impl Default for Entries {
    fn default() -> Entries {
        Entries::Value(Vec::new())
    }
}

impl Entries {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        match self {
            Entries::Vertex(entries) => entries.len(),
            Entries::Edge(entries) => entries.len(),
            Entries::Bool(entries) => entries.len(),
            Entries::I64(entries) => entries.len(),
            Entries::F64(entries) => entries.len(),
            Entries::String(entries) => entries.len(),
            Entries::Value(entries) => entries.len(),
            Entries::Path(paths) => paths.last.len(),
            Entries::Bag(bags) => bags.views.len(),
            Entries::Fields(entries) => entries.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entry as a value. A bag or fields entry has no value form: null, as output reads them
    /// by their own shape.
    pub fn value(&self, index: usize) -> Value {
        match self {
            Entries::Vertex(entries) => Value::Vertex(entries[index]),
            Entries::Edge(entries) => Value::Edge(entries[index]),
            Entries::Bool(entries) => Value::Bool(entries[index]),
            Entries::I64(entries) => Value::I64(entries[index]),
            Entries::F64(entries) => Value::F64(entries[index]),
            Entries::String(entries) => Value::string(entries.get(index)),
            Entries::Value(entries) => entries[index].clone(),
            Entries::Path(paths) => Value::Path(Arc::new(paths.trail.path(paths.last[index]))),
            Entries::Bag(_) | Entries::Fields(_) => Value::Null,
        }
    }

    /// Appends the value if the type holds it; else gives it back.
    fn try_push(&mut self, value: Value) -> Result<(), Value> {
        match (self, value) {
            (Entries::Vertex(entries), Value::Vertex(vertex)) => entries.push(vertex),
            (Entries::Edge(entries), Value::Edge(edge)) => entries.push(edge),
            (Entries::Bool(entries), Value::Bool(truth)) => entries.push(truth),
            (Entries::I64(entries), Value::I64(int)) => entries.push(int),
            (Entries::F64(entries), Value::F64(double)) => entries.push(double),
            (Entries::String(entries), Value::String(text)) if entries.fits(text.len()) => {
                entries.push(&text);
            }
            (Entries::Value(entries), value) => entries.push(value),
            (_, value) => return Err(value),
        }
        Ok(())
    }

    /// Entries of the type that fits `value` best, empty.
    fn fitting(value: &Value) -> Entries {
        match value {
            Value::Vertex(_) => Entries::Vertex(Vec::new()),
            Value::Edge(_) => Entries::Edge(Vec::new()),
            Value::Bool(_) => Entries::Bool(Vec::new()),
            Value::I64(_) => Entries::I64(Vec::new()),
            Value::F64(_) => Entries::F64(Vec::new()),
            Value::String(_) => Entries::String(Strings::default()),
            _ => Entries::Value(Vec::new()),
        }
    }

    fn push_default(&mut self) {
        match self {
            Entries::Vertex(entries) => entries.push(VertexId::default()),
            Entries::Edge(entries) => entries.push(EdgeId::default()),
            Entries::Bool(entries) => entries.push(false),
            Entries::I64(entries) => entries.push(0),
            Entries::F64(entries) => entries.push(0.0),
            Entries::String(entries) => entries.push(""),
            Entries::Value(entries) => entries.push(Value::Null),
            Entries::Path(paths) => paths.last.push(0),
            Entries::Bag(bags) => bags.views.push((0, 0)),
            Entries::Fields(entries) => entries.push(Arc::from([])),
        }
    }
}

impl Column {
    /// A column of vertices.
    pub fn vertices(vertices: Vec<VertexId>) -> Column {
        Column::of(Entries::Vertex(vertices))
    }

    /// A column of edges.
    pub fn edges(edges: Vec<EdgeId>) -> Column {
        Column::of(Entries::Edge(edges))
    }

    /// A column without null or absent entries.
    pub fn of(entries: Entries) -> Column {
        Column { entries, nulls: None, absents: None }
    }

    /// A column of values, typed by the first that is not null.
    pub fn from_values(values: impl IntoIterator<Item = Value>) -> Column {
        let mut column = Column::default();
        for value in values {
            column.push(value);
        }
        column
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the entry is null.
    #[inline]
    pub fn is_null(&self, index: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.get(index))
    }

    /// Whether the entry is absent.
    #[inline]
    pub fn is_absent(&self, index: usize) -> bool {
        self.absents.as_ref().is_some_and(|absents| absents.get(index))
    }

    /// The entry: `None` if absent, `Value::Null` if null.
    pub fn get(&self, index: usize) -> Option<Value> {
        if self.is_absent(index) {
            None
        } else if self.is_null(index) {
            Some(Value::Null)
        } else {
            Some(self.entries.value(index))
        }
    }

    /// The vertices, if this is a column of vertices.
    pub fn as_vertices(&self) -> Option<&[VertexId]> {
        match &self.entries {
            Entries::Vertex(vertices) => Some(vertices),
            _ => None,
        }
    }

    /// The edges, if this is a column of edges.
    pub fn as_edges(&self) -> Option<&[EdgeId]> {
        match &self.entries {
            Entries::Edge(edges) => Some(edges),
            _ => None,
        }
    }

    /// Appends a value; `Value::Null` is marked null.
    pub fn push(&mut self, value: Value) {
        if value.is_null() {
            let index = self.len();
            self.entries.push_default();
            self.nulls.get_or_insert_default().insert(index);
            return;
        }
        if matches!(self.entries, Entries::Value(_)) && self.len() == self.missing() {
            self.retype(Entries::fitting(&value));
        }
        if let Err(value) = self.entries.try_push(value) {
            self.widen();
            self.entries.try_push(value).expect("a column of values takes any value");
        }
    }

    /// Appends an absent entry.
    pub fn push_absent(&mut self) {
        let index = self.len();
        self.entries.push_default();
        self.absents.get_or_insert_default().insert(index);
    }

    /// Appends an entry, absent if `None`.
    pub fn push_entry(&mut self, entry: Option<Value>) {
        match entry {
            Some(value) => self.push(value),
            None => self.push_absent(),
        }
    }

    /// The entries at `rows`, in that order; rows may repeat.
    pub fn take(&self, rows: &[u32]) -> Column {
        let entries = match &self.entries {
            Entries::Vertex(entries) => Entries::Vertex(pick(entries, rows)),
            Entries::Edge(entries) => Entries::Edge(pick(entries, rows)),
            Entries::Bool(entries) => Entries::Bool(pick(entries, rows)),
            Entries::I64(entries) => Entries::I64(pick(entries, rows)),
            Entries::F64(entries) => Entries::F64(pick(entries, rows)),
            Entries::String(entries) => {
                Entries::String(rows.iter().map(|&row| entries.get(row as usize)).collect())
            }
            Entries::Value(entries) => Entries::Value(pick(entries, rows)),
            Entries::Path(paths) => {
                let last = pick(&paths.last, rows);
                Entries::Path(Paths { trail: paths.trail.clone(), last })
            }
            Entries::Bag(bags) => {
                Entries::Bag(Bags { views: pick(&bags.views, rows), rows: bags.rows.clone() })
            }
            Entries::Fields(entries) => Entries::Fields(pick(entries, rows)),
        };
        let marks = |bits: &Option<Bits>| {
            bits.as_ref().map(|bits| rows.iter().map(|&row| bits.get(row as usize)).collect())
        };
        Column { entries, nulls: marks(&self.nulls), absents: marks(&self.absents) }
    }

    fn missing(&self) -> usize {
        let count = |bits: &Option<Bits>| bits.as_ref().map_or(0, Bits::count);
        count(&self.nulls) + count(&self.absents)
    }

    /// Replaces entries that are all null or absent by as many defaults of another type.
    fn retype(&mut self, mut entries: Entries) {
        for _ in 0..self.len() {
            entries.push_default();
        }
        self.entries = entries;
    }

    fn widen(&mut self) {
        let values = (0..self.len()).map(|index| self.entries.value(index)).collect();
        self.entries = Entries::Value(values);
    }
}

fn pick<T: Clone>(entries: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| entries[row as usize].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_keeps_null_absent_and_every_width() {
        let entries = [
            Some(Value::Null),
            None,
            Some(Value::I64(1)),
            Some(Value::I64(2)),
            Some(Value::I32(3)),
            Some(Value::from("x")),
            None,
        ];
        let mut column = Column::default();
        for entry in entries.clone() {
            column.push_entry(entry);
        }
        let read: Vec<_> = (0..column.len()).map(|index| column.get(index)).collect();
        assert_eq!(read, entries);
        let taken = column.take(&[6, 0, 2, 2]);
        let read: Vec<_> = (0..4).map(|index| taken.get(index)).collect();
        assert_eq!(read, [None, Some(Value::Null), Some(Value::I64(1)), Some(Value::I64(1))]);
    }

    #[test]
    fn leading_nulls_do_not_spoil_the_type() {
        let column = Column::from_values([Value::Null, Value::F64(1.5)]);
        assert!(matches!(column.entries, Entries::F64(_)));
    }
}
