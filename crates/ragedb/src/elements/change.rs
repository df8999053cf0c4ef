//! Elements made and removed.

use millrace_model::value::ValueMap;
use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::{ElementKind, Plan, Runner};

use super::name::{NodeName, resolve};
use super::run::{column_of, ids_of, rows, run};
use super::schema::{OwnerType, declare_type};
use super::show::{Target, show_all};
use crate::plans::{self, OWN_KEY};

/// A new node, whole. A type that is new is declared; a key that is taken is refused.
pub fn add_node(
    runner: &mut dyn Runner,
    type_name: &str,
    key: &str,
    properties: &ValueMap,
) -> Result<Value> {
    new_node(runner, type_name, key, None, properties)
}

/// The same with an id that the caller chose: any from 1 to 2^63 - 1 that no node has.
pub fn add_node_with_id(
    runner: &mut dyn Runner,
    type_name: &str,
    key: &str,
    id: u64,
    properties: &ValueMap,
) -> Result<Value> {
    let int = i64::try_from(id).map_err(|_| {
        let detail = format!("node id {id} is out of range: it must be below 2^63");
        Error::new(ErrorKind::BadInput, detail)
    })?;
    new_node(runner, type_name, key, Some(int), properties)
}

fn new_node(
    runner: &mut dyn Runner,
    type_name: &str,
    key: &str,
    id: Option<i64>,
    properties: &ValueMap,
) -> Result<Value> {
    let name = NodeName::Key { type_name: type_name.to_owned(), key: key.to_owned() };
    if resolve(runner, &name)?.is_some() {
        let detail = format!("a {type_name} with the key {key} exists already");
        return Err(Error::new(ErrorKind::Constraint, detail));
    }
    let mut sources = plans::key_sources(&runner.catalog(), type_name);
    if sources.is_empty() {
        declare_type(runner, &OwnerType::node(type_name))?;
        sources = plans::key_sources(&runner.catalog(), type_name);
    }
    let key_property = sources.first().map_or(OWN_KEY, |source| &source.property).to_owned();
    let (names, values) = named_columns(properties);
    if names.contains(&key_property) {
        let detail = format!("{key_property} is the key of {type_name}");
        return Err(Error::new(ErrorKind::BadInput, detail).with_help("give it in the path"));
    }
    let mut columns = vec![Column::from_values([Value::from(key)])];
    columns.extend(id.map(|id| Column::from_values([Value::I64(id)])));
    columns.extend(values);
    let plan = match id {
        Some(_) => plans::create_vertices_with_ids(type_name, &key_property, &names),
        None => plans::create_vertices(type_name, &key_property, &names),
    };
    created(runner, ElementKind::Vertex, &plan, columns)
}

/// A new relationship, whole; `None` if one of its nodes does not exist.
pub fn add_relationship(
    runner: &mut dyn Runner,
    type_name: &str,
    (source, target): (&NodeName, &NodeName),
    properties: &ValueMap,
) -> Result<Option<Value>> {
    let ends = (resolve(runner, source)?, resolve(runner, target)?);
    let (Some(source), Some(target)) = ends else { return Ok(None) };
    let (names, values) = named_columns(properties);
    let mut columns = vec![Column::vertices(vec![source]), Column::vertices(vec![target])];
    columns.extend(values);
    let by_id = plans::EndSource::Id;
    let plan = plans::create_edges(type_name, &by_id, &by_id, &names);
    let made = created(runner, ElementKind::Edge, &plan, columns)?;
    Ok(Some(made).filter(|value| !value.is_null()))
}

/// Property names, and a column of one value for each.
fn named_columns(properties: &ValueMap) -> (Vec<String>, Vec<Column>) {
    let named = properties.iter().map(|(name, value)| {
        let name = name.as_str().unwrap_or_default().to_owned();
        (name, Column::from_values([value.clone()]))
    });
    named.unzip()
}

/// The whole element that a creating plan made; null if it made none.
fn created(
    runner: &mut dyn Runner,
    element: ElementKind,
    plan: &Plan,
    columns: Vec<Column>,
) -> Result<Value> {
    let ids = ids_of(&run(runner, plan, &rows(columns))?, 0);
    Ok(show_all(runner, element, &ids)?.into_iter().next().unwrap_or(Value::Null))
}

/// Removes an element, a node with its relationships; whether there was one.
pub fn remove(runner: &mut dyn Runner, target: &Target) -> Result<bool> {
    let Some(id) = target.id(runner)? else { return Ok(false) };
    let element = target.element();
    let batch = run(runner, &plans::delete(element), &rows(vec![column_of(element, &[id])]))?;
    Ok(0 < batch.len)
}
