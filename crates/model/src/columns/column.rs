//! A column: typed values, with null and absent marked beside them.
//!
//! An entry is a value, **null** or **absent** (docs/design/algebra.md, section 1): absent means
//! there is no such property, null is a value. The slot of a null or absent entry in `values` holds
//! a default. A column pushed a value of another type turns into `ColumnValues::Value` and keeps
//! every width.

use std::sync::Arc;

use super::batch::Batch;
use super::copying::as_range;
use super::path_arena::Paths;
use crate::base::bits::Bits;
use crate::base::ids::{EdgeId, KeyId, VertexId};
use crate::base::property_name::PropertyName;
use crate::base::strings::Strings;
use crate::schema::Catalog;
use crate::values::value::Value;

/// Bytes of a text that a column of texts copies; a longer one stays a value, which rows share.
const COPIED_TEXT_BYTES_MAX: usize = 1 << 12;

/// Bytes of texts that are copied when rows are taken; beyond, equal rows share a value.
const COPIED_BYTES_MAX: usize = 1 << 24;

/// One column of a batch.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// The values, all of one type where possible.
    pub values: ColumnValues,
    /// Which entries are null; absent means none is.
    pub nulls: Option<Bits>,
    /// Which entries are absent; absent means none is.
    pub absents: Option<Bits>,
}

/// The values of a column, by type.
#[derive(Clone, Debug)]
pub enum ColumnValues {
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

/// One property of an element, as data: key, language, value and meta-properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name it is stored under, which says key and language.
    pub key: KeyId,
    /// The value; property values if it has meta-properties.
    pub value: Value,
}

impl Field {
    /// The bare key and the language; `None` if the catalog is another graph's.
    pub fn name<'c>(&self, catalog: &'c Catalog) -> Option<PropertyName<'c>> {
        catalog.keys.name(self.key.0).map(|name| PropertyName::of(name))
    }
}

impl Default for ColumnValues {
    fn default() -> ColumnValues {
        ColumnValues::Value(Vec::new())
    }
}

impl ColumnValues {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        match self {
            ColumnValues::Vertex(values) => values.len(),
            ColumnValues::Edge(values) => values.len(),
            ColumnValues::Bool(values) => values.len(),
            ColumnValues::I64(values) => values.len(),
            ColumnValues::F64(values) => values.len(),
            ColumnValues::String(values) => values.len(),
            ColumnValues::Value(values) => values.len(),
            ColumnValues::Path(paths) => paths.last.len(),
            ColumnValues::Bag(bags) => bags.views.len(),
            ColumnValues::Fields(values) => values.len(),
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
            ColumnValues::Vertex(values) => Value::Vertex(values[index]),
            ColumnValues::Edge(values) => Value::Edge(values[index]),
            ColumnValues::Bool(values) => Value::Bool(values[index]),
            ColumnValues::I64(values) => Value::I64(values[index]),
            ColumnValues::F64(values) => Value::F64(values[index]),
            ColumnValues::String(values) => Value::string(values.get(index)),
            ColumnValues::Value(values) => values[index].clone(),
            ColumnValues::Path(paths) => Value::Path(Arc::new(paths.trail.path(paths.last[index]))),
            ColumnValues::Bag(_) | ColumnValues::Fields(_) => Value::Null,
        }
    }

    /// Appends the value if the type holds it; else gives it back.
    fn try_push(&mut self, value: Value) -> Result<(), Value> {
        match (self, value) {
            (ColumnValues::Vertex(values), Value::Vertex(vertex)) => values.push(vertex),
            (ColumnValues::Edge(values), Value::Edge(edge)) => values.push(edge),
            (ColumnValues::Bool(values), Value::Bool(truth)) => values.push(truth),
            (ColumnValues::I64(values), Value::I64(int)) => values.push(int),
            (ColumnValues::F64(values), Value::F64(double)) => values.push(double),
            (ColumnValues::String(values), Value::String(text))
                if text.len() <= COPIED_TEXT_BYTES_MAX && values.fits(text.len()) =>
            {
                values.push(&text);
            }
            (ColumnValues::Value(values), value) => values.push(value),
            (_, value) => return Err(value),
        }
        Ok(())
    }

    /// Entries of the type that fits `value` best, empty.
    fn fitting(value: &Value) -> ColumnValues {
        match value {
            Value::Vertex(_) => ColumnValues::Vertex(Vec::new()),
            Value::Edge(_) => ColumnValues::Edge(Vec::new()),
            Value::Bool(_) => ColumnValues::Bool(Vec::new()),
            Value::I64(_) => ColumnValues::I64(Vec::new()),
            Value::F64(_) => ColumnValues::F64(Vec::new()),
            Value::String(text) if text.len() <= COPIED_TEXT_BYTES_MAX => {
                ColumnValues::String(Strings::default())
            }
            _ => ColumnValues::Value(Vec::new()),
        }
    }

    fn push_default(&mut self) {
        match self {
            ColumnValues::Vertex(values) => values.push(VertexId::default()),
            ColumnValues::Edge(values) => values.push(EdgeId::default()),
            ColumnValues::Bool(values) => values.push(false),
            ColumnValues::I64(values) => values.push(0),
            ColumnValues::F64(values) => values.push(0.0),
            ColumnValues::String(values) => values.push(""),
            ColumnValues::Value(values) => values.push(Value::Null),
            ColumnValues::Path(paths) => paths.last.push(0),
            ColumnValues::Bag(bags) => bags.views.push((0, 0)),
            ColumnValues::Fields(values) => values.push(Arc::from([])),
        }
    }
}

