//! A snapshot in batches: elements with their ids, names and properties, asked for together.

use super::{Watch, refused};
use crate::limits::SEEK_ROWS;
use millrace_model::column::Field;
use millrace_model::{
    Catalog, Column, ColumnValues, EdgeId, Error, ErrorKind, Result, Value, VertexId,
};
use millrace_store::{EdgeRows, Elements, Labels, ScanCursor, Snapshot};
use std::sync::Arc;

/// Vertices.
pub(super) struct Vertices {
    pub(super) slots: Vec<VertexId>,
    ids: Option<Column>,
    pub(super) labels: Vec<Labels>,
    pub(super) fields: Vec<Arc<[Field]>>,
}

impl Vertices {
    /// The external id of a vertex.
    pub(super) fn id(&self, row: usize) -> ExportedId {
        exported_id(self.ids.as_ref(), row, self.slots[row].0)
    }
}

/// Edges, with the ids of their ends.
pub(super) struct Edges {
    pub(super) rows: EdgeRows,
    ids: Option<Column>,
    sources: Option<Column>,
    targets: Option<Column>,
    pub(super) fields: Vec<Arc<[Field]>>,
}

impl Edges {
    /// Of edges that were found.
    pub(super) fn of(snapshot: &dyn Snapshot, rows: EdgeRows) -> Result<Self> {
        let elements = Elements::Edges(&rows.edges);
        let ids = snapshot.external_id_values(elements)?;
        let fields = vectors_as_lists(snapshot.fields(elements)?);
        let sources = snapshot.external_id_values(Elements::Vertices(&rows.sources))?;
        let targets = snapshot.external_id_values(Elements::Vertices(&rows.targets))?;
        Ok(Self { ids, fields, sources, targets, rows })
    }

    pub(super) fn len(&self) -> usize {
        self.rows.edges.len()
    }

    /// The external id of an edge.
    pub(super) fn id(&self, row: usize) -> ExportedId {
        exported_id(self.ids.as_ref(), row, self.rows.edges[row].0)
    }

    /// Whether its client chose its id.
    pub(super) fn has_chosen_id(&self, row: usize) -> bool {
        let EdgeId(slot) = self.rows.edges[row];
        self.ids.is_some() && self.id(row) != ExportedId::Number(slot as i64)
    }

    pub(super) fn source(&self, row: usize) -> ExportedId {
        exported_id(self.sources.as_ref(), row, self.rows.sources[row].0)
    }

    pub(super) fn target(&self, row: usize) -> ExportedId {
        exported_id(self.targets.as_ref(), row, self.rows.targets[row].0)
    }
}

/// An id as it leaves the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ExportedId {
    Number(i64),
    Text(Arc<str>),
}

impl std::fmt::Display for ExportedId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

fn exported_id(ids: Option<&Column>, row: usize, slot: u64) -> ExportedId {
    match ids.and_then(|ids| ids.get(row)) {
        Some(Value::String(text)) => ExportedId::Text(text),
        Some(value) => ExportedId::Number(value.as_int().unwrap_or(slot as i64)),
        None => ExportedId::Number(slot as i64),
    }
}

/// How vectors leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vectors {
    AsTheyAre,
    AsLists,
}

/// Hands over all vertices, batch by batch. Vectors are lists.
pub(super) fn for_each_vertices(
    snapshot: &dyn Snapshot,
    watch: &mut Watch<'_>,
    doing: &str,
    take: impl FnMut(&Vertices) -> Result<()>,
) -> Result<()> {
    for_each_vertices_with(snapshot, watch, doing, Vectors::AsLists, take)
}

/// Hands over all vertices, batch by batch.
pub(super) fn for_each_vertices_with(
    snapshot: &dyn Snapshot,
    watch: &mut Watch<'_>,
    doing: &str,
    vectors: Vectors,
    mut take: impl FnMut(&Vertices) -> Result<()>,
) -> Result<()> {
    let mut cursor = ScanCursor::default();
    while !cursor.finished {
        let mut slots = Vec::new();
        snapshot.scan_vertices(None, &mut cursor, SEEK_ROWS, &mut slots)?;
        let elements = Elements::Vertices(&slots);
        let ids = snapshot.external_id_values(elements)?;
        let labels = snapshot.labels(&slots)?;
        let fields = match vectors {
            Vectors::AsLists => vectors_as_lists(snapshot.fields(elements)?),
            Vectors::AsTheyAre => snapshot.fields(elements)?,
        };
        let vertices = Vertices { ids, labels, fields, slots };
        take(&vertices)?;
        watch.step(doing, vertices.slots.len())?;
    }
    Ok(())
}

/// Vectors leave as lists of doubles: no format has a word for them, and an index of vectors takes lists.
fn vectors_as_lists(fields: Vec<Arc<[Field]>>) -> Vec<Arc<[Field]>> {
    match Column::of(ColumnValues::Fields(fields)).vectors_as_lists().values {
        ColumnValues::Fields(fields) => fields,
        _ => Vec::new(),
    }
}

/// Hands over all edges, batch by batch, type by type.
pub(super) fn for_each_edges(
    snapshot: &dyn Snapshot,
    watch: &mut Watch<'_>,
    doing: &str,
    mut take: impl FnMut(&Edges) -> Result<()>,
) -> Result<()> {
    let mut cursor = ScanCursor::default();
    while !cursor.finished {
        let mut rows = EdgeRows::default();
        snapshot.scan_edges(None, &mut cursor, SEEK_ROWS, &mut rows)?;
        let edges = Edges::of(snapshot, rows)?;
        take(&edges)?;
        watch.step(doing, edges.len())?;
    }
    Ok(())
}

/// The name of a number.
pub(super) fn name(names: &millrace_model::schema::Names, number: u32) -> Result<&str> {
    names.name(number).map(|name| &**name).ok_or_else(|| {
        Error::new(ErrorKind::Corrupt, format!("the graph has no name of the number {number}"))
    })
}

/// The name of a field's key.
pub(super) fn key<'c>(catalog: &'c Catalog, field: &Field) -> Result<&'c str> {
    name(&catalog.keys, field.key.0)
}

/// The refusal of a value, naming its owner.
pub(super) fn no_word(format: &str, owner: &str, key: &str, what: &str, other: &str) -> Error {
    refused(format!("the property '{key}' of {owner} is {what}, which {format} cannot express"))
        .with_help(other)
}
