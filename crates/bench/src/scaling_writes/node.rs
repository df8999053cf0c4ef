//! The node of a request: which run it belongs to, and the request's number.

use serde::Serialize;

/// The property that names the run.
pub(super) const RUN: &str = "bench_run";

/// The property with the number.
pub(super) const NUMBER: &str = "number";

/// A node, its properties as they are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Node {
    #[serde(rename = "bench_run")]
    pub(super) run: String,
    pub(super) number: u64,
}
