//! The end of an `exists`: one row for each scope that has any, and no more asking than needed.

use millrace_model::{Batch, Bits, Result};

use crate::pipeline::{Keep, Operator, Upstream};
use crate::run::Run;

pub(crate) struct FirstInScope {
    found: Bits,
    count: usize,
    /// Whether the subplan has an effect, and so runs to its end.
    to_the_end: bool,
}

impl FirstInScope {
    pub(crate) fn new(to_the_end: bool) -> FirstInScope {
        FirstInScope { found: Bits::default(), count: 0, to_the_end }
    }
}

impl Operator for FirstInScope {
    fn begin(&mut self, _run: &Run<'_>) {
        self.found = Bits::default();
        self.count = 0;
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        loop {
            if self.count == input.scopes().len() && !self.to_the_end {
                return Ok(None);
            }
            let Some(batch) = input.next(run)? else { return Ok(None) };
            let fresh = |row: &u32| self.found.insert(batch.ordinal(*row as usize) as usize);
            let rows: Vec<u32> = (0..batch.len as u32).filter(fresh).collect();
            self.count += rows.len();
            rows.iter().for_each(|row| input.fill(batch.ordinal(*row as usize)));
            if !rows.is_empty() {
                let first = Keep::default().take(&batch, &rows);
                return Ok(Some(Batch { weights: None, ..first }));
            }
        }
    }
}
