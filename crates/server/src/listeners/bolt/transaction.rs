//! The transaction that a client has begun.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::Caller;
use millrace_db::session::ExplicitTransaction;
use millrace_wire::bolt::WantedNotifications;

use crate::neo4j::Target;

/// An open transaction.
pub(super) struct OpenTransaction {
    pub(super) inner: ExplicitTransaction,
    pub(super) target: Arc<Target>,
    pub(super) caller: Arc<Caller>,
    /// Which notifications the client wants.
    pub(super) notifications: WantedNotifications,
    pub(super) is_read_only: bool,
    /// When it must be done.
    pub(super) deadline: Option<Instant>,
}
