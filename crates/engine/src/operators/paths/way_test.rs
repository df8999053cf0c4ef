//! Conditions of steps and of whole ways, asked of many at once.

use millrace_model::{Batch, Column, Result};
use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, Expr};

use crate::compile::Compiler;
use crate::expressions::{Exprs, selected};
use crate::run::Run;

/// A condition over the columns of the row that it reads, then two of the way.
pub(super) struct WayTest {
    read: Vec<usize>,
    holds: Exprs,
}

impl WayTest {
    pub(super) fn compile(
        (holds, own): (&Expr, [ColumnId; 2]),
        compiler: &Compiler<'_>,
        layout: &[ColumnId],
    ) -> Result<WayTest> {
        let mut read = ColumnSet::new();
        holds.read_columns(&mut read);
        let outer: Vec<ColumnId> =
            read.into_iter().filter(|column| !own.contains(column)).collect();
        let read = compiler.slots(layout, &outer)?;
        let layout: Vec<ColumnId> = outer.into_iter().chain(own).collect();
        Ok(WayTest { read, holds: compiler.exprs(&layout, [holds])? })
    }

    /// Whether it may say something else of the ways of another row.
    pub(super) fn reads_rows(&self) -> bool {
        !self.read.is_empty()
    }

    /// The places of those ways for which the condition is true, of ways of these rows.
    pub(super) fn passing(
        &self,
        rows: &Batch,
        of_ways: &[u32],
        own: [Column; 2],
        run: &Run<'_>,
    ) -> Result<Vec<u32>> {
        let outer = self.read.iter().map(|&slot| rows.columns[slot].take(of_ways));
        let batch = Batch::of(outer.chain(own).collect());
        if batch.len == 0 {
            return Ok(Vec::new());
        }
        selected(&self.holds.evaluate_one(&batch, run)?, batch.len)
    }
}
