//! What plans know of a graph, sampled again once its counts are others.

use std::sync::Arc;

use millrace_model::Result;
use millrace_plan::Hints;
use millrace_store::Snapshot;
use parking_lot::Mutex;

/// The last hints: the counts, and these with degrees.
#[derive(Default)]
pub(crate) struct HintCache(Mutex<Option<(Hints, Arc<Hints>)>>);

impl HintCache {
    /// The hints of a snapshot. Counts are rounded, so a graph that grows is sampled ever more seldom.
    pub(crate) fn of(&self, snapshot: &dyn Snapshot) -> Result<Arc<Hints>> {
        let counts = millrace_engine::hints(snapshot)?;
        if let Some((known, hints)) = &*self.0.lock()
            && *known == counts
        {
            return Ok(Arc::clone(hints));
        }
        let hints = Arc::new(millrace_engine::with_degrees(counts.clone(), snapshot)?);
        *self.0.lock() = Some((counts, Arc::clone(&hints)));
        Ok(hints)
    }
}