impl Column {
    /// A column of vertices.
    pub fn vertices(vertices: Vec<VertexId>) -> Column {
        Column::of(ColumnValues::Vertex(vertices))
    }

    /// A column of edges.
    pub fn edges(edges: Vec<EdgeId>) -> Column {
        Column::of(ColumnValues::Edge(edges))
    }

    /// A column without null or absent entries.
    pub fn of(values: ColumnValues) -> Column {
        Column { values, nulls: None, absents: None }
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
        self.values.len()
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
            Some(self.values.value(index))
        }
    }

    /// The column as languages read it: each vector is a list of doubles.
    pub fn vectors_as_lists(mut self) -> Column {
        match &mut self.values {
            ColumnValues::Value(values) => {
                for value in values.iter_mut().filter(|value| value.has_vector()) {
                    *value = std::mem::take(value).vectors_as_lists();
                }
            }
            ColumnValues::Fields(rows) => rows.iter_mut().for_each(|fields| {
                if fields.iter().any(|field| field.value.has_vector()) {
                    let shown = |field: &Field| Field {
                        key: field.key,
                        value: field.value.clone().vectors_as_lists(),
                    };
                    *fields = fields.iter().map(shown).collect();
                }
            }),
            _ => {}
        }
        self
    }

    /// The vertices, if this is a column of vertices.
    pub fn as_vertices(&self) -> Option<&[VertexId]> {
        match &self.values {
            ColumnValues::Vertex(vertices) => Some(vertices),
            _ => None,
        }
    }

    /// The edges, if this is a column of edges.
    pub fn as_edges(&self) -> Option<&[EdgeId]> {
        match &self.values {
            ColumnValues::Edge(edges) => Some(edges),
            _ => None,
        }
    }

    /// Appends a value; `Value::Null` is marked null.
    pub fn push(&mut self, value: Value) {
        if value.is_null() {
            let index = self.len();
            self.values.push_default();
            self.nulls.get_or_insert_default().insert(index);
            return;
        }
        if matches!(self.values, ColumnValues::Value(_)) && self.len() == self.missing() {
            self.retype(ColumnValues::fitting(&value));
        }
        if let Err(value) = self.values.try_push(value) {
            self.widen();
            self.values.try_push(value).expect("a column of values takes any value");
        }
    }

    /// Appends an absent entry.
    pub fn push_absent(&mut self) {
        let index = self.len();
        self.values.push_default();
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
        if let Some(range) = as_range(rows) {
            return self.take_range(range);
        }
        let values = match &self.values {
            ColumnValues::Vertex(values) => ColumnValues::Vertex(pick(values, rows)),
            ColumnValues::Edge(values) => ColumnValues::Edge(pick(values, rows)),
            ColumnValues::Bool(values) => ColumnValues::Bool(pick(values, rows)),
            ColumnValues::I64(values) => ColumnValues::I64(pick(values, rows)),
            ColumnValues::F64(values) => ColumnValues::F64(pick(values, rows)),
            ColumnValues::String(values) => pick_texts(values, rows),
            ColumnValues::Value(values) => ColumnValues::Value(pick(values, rows)),
            ColumnValues::Path(paths) => {
                let last = pick(&paths.last, rows);
                ColumnValues::Path(Paths { trail: paths.trail.clone(), last })
            }
            ColumnValues::Bag(bags) => {
                ColumnValues::Bag(Bags { views: pick(&bags.views, rows), rows: bags.rows.clone() })
            }
            ColumnValues::Fields(values) => ColumnValues::Fields(pick(values, rows)),
        };
        let marks = |bits: &Option<Bits>| {
            let marks =
                bits.as_ref().map(|bits| rows.iter().map(|&row| bits.get(row as usize)).collect());
            marks.filter(Bits::has_any)
        };
        Column { values, nulls: marks(&self.nulls), absents: marks(&self.absents) }
    }

    fn missing(&self) -> usize {
        let count = |bits: &Option<Bits>| bits.as_ref().map_or(0, Bits::count);
        count(&self.nulls) + count(&self.absents)
    }

    /// Replaces entries that are all null or absent by as many defaults of another type.
    fn retype(&mut self, mut values: ColumnValues) {
        for _ in 0..self.len() {
            values.push_default();
        }
        self.values = values;
    }

    fn widen(&mut self) {
        let values = (0..self.len()).map(|index| self.values.value(index)).collect();
        self.values = ColumnValues::Value(values);
    }
}

