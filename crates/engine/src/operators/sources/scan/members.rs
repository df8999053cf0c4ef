//! A key with values in a list, asked of an index: each row becomes one for each entry of its list, and what is found
//! for these is that of the row.

use std::sync::Arc;

use millrace_model::{Column, Value};

use super::index_path::leave_out;
use crate::operators::sources::seek::Found;

/// The entries of the lists of some rows.
pub(super) struct Members {
    /// The row of each entry, ascending.
    pub(super) rows: Vec<u32>,
    /// The entries.
    pub(super) entries: Arc<Column>,
    /// The rows with something else than a list: a filter says what is wrong with it.
    unlisted: Vec<u32>,
}

impl Members {
    pub(super) fn of(lists: &Column, len: usize) -> Members {
        let (mut rows, mut entries, mut unlisted) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..len {
            match lists.get(row) {
                None | Some(Value::Null) => {}
                Some(Value::List(list) | Value::Set(list)) => {
                    rows.resize(rows.len() + list.len(), row as u32);
                    entries.extend(list.iter().cloned());
                }
                Some(_) => unlisted.push(row as u32),
            }
        }
        let entries = Arc::new(Column::from_values(entries));
        Members { rows, entries, unlisted }
    }

    /// What was found for entries and which of these are open, as that of rows: an element once for each row.
    pub(super) fn by_row(self, (entries, ids): Found, open: &[u32]) -> (Found, Vec<u32>) {
        let row = |entry: u32| self.rows[entry as usize];
        let mut found: Vec<(u32, u64)> = entries.into_iter().map(row).zip(ids).collect();
        found.sort_unstable();
        found.dedup();
        let mut open: Vec<u32> = open.iter().map(|&entry| row(entry)).collect();
        open.extend(self.unlisted);
        open.sort_unstable();
        open.dedup();
        let mut found: Found = found.into_iter().unzip();
        let mut still_open = Vec::new();
        leave_out(&mut found, &open, &mut still_open);
        (found, open)
    }
}
