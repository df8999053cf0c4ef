//! Calls for which a backend needs another process, and how they say so before they leave this one.
//!
//! A thread that must not block would wait for a network, and an attempt that is begun anew must not
//! have sent anything. So code that makes such a call announces it first: under
//! [`non_blocking::try_run`] the announcement fails, and nothing has happened.
//!
//! Reads of a snapshot are not among them: what they have to fetch, from a file or over a network,
//! is said by [`non_blocking::would_block`] where it is fetched.

use millrace_model::Result;

use crate::reads::non_blocking;

/// A call of a [`Store`](crate::Store) that another process may have to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreCall {
    /// A snapshot that has everything acknowledged: whoever acknowledges is asked.
    Snapshot,
    /// Numbers of new names.
    Intern,
    /// Fresh ids, and claims of chosen ones.
    LeaseIds,
    /// A ticket of the conflict queue.
    Ticket,
    /// A commit, or a load that becomes one.
    Commit,
}

/// What may call another process.
pub trait CallsOut {
    /// Whether the call would leave this process, as things are now: ids that were leased in
    /// advance, for example, are here.
    fn calls_out(&self, call: StoreCall) -> bool;

    /// Says that the call comes next. Fails on a thread that must not block, if the call would
    /// leave the process; then the attempt gives nothing.
    fn announce(&self, call: StoreCall) -> Result<()> {
        if non_blocking::is_required() && self.calls_out(call) {
            return non_blocking::would_block();
        }
        Ok(())
    }
}
