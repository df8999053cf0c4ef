//! Which elements a scan would find by a value that equals their ids.

use millrace_model::{Column, ColumnValues, EdgeId, Result, Value, VertexId, element_id};
use millrace_plan::ElementKind;
use millrace_plan::op::IdForm;
use millrace_store::{EdgeRows, Elements, ScanCursor};

use crate::limits;
use crate::run::{Charge, Run};

/// The ids that a value equals in a form: integers from 0, texts, or elements.
pub(super) fn ids_equal_to(value: &Value, form: IdForm, element: ElementKind) -> Vec<Value> {
    match (form, value) {
        (IdForm::Id, Value::String(_)) => vec![value.clone()],
        (IdForm::Text, Value::String(text)) => {
            let prefix = match element {
                ElementKind::Vertex => element_id::NODE_PREFIX,
                ElementKind::Edge => element_id::RELATIONSHIP_PREFIX,
            };
            let Some(text) = text.strip_prefix(prefix) else { return Vec::new() };
            let number = text.parse().ok().filter(|&number: &i64| 0 <= number);
            // Only as it is written: 07 is none.
            let number = number.filter(|number| *number.to_string() == *text);
            number.map(Value::I64).into_iter().chain([Value::from(text)]).collect()
        }
        (IdForm::Text, _) | (IdForm::Number, Value::String(_)) => Vec::new(),
        (IdForm::Id | IdForm::Number, _) => {
            let Some(number) = int_equal_to(value) else { return Vec::new() };
            match (u64::try_from(number), form) {
                (Ok(_), _) => vec![Value::I64(number)],
                // The number of an element if that has a text as its id.
                (Err(_), IdForm::Number) => vec![of_number(number, element)],
                (Err(_), IdForm::Id | IdForm::Text) => Vec::new(),
            }
        }
    }
}

/// The element with the number below 0.
fn of_number(number: i64, element: ElementKind) -> Value {
    let internal = !number as u64;
    match element {
        ElementKind::Vertex => Value::Vertex(VertexId(internal)),
        ElementKind::Edge => Value::Edge(EdgeId(internal)),
    }
}

/// Whether elements are there and have texts as ids.
pub(super) fn have_texts(column: &Column, run: &Run<'_>) -> Result<Vec<bool>> {
    let graph = run.context.graph();
    let elements = match &column.values {
        ColumnValues::Edge(edges) => Elements::Edges(edges),
        _ => Elements::Vertices(column.as_vertices().unwrap_or(&[])),
    };
    let exist = graph.exist(elements)?;
    let Some(ids) = graph.external_id_values(elements)? else {
        return Ok(vec![false; column.len()]);
    };
    let is_text = |place: usize| matches!(ids.get(place), Some(Value::String(_)));
    Ok((0..column.len()).map(|place| exist.get(place) && is_text(place)).collect())
}

/// The integer that equals a value.
fn int_equal_to(value: &Value) -> Option<i64> {
    let whole = |double: f64| {
        let int = double as i64;
        // Beyond, a double that is whole is still no other integer's.
        (int as f64 == double && int != i64::MAX).then_some(int)
    };
    match value {
        Value::F32(float) => whole(f64::from(*float)),
        Value::F64(double) => whole(*double),
        Value::Decimal(decimal) => 10i128
            .checked_pow(decimal.scale)
            .filter(|power| decimal.unscaled % power == 0)
            .and_then(|power| i64::try_from(decimal.unscaled / power).ok()),
        other => other.as_int(),
    }
}

/// Bytes of an element that is listed: an edge has ends and a type.
const LISTED_BYTES: u64 = 32;

/// All elements.
pub(super) fn all(element: ElementKind, charge: &mut Charge, run: &Run<'_>) -> Result<Vec<u64>> {
    let graph = run.context.graph();
    let mut cursor = ScanCursor::default();
    let (mut vertices, mut edges) = (Vec::new(), EdgeRows::default());
    while !cursor.finished {
        run.context.guard().check()?;
        let rows_max = limits::BATCH_ROWS_MAX;
        match element {
            ElementKind::Vertex => {
                graph.scan_vertices(None, &mut cursor, rows_max, &mut vertices)?;
            }
            ElementKind::Edge => graph.scan_edges(None, &mut cursor, rows_max, &mut edges)?,
        }
        charge.set((vertices.len() + edges.edges.len()) as u64 * LISTED_BYTES, run)?;
    }
    let vertices = vertices.into_iter().map(|vertex: VertexId| vertex.0);
    Ok(vertices.chain(edges.edges.into_iter().map(|edge| edge.0)).collect())
}
