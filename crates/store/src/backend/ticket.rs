//! A ticket: the promise that a commit will be visible, or an error.

use std::sync::Arc;
use std::time::Instant;

use millrace_model::{LogPosition, Result};

/// Reports how far commits are visible: `min(durable, applied)` (docs/design/store.md,
/// section 1).
pub trait Watermark: Send + Sync {
    /// The last visible position.
    fn visible(&self) -> LogPosition;

    /// Blocks until `position` is visible. Fails with `OutcomeUnknown` when a sync failed before,
    /// with `DeadlineExceeded` at the deadline (the commit itself goes on).
    fn wait(&self, position: LogPosition, deadline: Option<Instant>) -> Result<()>;
}

/// A commit that was accepted at a position. One wait serves all tickets of a connection: wait for
/// the highest.
#[derive(Clone)]
pub struct Ticket {
    /// Its place in the order of commits.
    pub position: LogPosition,
    /// Reports when it is visible.
    pub watermark: Arc<dyn Watermark>,
}

impl Ticket {
    /// Blocks until the commit is durable and visible.
    pub fn wait(&self) -> Result<LogPosition> {
        self.watermark.wait(self.position, None)?;
        Ok(self.position)
    }

    /// Whether the commit is durable and visible.
    pub fn is_visible(&self) -> bool {
        self.watermark.visible() >= self.position
    }
}
