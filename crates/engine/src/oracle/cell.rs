//! A row as a map from columns to cells.
//!
//! Cells are compared by identity, as merging and grouping do; a cell without identity (a bag, a
//! fields cell) carries a number, so that each is a group of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_plan::ColumnId;

/// The entry of a column for a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cell {
    Absent,
    /// Null is a value here.
    Value(Value),
    Opaque(Opaque),
}

/// A bag or a fields cell.
#[derive(Clone, Debug)]
pub(super) struct Opaque {
    pub(super) number: u64,
    pub(super) content: Content,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    /// Shared: a row is cloned often, and bags hold bags.
    Bag(Arc<[Vec<Cell>]>),
    Fields(Arc<[Field]>),
}

impl PartialEq for Opaque {
    fn eq(&self, other: &Opaque) -> bool {
        self.number == other.number
    }
}

impl Eq for Opaque {}

impl PartialOrd for Opaque {
    fn partial_cmp(&self, other: &Opaque) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Opaque {
    fn cmp(&self, other: &Opaque) -> std::cmp::Ordering {
        self.number.cmp(&other.number)
    }
}

impl Cell {
    pub(super) const NULL: Cell = Cell::Value(Value::Null);

    /// The value, absent and opaque read as null.
    pub(super) fn value(&self) -> Value {
        match self {
            Cell::Value(value) => value.clone(),
            Cell::Absent | Cell::Opaque(_) => Value::Null,
        }
    }

    /// The value, if it is there and not null.
    pub(super) fn present(&self) -> Option<&Value> {
        match self {
            Cell::Value(value) if !value.is_null() => Some(value),
            Cell::Value(_) | Cell::Absent | Cell::Opaque(_) => None,
        }
    }
}

impl From<Option<Value>> for Cell {
    fn from(cell: Option<Value>) -> Cell {
        cell.map_or(Cell::Absent, Cell::Value)
    }
}

/// One row, of weight 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    cells: BTreeMap<ColumnId, Cell>,
}

impl Row {
    pub(super) fn get(&self, column: ColumnId) -> Result<Cell> {
        self.cells.get(&column).cloned().ok_or_else(|| {
            let detail = format!("column {} is read where it does not exist", column.0);
            Error::new(ErrorKind::BadQuery, detail)
        })
    }

    /// The row with one more column.
    pub(super) fn with(&self, column: ColumnId, cell: Cell) -> Row {
        let mut row = self.clone();
        row.cells.insert(column, cell);
        row
    }

    /// The row with one more column, if that is wanted.
    pub(super) fn with_wanted(&self, column: Option<ColumnId>, cell: Cell) -> Row {
        column.map_or_else(|| self.clone(), |column| self.with(column, cell))
    }

    /// The row with the new columns of a subplan's row; its own columns stay unchanged.
    pub(super) fn extended(&self, inner: &Row) -> Row {
        let mut row = inner.clone();
        row.cells.extend(self.cells.clone());
        row
    }

    /// Its cells at some columns.
    pub(super) fn pick(&self, columns: &[ColumnId]) -> Result<Vec<Cell>> {
        columns.iter().map(|column| self.get(*column)).collect()
    }

    /// The row with some columns only.
    pub(super) fn only(&self, columns: &[ColumnId]) -> Result<Row> {
        let pairs = columns.iter().map(|column| Ok((*column, self.get(*column)?)));
        Ok(Row { cells: pairs.collect::<Result<_>>()? })
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = ColumnId> {
        self.cells.keys().copied()
    }

    /// The row with null in those of the columns it lacks.
    pub(super) fn filled(mut self, columns: impl IntoIterator<Item = ColumnId>) -> Row {
        for column in columns {
            self.cells.entry(column).or_insert(Cell::NULL);
        }
        self
    }
}

impl FromIterator<(ColumnId, Cell)> for Row {
    fn from_iter<I: IntoIterator<Item = (ColumnId, Cell)>>(pairs: I) -> Row {
        Row { cells: pairs.into_iter().collect() }
    }
}
