//! The parts of a batch, one in memory at a time: those that were spilled are read when they are
//! looked at, and again when they are looked at again.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase, Result};
use millrace_store::{Changes, SpilledChanges, WriteBatch};

/// The writes of a batch, in parts.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    spilled: &'a [Arc<dyn SpilledChanges>],
    rest: &'a Changes,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(batch: &'a WriteBatch) -> Parts<'a> {
        Parts { spilled: &batch.spilled, rest: &batch.changes }
    }

    /// Shows each part, in order.
    pub(crate) fn each(&self, mut look: impl FnMut(&Changes) -> Result<()>) -> Result<()> {
        for spilled in self.spilled {
            look(&spilled.read()?)?;
        }
        look(self.rest)
    }

    /// The part that stayed in memory: the only one with definitions and deletes.
    pub(crate) fn rest(&self) -> &'a Changes {
        self.rest
    }

    /// Shows each spilled part, and then gives it away. It must be such as a write set spills.
    pub(super) fn take_spilled(
        &self,
        mut look: impl FnMut(&Changes) -> Result<()>,
        give: &mut dyn FnMut(Changes) -> Result<()>,
    ) -> Result<()> {
        for spilled in self.spilled {
            let part = spilled.read()?;
            if !part.catalog.is_empty() || !part.deleted_vertices.is_empty() {
                let detail =
                    "a spilled part changes the schema or deletes: such changes stay in memory";
                return Err(Error::new(ErrorKind::Bug, detail).in_phase(Phase::Commit));
            }
            look(&part)?;
            give(part)?;
        }
        Ok(())
    }
}
