//! Memory and time for an answer that a language writes of its rows: an answer may be far longer than they are.

use std::cell::Cell;

use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::Runner;
use millrace_plan::language::AnswerRoom;

use crate::transaction::Execution;

/// The memory of an execution, for the answer that its rows become.
pub(super) struct RoomOfAnswer<'e> {
    execution: &'e Execution,
    bytes_max: u64,
    taken: Cell<u64>,
}

impl<'e> RoomOfAnswer<'e> {
    pub(super) fn new(execution: &'e Execution, bytes_max: u64) -> RoomOfAnswer<'e> {
        RoomOfAnswer { execution, bytes_max, taken: Cell::new(0) }
    }

    /// Gives all of it back, once the answer is written.
    pub(super) fn release(&self) -> Result<()> {
        self.execution.charge(-(self.taken.take() as i64))
    }
}

impl AnswerRoom for RoomOfAnswer<'_> {
    fn take(&self, bytes: u64) -> Result<()> {
        self.execution.check()?;
        let taken = self.taken.get().saturating_add(bytes);
        if self.bytes_max < taken {
            let detail = format!("the answer has more than {} bytes", self.bytes_max);
            let help = "ask for fewer nodes (`first`), or raise `query.bytes-max`";
            return Err(Error::new(ErrorKind::LimitReached, detail).with_help(help));
        }
        self.execution.charge(bytes as i64)?;
        self.taken.set(taken);
        Ok(())
    }
}
