//! A fold over the first of each kind of equivalent entries of a group.

use millrace_model::compare::equivalence_key;
use millrace_model::{Batch, Result, Value};
use rustc_hash::FxHashSet;

use super::states::FoldState;
use crate::expressions::Operand;
use crate::rows::{Code, Codes, table_bytes};
use crate::run::Run;

/// The kinds that groups have, as codes.
#[derive(Default)]
pub(crate) struct Seen {
    codes: Codes,
    pairs: FxHashSet<(u32, Code)>,
}

/// The fold and what it has seen.
pub(crate) struct Distinct {
    pub(super) fold: FoldState,
    seen: Seen,
}

impl Seen {
    /// Whether the group has no such value yet.
    pub(super) fn is_new(&mut self, group: u32, value: &Value) -> bool {
        self.pairs.insert((group, self.codes.of_value(value)))
    }

    /// Bytes used, for the budget.
    pub(super) fn bytes(&self) -> u64 {
        let pairs = table_bytes(self.pairs.len(), self.pairs.capacity(), size_of::<(u32, Code)>());
        self.codes.bytes() + pairs
    }

    pub(super) fn clear(&mut self) {
        *self = Seen::default();
    }
}

impl Distinct {
    pub(super) fn new(fold: FoldState) -> Distinct {
        Distinct { fold, seen: Seen::default() }
    }

    /// Folds rows in. Returns the bytes now used beyond the states.
    pub(super) fn update(
        &mut self,
        groups: &[u32],
        operand: Option<&Operand>,
        run: &Run<'_>,
    ) -> Result<u64> {
        let Some(operand) = operand else { return Ok(0) };
        let known_bytes = self.seen.bytes();
        let mut rows: Vec<u32> = Vec::new();
        for (row, &group) in groups.iter().enumerate() {
            if let Some(value) = operand.get(row)
                && !value.is_null()
                && self.seen.is_new(group, &equivalence_key(&value))
            {
                rows.push(row as u32);
            }
        }
        let held = self.seen.bytes() - known_bytes;
        if rows.is_empty() {
            return Ok(held);
        }
        let firsts = Operand::of(operand.clone().into_column(groups.len()).take(&rows));
        let of_firsts: Vec<u32> = rows.iter().map(|&row| groups[row as usize]).collect();
        let batch = Batch { len: rows.len(), ..Batch::default() };
        Ok(held + self.fold.update(&batch, &of_firsts, Some(&firsts), run)?)
    }

    pub(super) fn clear(&mut self) {
        self.seen.clear();
        self.fold.clear();
    }

    /// Forgets what was seen, with the results given.
    pub(super) fn finish(&mut self) -> Result<millrace_model::Column> {
        self.seen.clear();
        self.fold.finish()
    }
}
