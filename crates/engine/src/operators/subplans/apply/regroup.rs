//! Rows of a sub, brought into the order of their scopes.

use std::ops::Range;

use millrace_model::Batch;

/// Rows with where each scope's begin.
pub(crate) struct Regrouped {
    pub(crate) rows: Batch,
    /// One more than there are scopes.
    starts: Vec<u32>,
}

impl Regrouped {
    /// A stable counting sort by ordinal; rows in order already are not copied.
    pub(crate) fn new(rows: Batch, scopes: usize) -> Regrouped {
        let Some(ordinals) = rows.ordinals.clone() else {
            let len = rows.len as u32;
            let mut starts = vec![len; scopes + 1];
            starts[0] = 0;
            return Regrouped { rows, starts };
        };
        let mut starts = vec![0u32; scopes + 1];
        for &ordinal in ordinals.iter() {
            starts[ordinal as usize + 1] += 1;
        }
        for scope in 0..scopes {
            starts[scope + 1] += starts[scope];
        }
        if ordinals.is_sorted() {
            return Regrouped { rows, starts };
        }
        let mut next = starts.clone();
        let mut order = vec![0u32; rows.len];
        for (row, &ordinal) in ordinals.iter().enumerate() {
            let place = &mut next[ordinal as usize];
            order[*place as usize] = row as u32;
            *place += 1;
        }
        Regrouped { rows: rows.take(&order), starts }
    }

    /// The rows of a scope.
    pub(crate) fn scope(&self, scope: u32) -> Range<u32> {
        self.starts[scope as usize]..self.starts[scope as usize + 1]
    }
}
