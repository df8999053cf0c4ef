//! The vertices or edges of a column, with the rows they stand in.

use std::borrow::Cow;

use millrace_model::{Batch, Column, EdgeId, Error, ErrorKind, Result, Value, VertexId};

/// The vertices of a column; `rows` is `None` where every row has one.
pub(super) struct Vertices<'a> {
    pub(super) ids: Cow<'a, [VertexId]>,
    pub(super) rows: Option<Vec<u32>>,
}

impl Vertices<'_> {
    /// The vertices of a batch's column; rows with a null or absent entry have none.
    pub(super) fn of<'a>(batch: &'a Batch, slot: usize, asked: &str) -> Result<Vertices<'a>> {
        let column: &Column = &batch.columns[slot];
        if let Some(ids) = plain(column, column.as_vertices()) {
            return Ok(Vertices { ids: Cow::Borrowed(ids), rows: None });
        }
        let (ids, rows) = present(column, asked, "vertex", |value| match value {
            Value::Vertex(vertex) => Some(*vertex),
            _ => None,
        })?;
        Ok(Vertices { ids: Cow::Owned(ids), rows: Some(rows) })
    }

    /// The rows and their vertices, last to first.
    pub(super) fn starts(&self) -> impl Iterator<Item = (u32, VertexId)> {
        self.ids.iter().enumerate().rev().map(|(place, &vertex)| (self.row(place), vertex))
    }

    /// The row of the batch that a place in `ids` stands for.
    #[inline]
    pub(super) fn row(&self, place: usize) -> u32 {
        self.rows.as_ref().map_or(place as u32, |rows| rows[place])
    }
}

/// The rows with both ends present, and the ends.
pub(crate) fn both_ends(
    batch: &Batch,
    source: usize,
    target: usize,
) -> Result<(Vec<u32>, Vec<VertexId>, Vec<VertexId>)> {
    let sources = Vertices::of(batch, source, "an edge's source")?;
    let targets = Vertices::of(batch, target, "an edge's target")?;
    if sources.rows.is_none() && targets.rows.is_none() {
        let rows = (0..batch.len as u32).collect();
        return Ok((rows, sources.ids.into_owned(), targets.ids.into_owned()));
    }
    let mut target_of = vec![None; batch.len];
    for (place, id) in targets.ids.iter().enumerate() {
        target_of[targets.row(place) as usize] = Some(*id);
    }
    let mut found = (Vec::new(), Vec::new(), Vec::new());
    for (place, source) in sources.ids.iter().enumerate() {
        let row = sources.row(place);
        if let Some(target) = target_of[row as usize] {
            found.0.push(row);
            found.1.push(*source);
            found.2.push(target);
        }
    }
    Ok(found)
}

type EdgesAndRows<'a> = (Cow<'a, [EdgeId]>, Option<Vec<u32>>);

/// The edges of a column and their rows; `None` where every row has one.
pub(super) fn edges<'a>(column: &'a Column, asked: &str) -> Result<EdgesAndRows<'a>> {
    if let Some(ids) = plain(column, column.as_edges()) {
        return Ok((Cow::Borrowed(ids), None));
    }
    let (ids, rows) = present(column, asked, "edge", |value| match value {
        Value::Edge(edge) => Some(*edge),
        _ => None,
    })?;
    Ok((Cow::Owned(ids), Some(rows)))
}

fn plain<'a, T>(column: &Column, ids: Option<&'a [T]>) -> Option<&'a [T]> {
    ids.filter(|_| column.nulls.is_none() && column.absents.is_none())
}

fn present<T>(
    column: &Column,
    asked: &str,
    wanted: &str,
    pick: impl Fn(&Value) -> Option<T>,
) -> Result<(Vec<T>, Vec<u32>)> {
    let mut found = (Vec::new(), Vec::new());
    for row in 0..column.len() {
        let Some(value) = column.get(row).filter(|value| !value.is_null()) else { continue };
        let Some(id) = pick(&value) else {
            let kind = value.type_name();
            let detail = format!("{asked} expects a {wanted} but got a {kind}");
            return Err(Error::new(ErrorKind::BadQuery, detail));
        };
        found.0.push(id);
        found.1.push(row as u32);
    }
    Ok(found)
}
