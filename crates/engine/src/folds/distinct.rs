//! A fold over the first of each kind of equivalent entries of a group.

use millrace_model::{Batch, Column, Result};

use super::states::{FoldState, Grouping};
use crate::expressions::Operand;
use crate::rows::{Code, Codes, GroupMap, first_rows};
use crate::run::Run;

/// The kinds that groups have, as codes.
#[derive(Default)]
pub(crate) struct Seen {
    codes: Codes,
    pairs: GroupMap,
    of_rows: Vec<Code>,
}

/// The fold and what it has seen.
pub(crate) struct Distinct {
    pub(super) fold: FoldState,
    seen: Seen,
}

impl Seen {
    /// The rows with an entry that their group does not have yet, null and absent ones left out; equivalent entries are
    /// one where that is asked for.
    pub(super) fn fresh(&mut self, groups: &[u32], column: &Column, equivalent: bool) -> Vec<u32> {
        let Seen { codes, pairs, of_rows } = self;
        match equivalent {
            true => codes.of_equivalent(column, of_rows),
            false => codes.of_column(column, of_rows),
        }
        let before = pairs.len() as u32;
        let mut of_pairs = groups.to_vec();
        pairs.assign(&mut of_pairs, of_rows);
        let mut fresh = first_rows(&of_pairs, before);
        if column.nulls.is_some() || column.absents.is_some() {
            fresh.retain(|&row| !column.is_null(row as usize) && !column.is_absent(row as usize));
        }
        fresh
    }

    /// Bytes used, for the budget.
    pub(super) fn bytes(&self) -> u64 {
        self.codes.bytes() + self.pairs.bytes()
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
        let column = operand.clone().into_column(groups.len());
        let rows = self.seen.fresh(groups, &column, true);
        let held = self.seen.bytes().saturating_sub(known_bytes);
        if rows.is_empty() {
            return Ok(held);
        }
        let firsts = Operand::of(column.take(&rows));
        let of_firsts: Vec<u32> = rows.iter().map(|&row| groups[row as usize]).collect();
        let batch = Batch { len: rows.len(), ..Batch::default() };
        let groups = Grouping::of(&of_firsts);
        Ok(held + self.fold.update(&batch, groups, Some(&firsts), run)?)
    }

    pub(super) fn clear(&mut self) {
        self.seen.clear();
        self.fold.clear();
    }

    /// Forgets what was seen, with the results given.
    pub(super) fn finish(&mut self) -> Result<Column> {
        self.seen.clear();
        self.fold.finish()
    }
}
