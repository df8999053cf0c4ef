//! Existence, labels, ends and properties of sets of elements, over all partitions.

use std::ops::Range;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Bits, Column, EdgeId, KeyId, Position, Result, Value, VertexId};
use millrace_store::run::PARTITION_BITS;
use millrace_store::{Elements, Ends, Labels};

use super::frontier::chunks;
use super::{Partitions, View, local, ordinal_of_edge, ordinal_of_vertex, slot};
use crate::image::PropertyColumn;
use crate::image::append::append;

/// A column under way: entries that stand in one stored column are copied together.
pub(crate) struct Gathered {
    column: Column,
    stored: Option<Arc<PropertyColumn>>,
    places: Vec<u32>,
}

impl Gathered {
    pub(crate) fn new() -> Gathered {
        Gathered { column: Column::default(), stored: None, places: Vec::new() }
    }

    /// Appends an entry, absent if `None`.
    pub(crate) fn push(&mut self, entry: Option<Value>) {
        self.flush();
        self.column.push_entry(entry);
    }

    /// Appends what a row of a stored column holds.
    pub(crate) fn push_stored(&mut self, stored: Option<&Arc<PropertyColumn>>, row: u32) {
        let Some((stored, place)) =
            stored.and_then(|stored| stored.place(row).map(|place| (stored, place as u32)))
        else {
            self.push(None);
            return;
        };
        if !self.stored.as_ref().is_some_and(|before| Arc::ptr_eq(before, stored)) {
            self.flush();
            self.stored = Some(stored.clone());
        }
        self.places.push(place);
    }

    /// Copies what waits.
    pub(crate) fn flush(&mut self) {
        if let Some(stored) = self.stored.as_ref().filter(|_| !self.places.is_empty()) {
            append(&mut self.column, &stored.values, &self.places);
            self.places.clear();
        }
    }
}

impl Partitions {
    /// Which of the elements exist at a position.
    pub fn exist(&self, at: Position, elements: Elements<'_>) -> Result<Bits> {
        let mut exist = Bits::unset(elements.len());
        match elements {
            Elements::Vertices(vertices) => self.by_vertices(at, vertices, |view, chunk| {
                let Some(reader) = view.map(View::vertices).transpose()? else { return Ok(()) };
                for row in chunk {
                    if reader.exists(local(vertices[row])) {
                        exist.insert(row);
                    }
                }
                Ok(())
            })?,
            Elements::Edges(edges) => self.by_edges(at, edges, |view, chunk| {
                let Some(mut reader) = view.map(View::edges) else { return Ok(()) };
                for row in chunk {
                    if reader.place(slot(edges[row]))?.is_some() {
                        exist.insert(row);
                    }
                }
                Ok(())
            })?,
        }
        Ok(exist)
    }

    /// The labels of each vertex at a position; none for one that does not exist.
    pub fn labels(&self, at: Position, vertices: &[VertexId]) -> Result<Vec<Labels>> {
        let mut labels = vec![Labels::from([]); vertices.len()];
        self.by_vertices(at, vertices, |view, chunk| {
            let Some(reader) = view.map(View::vertices).transpose()? else { return Ok(()) };
            for row in chunk {
                if let Some(own) = reader.labels(local(vertices[row])) {
                    labels[row] = own.clone();
                }
            }
            Ok(())
        })?;
        Ok(labels)
    }

    /// Type and ends of each edge at a position.
    pub fn ends(&self, at: Position, edges: &[EdgeId]) -> Result<Ends> {
        let mut ends = Ends {
            exist: Bits::unset(edges.len()),
            types: vec![Default::default(); edges.len()],
            sources: vec![VertexId::default(); edges.len()],
            targets: vec![VertexId::default(); edges.len()],
        };
        self.by_edges(at, edges, |view, chunk| {
            let Some(view) = view else { return Ok(()) };
            let first = u64::from(view.ordinal) << PARTITION_BITS;
            let mut reader = view.edges();
            for row in chunk {
                if let Some(place) = reader.place(slot(edges[row]))? {
                    ends.exist.insert(row);
                    ends.types[row] = place.edge_type;
                    ends.sources[row] = VertexId(first | u64::from(place.source));
                    ends.targets[row] = VertexId(u64::from(place.target));
                }
            }
            Ok(())
        })?;
        Ok(ends)
    }

