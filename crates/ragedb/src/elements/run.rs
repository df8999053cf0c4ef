//! A plan that runs for a request: its parameters as columns, and what its batch holds.

use millrace_model::{Batch, Column, EdgeId, Result, Value, VertexId};
use millrace_plan::{ElementKind, Parameter, Plan, Runner};

/// Runs a plan that other requests, with other parameters, run too.
pub(super) fn run(runner: &mut dyn Runner, plan: &Plan, parameters: &[Parameter]) -> Result<Batch> {
    let plan = runner.prepare(plan)?;
    runner.run(plan, parameters)
}

/// A parameter of rows with these columns.
pub(super) fn rows(columns: Vec<Column>) -> [Parameter; 1] {
    [Parameter::Rows(Batch::of(columns))]
}

/// Ids as a column of elements.
pub(super) fn column_of(element: ElementKind, ids: &[u64]) -> Column {
    match element {
        ElementKind::Vertex => Column::vertices(ids.iter().map(|id| VertexId(*id)).collect()),
        ElementKind::Edge => Column::edges(ids.iter().map(|id| EdgeId(*id)).collect()),
    }
}

/// The vertices of a column.
pub(super) fn vertices(batch: &Batch, column: usize) -> &[VertexId] {
    batch.columns.get(column).and_then(|column| column.as_vertices()).unwrap_or_default()
}

/// The ids of a column of elements, each as often as its weight.
pub(super) fn ids_of(batch: &Batch, column: usize) -> Vec<u64> {
    let Some(column) = batch.columns.get(column) else { return Vec::new() };
    let rows = (0..batch.len).flat_map(|row| std::iter::repeat_n(row, batch.weight(row) as usize));
    rows.filter_map(|row| id_of(&column.get(row)?)).collect()
}

pub(super) fn id_of(value: &Value) -> Option<u64> {
    match value {
        Value::Vertex(vertex) => Some(vertex.0),
        Value::Edge(edge) => Some(edge.0),
        _ => None,
    }
}

/// The one integer of a result; 0 if it has no row.
pub(super) fn int_of(batch: &Batch) -> i64 {
    let value = batch.columns.first().filter(|_| 0 < batch.len).and_then(|column| column.get(0));
    value.and_then(|value| value.as_int()).unwrap_or(0)
}