/// Texts as columns of texts hold them, or shared values where repeated ones would take much memory.
fn pick_texts(texts: &Strings, rows: &[u32]) -> ColumnValues {
    let bytes: usize = rows.iter().map(|&row| texts.bytes_of(row as usize).len()).sum();
    if bytes <= COPIED_BYTES_MAX {
        return ColumnValues::String(texts.rows(rows, bytes));
    }
    let mut values: Vec<Value> = Vec::with_capacity(rows.len());
    let mut before = None;
    for &row in rows {
        let value = match (before, values.last()) {
            (Some(last), Some(value)) if last == row => value.clone(),
            _ => Value::string(texts.get(row as usize)),
        };
        values.push(value);
        before = Some(row);
    }
    ColumnValues::Value(values)
}

fn pick<T: Clone>(values: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| values[row as usize].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_keeps_null_absent_and_every_width() {
        let values = [
            Some(Value::Null),
            None,
            Some(Value::I64(1)),
            Some(Value::I64(2)),
            Some(Value::I32(3)),
            Some(Value::from("x")),
            None,
        ];
        let mut column = Column::default();
        for entry in values.clone() {
            column.push_entry(entry);
        }
        let read: Vec<_> = (0..column.len()).map(|index| column.get(index)).collect();
        assert_eq!(read, values);
        let taken = column.take(&[6, 0, 2, 2]);
        let read: Vec<_> = (0..4).map(|index| taken.get(index)).collect();
        assert_eq!(read, [None, Some(Value::Null), Some(Value::I64(1)), Some(Value::I64(1))]);
    }

    #[test]
    fn leading_nulls_do_not_spoil_the_type() {
        let column = Column::from_values([Value::Null, Value::F64(1.5)]);
        assert!(matches!(column.values, ColumnValues::F64(_)));
    }
}