    /// One column for each key with the value of each element at a position, absent where it has
    /// none.
    pub fn gather(
        &self,
        at: Position,
        elements: Elements<'_>,
        keys: &[KeyId],
    ) -> Result<Vec<Column>> {
        let mut columns: Vec<Gathered> = keys.iter().map(|_| Gathered::new()).collect();
        match elements {
            Elements::Vertices(vertices) => self.by_vertices(at, vertices, |view, chunk| {
                let Some(reader) = view.map(View::vertices).transpose()? else {
                    return push_absent(&mut columns, chunk.len());
                };
                let locals: Vec<u16> = vertices[chunk].iter().map(|at| local(*at)).collect();
                let mut keyed = keys.iter().zip(&mut columns);
                keyed.try_for_each(|(key, column)| reader.gather(&locals, *key, column))
            })?,
            Elements::Edges(edges) => self.by_edges(at, edges, |view, chunk| {
                let Some(mut reader) = view.map(View::edges) else {
                    return push_absent(&mut columns, chunk.len());
                };
                let places = edges[chunk].iter().map(|edge| reader.place(slot(*edge)));
                let places: Vec<_> = places.collect::<Result<_>>()?;
                let mut keyed = keys.iter().zip(&mut columns);
                keyed.try_for_each(|(key, column)| reader.gather(&places, *key, column))
            })?,
        }
        Ok(columns.into_iter().map(|gathered| gathered.column).collect())
    }

    /// All properties of each element at a position, by key number.
    pub fn fields(&self, at: Position, elements: Elements<'_>) -> Result<Vec<Arc<[Field]>>> {
        let mut fields = vec![Arc::from([]); elements.len()];
        match elements {
            Elements::Vertices(vertices) => self.by_vertices(at, vertices, |view, chunk| {
                let Some(reader) = view.map(View::vertices).transpose()? else { return Ok(()) };
                for row in chunk {
                    fields[row] = reader.fields(local(vertices[row]))?;
                }
                Ok(())
            })?,
            Elements::Edges(edges) => self.by_edges(at, edges, |view, chunk| {
                let Some(mut reader) = view.map(View::edges) else { return Ok(()) };
                for row in chunk {
                    if let Some(place) = reader.place(slot(edges[row]))? {
                        fields[row] = place.fields()?;
                    }
                }
                Ok(())
            })?,
        }
        Ok(fields)
    }

    /// Calls `look` with each chunk of vertices and what there is of their partition, if any.
    fn by_vertices(
        &self,
        at: Position,
        vertices: &[VertexId],
        look: impl FnMut(Option<View<'_>>, Range<usize>) -> Result<()>,
    ) -> Result<()> {
        self.by_chunks(at, chunks(vertices, ordinal_of_vertex), look)
    }

    /// The same for edges and their sources' partition.
    fn by_edges(
        &self,
        at: Position,
        edges: &[EdgeId],
        look: impl FnMut(Option<View<'_>>, Range<usize>) -> Result<()>,
    ) -> Result<()> {
        self.by_chunks(at, chunks(edges, ordinal_of_edge), look)
    }

    fn by_chunks(
        &self,
        at: Position,
        chunks: impl Iterator<Item = (Option<u32>, Range<usize>)>,
        mut look: impl FnMut(Option<View<'_>>, Range<usize>) -> Result<()>,
    ) -> Result<()> {
        for (ordinal, chunk) in chunks {
            match self.get(ordinal) {
                Some(partition) => partition.with_view(at, |view| look(Some(view), chunk))?,
                None => look(None, chunk)?,
            }
        }
        Ok(())
    }
}

fn push_absent(columns: &mut [Gathered], rows: usize) -> Result<()> {
    for column in columns {
        (0..rows).for_each(|_| column.push(None));
    }
    Ok(())
}
