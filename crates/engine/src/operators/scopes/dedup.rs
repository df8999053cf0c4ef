//! `Dedup`: the first row of each distinct combination in a scope, with weight 1. In a `Repeat`
//! the combinations seen are kept for all its rounds.

use millrace_model::{Batch, Result};
use millrace_plan::op;

use crate::compile::{Compile, Compiler, Place, Placed};
use crate::pipeline::{Keep, Operator, Upstream};
use crate::rows::Groups;
use crate::run::{Charge, Run};

pub(crate) struct Dedup {
    columns: Vec<usize>,
    keep: Keep,
    groups: Groups,
    charge: Charge,
}

impl Dedup {
    pub(crate) fn new(columns: Vec<usize>, keep: Keep) -> Dedup {
        let groups = Groups::new(columns.len());
        Dedup { columns, keep, groups, charge: Charge::default() }
    }
}

impl Operator for Dedup {
    fn begin(&mut self, run: &Run<'_>) {
        self.groups.clear();
        self.charge.release(run);
    }

    fn begin_round(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        let mut groups = Vec::new();
        loop {
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let mut next = self.groups.len() as u32;
            self.groups.assign(&batch, &self.columns, &mut groups);
            let mut rows = Vec::new();
            for (row, &group) in groups.iter().enumerate() {
                if group == next {
                    rows.push(row as u32);
                    next += 1;
                }
            }
            if rows.is_empty() {
                continue;
            }
            self.charge.set(self.groups.bytes(), run)?;
            return Ok(Some(Batch { weights: None, ..self.keep.take(&batch, &rows) }));
        }
    }
}

impl Compile for op::Dedup {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let columns = compiler.slots(place.layout, &self.columns)?;
        Ok((Box::new(Dedup::new(columns, keep)), after))
    }
}
