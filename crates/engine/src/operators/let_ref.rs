//! `LetRef`: each row, once for every row of a `Let`.

use millrace_model::{Batch, Result};
use millrace_plan::{LetId, op};

use super::Compile;
use super::keep::Keep;
use super::rows::cross;
use crate::pipeline::{Operator, Upstream};
use crate::prepare::{Compiler, Place, Placed, bug};
use crate::run::Run;

pub(crate) struct LetRef {
    name: LetId,
    keep: Keep,
    /// Which of the `Let`'s columns are read later.
    live: Vec<usize>,
    pending: Option<(Batch, usize)>,
}

impl LetRef {
    pub(crate) fn new(name: LetId, keep: Keep, live: Vec<usize>) -> LetRef {
        LetRef { name, keep, live, pending: None }
    }
}

impl Operator for LetRef {
    fn begin(&mut self, _run: &Run<'_>) {
        self.pending = None;
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            let (batch, row) = match self.pending.take() {
                Some(pending) => pending,
                None => match input.next(run)? {
                    Some(batch) => (batch, 0),
                    None => return Ok(None),
                },
            };
            let listed = run.bound(self.name);
            if listed.len == 0 {
                continue;
            }
            let result = cross(&self.keep, &batch, row, &listed, &self.live, run)?;
            if row + 1 < batch.len {
                self.pending = Some((batch, row + 1));
            }
            return Ok(Some(result));
        }
    }
}

impl Compile for op::LetRef {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, mut after) = place.keep();
        let kept = &compiler.plan.lets[self.name.0 as usize].columns;
        let columns = self.columns.iter().filter(|(_, to)| place.live.contains(to));
        let mut live = Vec::new();
        for (from, to) in columns {
            let slot = kept.iter().position(|kept| kept == from);
            live.push(slot.ok_or_else(|| bug("a column of a Let was checked before"))?);
            after.push(*to);
        }
        Ok((Box::new(LetRef::new(self.name, keep, live)), after))
    }
}
