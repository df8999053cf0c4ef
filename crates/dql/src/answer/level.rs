//! The rows of a level by the node that each was reached from.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use millrace_model::{Batch, Column, Result, Value, VertexId};

use super::json::misplaced;

/// A level of an answer.
pub(super) struct Level {
    rows: Arc<Batch>,
    /// The rows of the only bag there is.
    all: Range<usize>,
    parents: HashMap<VertexId, Range<usize>>,
}

impl Level {
    pub(super) fn new(rows: Arc<Batch>, all: Range<usize>) -> Level {
        Level { rows, all, parents: HashMap::new() }
    }

    /// The same with the rows of each parent, which stand together.
    pub(super) fn by_parent(mut self, parent: usize) -> Result<Level> {
        let parents = self.vertices(parent)?;
        let mut ranges = HashMap::new();
        let mut from = self.all.start;
        for row in self.all.clone() {
            if row + 1 == self.all.end || parents[row] != parents[row + 1] {
                ranges.insert(parents[row], from..row + 1);
                from = row + 1;
            }
        }
        self.parents = ranges;
        Ok(self)
    }

    /// All rows.
    pub(super) fn all(&self) -> Range<usize> {
        self.all.clone()
    }

    /// The rows reached from a node.
    pub(super) fn of_parent(&self, parent: VertexId) -> Range<usize> {
        self.parents.get(&parent).cloned().unwrap_or(0..0)
    }

    /// A column.
    pub(super) fn column(&self, column: usize) -> Result<&Column> {
        self.rows.columns.get(column).map(|own| &**own).ok_or_else(|| misplaced("a column"))
    }

    /// An entry that is there and not null.
    pub(super) fn value(&self, column: usize, row: usize) -> Result<Option<Value>> {
        Ok(self.column(column)?.get(row).filter(|value| !value.is_null()))
    }

    /// A column of vertices.
    pub(super) fn vertices(&self, column: usize) -> Result<&[VertexId]> {
        // A level without a row has columns of no type.
        if self.rows.len == 0 {
            return Ok(&[]);
        }
        self.column(column)?.as_vertices().ok_or_else(|| misplaced("a column of vertices"))
    }
}
