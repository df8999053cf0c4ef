//! The snapshot and the write set as one graph.
//!
//! Reads enter, also those by which a write checks itself. Nothing here changes the write set or logs a read.

pub(super) mod expand;
pub(super) mod external_view;
pub(super) mod merged;
pub(super) mod patch;
mod posting_view;
pub(super) mod range_view;
pub(super) mod scan;

pub(super) use merged::View;
