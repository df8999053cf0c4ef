//! `Scan`: each row, once for every vertex or edge listed.

use millrace_model::{Batch, Column, EdgeTypeId, LabelId, Result, VertexId};
use millrace_store::{EdgeRows, ScanCursor};

use super::keep::{Keep, add};
use crate::names::{EdgeTypes, Resolved};
use crate::pipeline::{BatchSize, Operator, Upstream};
use crate::run::Run;

/// What is listed.
pub(crate) enum Scanned {
    Vertices(Option<Resolved<LabelId>>),
    Edges(EdgeTypes),
}

pub(crate) struct Scan {
    scanned: Scanned,
    keep: Keep,
    /// Whether the new column is read later.
    to: bool,
    rows: Option<(Batch, usize)>,
    cursor: ScanCursor,
    size: BatchSize,
}

impl Scan {
    pub(crate) fn new(scanned: Scanned, keep: Keep, to: bool, size: BatchSize) -> Scan {
        Scan { scanned, keep, to, rows: None, cursor: ScanCursor::default(), size }
    }

    /// The next elements of the list, as a column; `None` at its end.
    fn list(&mut self, run: &Run<'_>) -> Result<Option<Column>> {
        if self.cursor.finished {
            return Ok(None);
        }
        let graph = run.context.graph();
        let rows_max = self.size.next();
        let column = match &mut self.scanned {
            Scanned::Vertices(label) => {
                let label = match label {
                    Some(label) => match label.label(run.context) {
                        Some(label) => Some(label),
                        None => return Ok(None),
                    },
                    None => None,
                };
                let mut vertices: Vec<VertexId> = Vec::new();
                graph.scan_vertices(label, &mut self.cursor, rows_max, &mut vertices)?;
                Column::vertices(vertices)
            }
            Scanned::Edges(types) => {
                let types: Option<&[EdgeTypeId]> = types.resolve(run.context);
                if types.is_some_and(<[EdgeTypeId]>::is_empty) {
                    return Ok(None);
                }
                let mut edges = EdgeRows::default();
                graph.scan_edges(types, &mut self.cursor, rows_max, &mut edges)?;
                Column::edges(edges.edges)
            }
        };
        // A store may look at a stretch without finding anything, and still not be at its end.
        let ended = column.is_empty() && self.cursor.finished;
        Ok((!ended).then_some(column))
    }
}

impl Operator for Scan {
    fn begin(&mut self, _run: &Run<'_>) {
        self.rows = None;
        self.size.begin_again();
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if self.rows.is_none() {
                let Some(batch) = input.next(run)? else { return Ok(None) };
                self.rows = Some((batch, 0));
                self.cursor = ScanCursor::default();
            }
            match self.list(run)? {
                Some(column) if column.is_empty() => run.context.check_pull()?,
                Some(column) => {
                    let (batch, row) = self.rows.as_ref().expect("filled above");
                    let mut listed = self.keep.repeat(batch, *row, column.len());
                    if self.to {
                        add(&mut listed, column);
                    }
                    return Ok(Some(listed));
                }
                None => {
                    self.cursor = ScanCursor::default();
                    let (batch, row) = self.rows.as_mut().expect("filled above");
                    *row += 1;
                    if *row == batch.len {
                        self.rows = None;
                    }
                }
            }
        }
    }
}
