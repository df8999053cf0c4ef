//! The end of a load of elements: the gathered graph goes to the store as one commit.

use super::emit::emit;
use super::graph::ElementGraph;
use crate::error::LoadError;
use crate::progress::{Meter, Phase, Summary};
use millrace_store::{Snapshot, Store};
use std::sync::Arc;

impl ElementGraph {
    /// After the last record: stores everything.
    pub(crate) fn finish(
        mut self,
        store: &dyn Store,
        snapshot: Arc<dyn Snapshot>,
        mut meter: Meter<'_>,
    ) -> Result<Summary, LoadError> {
        let (count, bad) = self.add_ends(&*snapshot)?;
        meter.rows(0, bad)?;
        if count != 0 {
            let detail = "nodes stand in no row, and are as relationships describe them";
            meter.note(format!("{count} {detail}"));
        }
        let bad = self.add_incoming();
        meter.rows(0, bad)?;
        let (vertices, edges) = self.counts();
        meter.found(vertices, edges)?;
        meter.enter(Phase::Storing)?;
        let emitted = emit(self, store, snapshot, &mut meter)?;
        meter.enter(Phase::Finishing)?;
        let position = emitted.sink.finish()?;
        meter.finish(position, emitted.vertices, emitted.edges)
    }
}
