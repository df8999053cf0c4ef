//! Elements as values: `{id, type, key, properties}`, and how much of each kind there is.

use millrace_lua::{GLOBAL_KEY, OWN_KEY, plans};
use millrace_model::value::ValueMap;
use millrace_model::{Batch, Catalog, Column, Entries, Result, Value};
use millrace_plan::{ElementKind, Name, Runner};

use super::{NodeName, column_of, id_of, int_of, resolve, rows, run};

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
    let Some(id) = target.id(runner)? else { return Ok(None) };
    Ok(show_all(runner, target.element(), &[id])?.into_iter().next())
}

/// Whole elements, those that exist, in the order of the ids.
pub fn show_all(runner: &mut dyn Runner, element: ElementKind, ids: &[u64]) -> Result<Vec<Value>> {
    let batch = run(runner, &plans::whole(element), &rows(vec![column_of(element, ids)]))?;
    let catalog = runner.catalog();
    let keys = plans::key_properties(&catalog);
    let value = |row| match element {
        ElementKind::Vertex => node_value(&batch, row, &catalog, &keys),
        ElementKind::Edge => relationship_value(&batch, row, &catalog),
    };
    Ok((0..batch.len).map(value).collect())
}

fn node_value(batch: &Batch, row: usize, catalog: &Catalog, keys: &[Name]) -> Value {
    let mut properties = fields_of(&batch.columns[2], row, catalog);
    let named = |name: &Name| properties.iter().find(|(key, _)| key.as_str() == Some(name));
    let key = keys.iter().find_map(named).map(|(_, value)| value.clone());
    properties.retain(|(key, _)| !is_key_name(key));
    object([
        ("id", id_at(batch, 0, row)),
        ("type", first_text(&batch.columns[1], row)),
        ("key", key.unwrap_or_else(|| Value::from(""))),
        ("properties", Value::map(properties)),
    ])
}

fn relationship_value(batch: &Batch, row: usize, catalog: &Catalog) -> Value {
    object([
        ("id", id_at(batch, 0, row)),
        ("type", first_text(&batch.columns[1], row)),
        ("starting_node_id", id_at(batch, 3, row)),
        ("ending_node_id", id_at(batch, 4, row)),
        ("properties", Value::map(fields_of(&batch.columns[2], row, catalog))),
    ])
}

/// Whether a property is a node's name rather than one of its properties.
pub(super) fn is_key_name(key: &Value) -> bool {
    matches!(key.as_str(), Some(OWN_KEY | GLOBAL_KEY))
}

pub(super) fn object<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
}

fn id_at(batch: &Batch, column: usize, row: usize) -> Value {
    let id = batch.columns.get(column).and_then(|column| id_of(&column.get(row)?));
    Value::I64(id.and_then(|id| i64::try_from(id).ok()).unwrap_or(0))
}

/// The entry, or the first of its entries if it is a list.
fn first_text(column: &Column, row: usize) -> Value {
    match column.get(row) {
        Some(Value::List(values)) => values.first().cloned().unwrap_or_else(|| Value::from("")),
        Some(value) => value,
        None => Value::from(""),
    }
}

fn fields_of(column: &Column, row: usize, catalog: &Catalog) -> ValueMap {
    let Entries::Fields(fields) = &column.entries else { return ValueMap::new() };
    let named = fields[row].iter().filter_map(|field| {
        let name = catalog.keys.name(field.key.0)?;
        Some((Value::String(name.clone()), field.value.clone()))
    });
    named.collect()
}

/// How many nodes and relationships there are.
pub fn size(runner: &mut dyn Runner) -> Result<(u64, u64)> {
    let nodes = count(runner, ElementKind::Vertex, None)?;
    Ok((nodes, count(runner, ElementKind::Edge, None)?))
}

pub(super) fn count(
    runner: &mut dyn Runner,
    element: ElementKind,
    type_name: Option<&str>,
) -> Result<u64> {
    let batch = run(runner, &plans::count(element, type_name), &[])?;
    Ok(u64::try_from(int_of(&batch)).unwrap_or(0))
}
