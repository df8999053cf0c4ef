//! A batch: rows in columns, with a weight and, inside a scope, an ordinal.
//!
//! Columns are positional here; their names live in the plan. `weights: None` means all 1.

use std::ops::Range;
use std::sync::Arc;

use super::column::Column;

/// Rows in columns.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// How many rows there are; columns all have this length.
    pub len: usize,
    /// The columns, shared between batches.
    pub columns: Vec<Arc<Column>>,
    /// How many equal rows each row stands for; `None`: one each.
    pub weights: Option<Arc<Vec<u64>>>,
    /// The scope each row belongs to; `None`: one scope.
    pub ordinals: Option<Arc<Vec<u32>>>,
}

impl Batch {
    /// The one row without columns that every pipeline starts from.
    pub fn unit() -> Batch {
        Batch { len: 1, ..Batch::default() }
    }

    /// A batch of plain columns of equal length.
    pub fn of(columns: Vec<Column>) -> Batch {
        let len = columns.first().map_or(0, Column::len);
        assert!(columns.iter().all(|column| column.len() == len), "columns of one length");
        Batch { len, columns: columns.into_iter().map(Arc::new).collect(), ..Batch::default() }
    }

    /// The weight of a row.
    #[inline]
    pub fn weight(&self, row: usize) -> u64 {
        self.weights.as_ref().map_or(1, |weights| weights[row])
    }

    /// The scope of a row.
    #[inline]
    pub fn ordinal(&self, row: usize) -> u32 {
        self.ordinals.as_ref().map_or(0, |ordinals| ordinals[row])
    }

    /// The rows of a range.
    pub fn take_range(&self, rows: Range<usize>) -> Batch {
        let column = |column: &Arc<Column>| Arc::new(column.take_range(rows.clone()));
        let weights = self.weights.as_ref().map(|weights| Arc::new(weights[rows.clone()].to_vec()));
        let ordinals = self.ordinals.as_ref();
        Batch {
            len: rows.len(),
            columns: self.columns.iter().map(column).collect(),
            weights,
            ordinals: ordinals.map(|ordinals| Arc::new(ordinals[rows.clone()].to_vec())),
        }
    }

    /// The rows at `rows`, in that order; rows may repeat.
    pub fn take(&self, rows: &[u32]) -> Batch {
        let pick = |numbers: &Arc<Vec<u64>>| {
            Arc::new(rows.iter().map(|&row| numbers[row as usize]).collect::<Vec<_>>())
        };
        let ordinals = self.ordinals.as_ref().map(|ordinals| {
            Arc::new(rows.iter().map(|&row| ordinals[row as usize]).collect::<Vec<_>>())
        });
        Batch {
            len: rows.len(),
            columns: self.columns.iter().map(|column| Arc::new(column.take(rows))).collect(),
            weights: self.weights.as_ref().map(pick),
            ordinals,
        }
    }
}
