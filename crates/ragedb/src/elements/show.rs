//! Elements as values: `{id, type, key, properties}`, and how much of each kind there is.

use std::borrow::Cow;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Batch, Catalog, Column, ColumnValues, Result, Value};
use millrace_plan::{ElementKind, Name, Runner};

use super::around;
use super::name::{NodeName, resolve};
use super::run::{column_of, id_of, int_of, rows, run};
use crate::plans::{self, GLOBAL_KEY, OWN_KEY};

/// One element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A node.
    Node(NodeName),
    /// A relationship, by id.
    Relationship(u64),
}

impl Target {
    /// Whether it is a vertex or an edge.
    pub(super) fn element(&self) -> ElementKind {
        match self {
            Target::Node(_) => ElementKind::Vertex,
            Target::Relationship(_) => ElementKind::Edge,
        }
    }

    /// Its id; `None` if nothing has the name.
    pub(super) fn id(&self, runner: &mut dyn Runner) -> Result<Option<u64>> {
        match self {
            Target::Node(name) => Ok(resolve(runner, name)?.map(|vertex| vertex.0)),
            Target::Relationship(id) => Ok(Some(*id)),
        }
    }
}

/// One element, whole; `None` if there is none.
pub fn show(runner: &mut dyn Runner, target: &Target) -> Result<Option<Value>> {
    let found = match target {
        Target::Node(name) => {
            let found = around::node(runner, name)?;
            Elements::of(runner, ElementKind::Vertex, found).values().collect()
        }
        Target::Relationship(id) => show_all(runner, ElementKind::Edge, &[*id])?,
    };
    Ok(found.into_iter().next())
}

/// Whole elements, those that exist, in the order of the ids.
pub fn show_all(runner: &mut dyn Runner, element: ElementKind, ids: &[u64]) -> Result<Vec<Value>> {
    let batch = run(runner, &plans::whole(element), &rows(vec![column_of(element, ids)]))?;
    Ok(Elements::of(runner, element, batch).values().collect())
}

/// Whole elements, as values or as the columns of a plan's answer.
#[derive(Debug)]
pub struct Elements {
    element: ElementKind,
    batch: Batch,
    catalog: Arc<Catalog>,
    /// The properties that are keys of nodes, best first; only nodes have one.
    keys: Vec<Name>,
}

/// One of them.
#[derive(Debug)]
pub struct ElementView<'a> {
    /// Its id.
    pub id: i64,
    /// The first of its labels, or its type; null if it has none.
    pub kind: Value,
    /// A node's key, if it has one.
    pub key: Option<&'a Value>,
    /// Where a relationship starts and ends.
    pub ends: Option<[i64; 2]>,
    fields: &'a [Field],
    catalog: &'a Catalog,
}

impl<'a> ElementView<'a> {
    /// Its properties, a node's key aside, each with its name.
    pub fn properties(&self) -> impl Iterator<Item = (&'a Name, Cow<'a, Value>)> {
        let (catalog, is_node) = (self.catalog, self.ends.is_none());
        let named = self.fields.iter().filter_map(move |field| {
            let name = catalog.keys.name(field.key.0)?;
            Some((name, plans::shown_value(catalog, field.key, &field.value)))
        });
        named.filter(move |(name, _)| !(is_node && is_key(name)))
    }
}

impl Elements {
    /// Of the rows of a plan that gives whole elements.
    pub(super) fn of(runner: &mut dyn Runner, element: ElementKind, batch: Batch) -> Elements {
        let catalog = runner.catalog();
        let keys = match element {
            ElementKind::Vertex => plans::key_properties(&catalog),
            ElementKind::Edge => Vec::new(),
        };
        Elements { element, batch, catalog, keys }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.batch.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Each of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = ElementView<'_>> {
        (0..self.batch.len).map(|row| self.view(row))
    }

    /// All of them as one list.
    pub fn to_value(&self) -> Value {
        Value::list(self.values().collect())
    }

    fn view(&self, row: usize) -> ElementView<'_> {
        let (batch, catalog) = (&self.batch, &*self.catalog);
        let fields = fields_of(&batch.columns[2], row);
        let value = |name: &Name| {
            let field = |field: &&Field| catalog.keys.name(field.key.0) == Some(name);
            fields.iter().find(field).map(|field| &field.value)
        };
        let ends = (self.element == ElementKind::Edge)
            .then(|| [3, 4].map(|column| id_at(batch, column, row)));
        ElementView {
            id: id_at(batch, 0, row),
            kind: first_text(&batch.columns[1], row),
            key: self.keys.iter().find_map(value),
            ends,
            fields,
            catalog,
        }
    }

    fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.iter().map(|view| {
            let properties = view.properties();
            let properties =
                properties.map(|(name, value)| (Value::String(name.clone()), value.into_owned()));
            let properties = ("properties", Value::map(properties.collect()));
            let (id, kind) = (("id", Value::I64(view.id)), ("type", view.kind));
            match view.ends {
                None => {
                    let key = view.key.cloned().unwrap_or_else(|| Value::from(""));
                    object([id, kind, ("key", key), properties])
                }
                Some([source, target]) => object([
                    id,
                    kind,
                    ("starting_node_id", Value::I64(source)),
                    ("ending_node_id", Value::I64(target)),
                    properties,
                ]),
            }
        })
    }
}

/// Whether a property is a node's name rather than one of its properties.
fn is_key(name: &str) -> bool {
    matches!(name, OWN_KEY | GLOBAL_KEY)
}

/// Whether a property is a node's name rather than one of its properties.
pub(super) fn is_key_name(key: &Value) -> bool {
    key.as_str().is_some_and(is_key)
}

pub(super) fn object<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
}

fn id_at(batch: &Batch, column: usize, row: usize) -> i64 {
    let id = batch.columns.get(column).and_then(|column| id_of(&column.get(row)?));
    id.and_then(|id| i64::try_from(id).ok()).unwrap_or(0)
}

/// The entry, or the first of its entries if it is a list.
fn first_text(column: &Column, row: usize) -> Value {
    match column.get(row) {
        Some(Value::List(values)) => values.first().cloned().unwrap_or_else(|| Value::from("")),
        Some(value) => value,
        None => Value::from(""),
    }
}

fn fields_of(column: &Column, row: usize) -> &[Field] {
    if let ColumnValues::Fields(fields) = &column.values { &fields[row] } else { &[] }
}

pub(super) fn count(
    runner: &mut dyn Runner,
    element: ElementKind,
    type_name: Option<&str>,
) -> Result<u64> {
    let batch = run(runner, &plans::count(element, type_name), &[])?;
    Ok(u64::try_from(int_of(&batch)).unwrap_or(0))
}
