//! The limits of a script while Lua runs, for loops that know no script: a value of Lua as one of the model,
//! a sort of ids. Those of a plan are in force while it runs.

use std::sync::Arc;

use millrace_model::query_limits::QueryLimits;
use millrace_model::{Error, ErrorKind, MemoryBudget, MemoryShare, Result};

use crate::request::RequestLimits;

/// The limits of one run of a script.
pub(super) struct OfScript {
    limits: RequestLimits,
    /// The memory of its interpreter.
    interpreter: Arc<MemoryShare>,
    /// What it asks for; it holds nothing.
    asked: MemoryShare,
}

impl OfScript {
    /// The limits of a request, and its part of the memory of the process.
    pub(super) fn new(
        limits: &RequestLimits,
        memory: &MemoryBudget,
        interpreter: &Arc<MemoryShare>,
    ) -> Arc<OfScript> {
        let (limits, interpreter) = (limits.clone(), Arc::clone(interpreter));
        Arc::new(OfScript { limits, interpreter, asked: memory.share() })
    }
}

impl QueryLimits for OfScript {
    fn check(&self) -> Result<()> {
        self.limits.check().map_err(|error| match error.kind {
            ErrorKind::DeadlineExceeded => {
                let detail = "the script reached its deadline and was stopped";
                Error::new(error.kind, detail).with_help("ask for less, or raise the deadline")
            }
            _ => error,
        })?;
        self.interpreter.check()
    }

    fn require_room(&self, bytes: u64) -> Result<()> {
        let limit = self.limits.bytes_max;
        if limit < bytes {
            let detail = format!("the script's memory limit of {limit} bytes is reached");
            return Err(Error::new(ErrorKind::LimitReached, detail)
                .with_help("ask for less at once, or raise the memory limit"));
        }
        let room = self.asked.reserve(bytes);
        // A share that shrinks is never refused.
        let _smaller = self.asked.reserve(0);
        room
    }
}
