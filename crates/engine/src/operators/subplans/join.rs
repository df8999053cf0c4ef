//! `Join`: rows joined with those of a subplan, which runs once and is hashed by its keys.

use std::sync::Arc;

use millrace_model::{Batch, Column, Result};
use millrace_plan::{ColumnId, JoinKind, columns::ColumnSet, op};

use super::apply::{ApplyResult, Regrouped, charge_product};
use crate::compile::{Compile, Compiled, Compiler, Goal, Place, Placed, Purpose};
use crate::pipeline::{BatchPieces, Keep, Operator, Pipeline, Scopes, Upstream, next_piece};
use crate::rows::Groups;
use crate::run::{Charge, Run};

pub(crate) struct Join {
    right: Pipeline,
    /// Columns of a row of the right.
    width: usize,
    /// The keys' slots, left and right.
    on: (Vec<usize>, Vec<usize>),
    keep: Keep,
    result: ApplyResult,
    table: Option<Table>,
    pending: Option<BatchPieces>,
    charge: Charge,
    /// The batch that is being emitted.
    joined: Charge,
}

/// The right's rows by their keys.
struct Table {
    groups: Groups,
    rows: Regrouped,
    /// The number of a group without rows.
    none: u32,
}

impl Join {
    pub(crate) fn new(
        (right, width): (Pipeline, usize),
        on: (Vec<usize>, Vec<usize>),
        keep: Keep,
        result: ApplyResult,
    ) -> Join {
        let (charge, joined) = (Charge::default(), Charge::default());
        Join { right, width, on, keep, result, table: None, pending: None, charge, joined }
    }

    fn table(&mut self, run: &Run<'_>) -> Result<Table> {
        self.right.begin([Batch::unit()], Scopes::First(1), run);
        let batch = self.right.read_all(self.width, &mut self.charge, run)?;
        let keyed: Vec<u32> =
            (0..batch.len as u32).filter(|&row| has_all(&batch, &self.on.1, row)).collect();
        let batch = if keyed.len() == batch.len { batch } else { batch.take(&keyed) };
        let mut groups = Groups::new(self.on.1.len());
        let mut of_row = Vec::new();
        groups.assign(&batch, &self.on.1, &mut of_row);
        self.charge.grow(groups.bytes(), run)?;
        let none = groups.len() as u32;
        let batch = Batch { ordinals: Some(Arc::new(of_row)), ..batch };
        Ok(Table { rows: Regrouped::new(batch, none as usize + 1), groups, none })
    }

    fn join(&self, table: &Table, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        let keys: Vec<&Column> = self.on.0.iter().map(|&slot| &*batch.columns[slot]).collect();
        let mut scope_of = table.groups.find(&keys, batch.len, table.none);
        for missing in keys.iter().flat_map(|key| [&key.nulls, &key.absents]).flatten() {
            missing.ones().for_each(|row| scope_of[row] = table.none);
        }
        self.result.join(&self.keep, batch, &scope_of, &table.rows, run)
    }
}

/// Whether a row has all its keys.
fn has_all(batch: &Batch, keys: &[usize], row: u32) -> bool {
    let row = row as usize;
    keys.iter().all(|&slot| {
        let column = &batch.columns[slot];
        !column.is_null(row) && !column.is_absent(row)
    })
}

impl Operator for Join {
    fn begin(&mut self, run: &Run<'_>) {
        self.table = None;
        self.pending = None;
        self.charge.release(run);
        self.joined.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if let Some(batch) = next_piece(&mut self.pending, run) {
                return Ok(Some(batch));
            }
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let table = match self.table.take() {
                Some(table) => table,
                None => self.table(run)?,
            };
            let joined = self.join(&table, &batch, run);
            self.table = Some(table);
            let joined = joined?;
            charge_product(&mut self.joined, &joined, run)?;
            self.pending = Some(BatchPieces::new(joined));
        }
    }

    fn inner(&self) -> Vec<&Pipeline> {
        vec![&self.right]
    }
}

impl Compile for op::Join {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (left_keys, right_keys): (Vec<ColumnId>, Vec<ColumnId>) =
            self.on.iter().copied().unzip();
        let made = self.right.made_columns().into_iter();
        let wanted: ColumnSet = match self.kind {
            JoinKind::Inner | JoinKind::Left => {
                made.filter(|column| place.live.contains(column)).collect()
            }
            JoinKind::Semi | JoinKind::Anti => ColumnSet::new(),
        };
        let live = &wanted | &right_keys.iter().copied().collect();
        let goal = Goal::new(&live, &place.inside[0], Purpose::Collected);
        let Compiled { pipeline, layout } =
            compiler.pipeline(&self.right.ops, Vec::new(), &goal)?;
        let (keep, mut after) = place.keep();
        let slots: Vec<usize> =
            (0..layout.len()).filter(|&slot| wanted.contains(&layout[slot])).collect();
        after.extend(slots.iter().map(|&slot| layout[slot]));
        let result = match self.kind {
            JoinKind::Inner => ApplyResult::Flat { optional: false, slots },
            JoinKind::Left => ApplyResult::Flat { optional: true, slots },
            JoinKind::Semi => ApplyResult::Exists { wanted: true },
            JoinKind::Anti => ApplyResult::Exists { wanted: false },
        };
        let on = (compiler.slots(place.layout, &left_keys)?, compiler.slots(&layout, &right_keys)?);
        let join = Join::new((pipeline, layout.len()), on, keep, result);
        Ok((Box::new(join), after))
    }
}
