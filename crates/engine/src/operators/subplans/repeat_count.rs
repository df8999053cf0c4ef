//! `Repeat` and a keyless count: the last round is not run for its rows, it is counted.

use millrace_model::{Batch, Result};

use super::repeat::Repeat;
use crate::pipeline::{Operator, Pipeline, Upstream};
use crate::run::{Charge, Run};

pub(crate) struct RepeatCount {
    /// All rounds but the last.
    rounds: Repeat,
    /// How many those are.
    done: u64,
    /// The last, and the count.
    last: Pipeline,
    begun: bool,
    charge: Charge,
}

impl RepeatCount {
    pub(crate) fn new(rounds: Repeat, done: u64, last: Pipeline) -> RepeatCount {
        RepeatCount { rounds, done, last, begun: false, charge: Charge::default() }
    }
}

impl Operator for RepeatCount {
    fn begin(&mut self, run: &Run<'_>) {
        self.rounds.begin(run);
        self.begun = false;
        self.charge.release(run);
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        if !self.begun {
            self.begun = true;
            let mut left = Vec::new();
            while let Some(batch) = self.rounds.next(input, run)? {
                self.charge.hold(&batch, run)?;
                left.push(self.rounds.counted(batch, self.done));
            }
            // Each scope has its count, rows or not.
            self.last.begin(left, input.scopes().clone(), run);
        }
        self.last.next(run)
    }

    fn inner(&self) -> Vec<&Pipeline> {
        self.rounds.inner().into_iter().chain([&self.last]).collect()
    }
}
