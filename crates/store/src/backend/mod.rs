//! The contract of a backend: graphs, each a store that gives snapshots, leases ids and takes commits.
//!
//! The traits enter, with what their calls answer and promise. No backend is named here, and nothing is asked of one
//! but by these traits.

pub mod calls_out;
mod external_index;
mod graphs;
pub mod guarantees;
mod ticket;

pub use calls_out::{CallsOut, StoreCall};
pub use external_index::make_index;
pub use graphs::{Backend, BulkLoad, GRAPH_DROPPED, NameKind, Store, check_new_name};
pub use guarantees::{DurabilityMode, Guarantees};
pub use ticket::{Ticket, Watermark};
