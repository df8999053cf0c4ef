//! A request as it comes, and what goes with it: limits, variables, measurements, the receiver of its results.
//!
//! ```text
//!   source  results  variables  graph_name
//!      └─ trace ─┘       measurements, for the log of slow queries
//!           pinned       a snapshot of an earlier request
//!           limits       deadline, bytes, cancel flag; they take the trace along
//!           client_request
//! ```
//!
//! Everything here is data, or a trait for the caller to implement. No request runs here: transactions, statements
//! and graphs are above.

mod client_request;
mod graph_name;
mod limits;
mod pinned;
mod results;
mod source;
mod trace;
mod variables;

pub use client_request::{GraphNames, Request};
pub(crate) use graph_name::{TWIN, check_name, is_twin, twin_of};
pub use limits::{Caller, CancelFlag, RequestLimits};
pub use pinned::{GRAPH_REPLACED, Pinned};
pub use results::{ResultHead, Results};
pub use source::{Source, Statements};
pub use trace::{Phase, QueryText, Trace};
pub(crate) use variables::{Variables, bytes_of};
