//! `LetRef`: each row, once for every row of a `Let`.

use millrace_model::{Batch, Result};
use millrace_plan::{LetId, op};

use super::Compile;
use super::keep::Keep;
use super::rows::cross;
use crate::pipeline::{Operator, Upstream};
use crate::prepare::{Compiler, Place, Placed};
use crate::run::Run;

pub(crate) struct LetRef {
    name: LetId,
    keep: Keep,
    to: bool,
    pending: Option<(Batch, usize)>,
}

impl LetRef {
    pub(crate) fn new(name: LetId, keep: Keep, to: bool) -> LetRef {
        LetRef { name, keep, to, pending: None }
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
            let live: &[usize] = if self.to { &[0] } else { &[] };
            let result = cross(&self.keep, &batch, row, &listed, live, run)?;
            if row + 1 < batch.len {
                self.pending = Some((batch, row + 1));
            }
            return Ok(Some(result));
        }
    }
}

impl Compile for op::LetRef {
    fn compile(&self, _compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        Ok((Box::new(LetRef::new(self.name, keep, to)), after))
    }
}
