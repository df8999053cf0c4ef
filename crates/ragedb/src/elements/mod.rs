//! Nodes and relationships for the REST routes: each request is a few plans over sets.
//!
//! The plans are those of the Lua functions (`plans`), so a key means the same to both. Everything is a
//! function of a transaction's [`Runner`]; results are plain values, for `wire` to write. As in RageDB, an
//! unknown id is no error: it has degree 0 and no neighbours, and [`show`] returns `None` for it.

mod around;
mod change;
mod find;
mod properties;
mod schema;
mod show;
mod traverse;

pub use crate::plans::Condition;
pub use change::{add_node, add_node_with_id, add_relationship, remove};
pub use find::{Page, find, list};
pub use millrace_plan::ElementKind;
pub use properties::{PropertiesChange, change_properties, properties, property};
pub use schema::{
    OwnerType, declare_index, declare_property, declare_type, drop_index, drop_property, drop_type,
    indexes, property_type, type_properties, types,
};
pub use show::{ElementView, Elements, Target, show, show_all};
pub use traverse::{Way, connected, degree, neighbors, relationships};

use millrace_model::{Batch, Column, EdgeId, Result, Value, VertexId};
use millrace_plan::{Parameter, Plan, Runner};

use crate::plans;

/// A node, by id or by type and key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeName {
    /// By id.
    Id(u64),
    /// By type and key.
    Key {
        /// Its type.
        type_name: String,
        /// Its key.
        key: String,
    },
}

/// Runs a plan that other requests, with other parameters, run too.
fn run(runner: &mut dyn Runner, plan: &Plan, parameters: &[Parameter]) -> Result<Batch> {
    let plan = runner.prepare(plan)?;
    runner.run(plan, parameters)
}

/// The vertex of a name; an id is not looked up.
fn resolve(runner: &mut dyn Runner, name: &NodeName) -> Result<Option<VertexId>> {
    let (type_name, key) = match name {
        NodeName::Id(id) => return Ok((*id != 0).then_some(VertexId(*id))),
        NodeName::Key { type_name, key } => (type_name, key),
    };
    for source in plans::key_sources(&runner.catalog(), type_name) {
        let plan = plans::vertex_by_key(&source, type_name);
        let batch = run(runner, &plan, &[Parameter::Value(Value::from(key.as_str()))])?;
        if let Some(vertex) = vertices(&batch, 0).first() {
            return Ok(Some(*vertex));
        }
    }
    Ok(None)
}

/// A parameter of rows with these columns.
fn rows(columns: Vec<Column>) -> [Parameter; 1] {
    [Parameter::Rows(Batch::of(columns))]
}

/// Ids as a column of elements.
fn column_of(element: ElementKind, ids: &[u64]) -> Column {
    match element {
        ElementKind::Vertex => Column::vertices(ids.iter().map(|id| VertexId(*id)).collect()),
        ElementKind::Edge => Column::edges(ids.iter().map(|id| EdgeId(*id)).collect()),
    }
}

/// The vertices of a column.
fn vertices(batch: &Batch, column: usize) -> &[VertexId] {
    batch.columns.get(column).and_then(|column| column.as_vertices()).unwrap_or_default()
}

/// The ids of a column of elements, each as often as its weight.
fn ids_of(batch: &Batch, column: usize) -> Vec<u64> {
    let Some(column) = batch.columns.get(column) else { return Vec::new() };
    let rows = (0..batch.len).flat_map(|row| std::iter::repeat_n(row, batch.weight(row) as usize));
    rows.filter_map(|row| id_of(&column.get(row)?)).collect()
}

fn id_of(value: &Value) -> Option<u64> {
    match value {
        Value::Vertex(vertex) => Some(vertex.0),
        Value::Edge(edge) => Some(edge.0),
        _ => None,
    }
}

/// The one integer of a result; 0 if it has no row.
fn int_of(batch: &Batch) -> i64 {
    let value = batch.columns.first().filter(|_| 0 < batch.len).and_then(|column| column.get(0));
    value.and_then(|value| value.as_int()).unwrap_or(0)
}
