//! Indexes in shards: exact and unique ones by hash of their values, ordered ones by their keys.
//!
//! An index finds candidates; the records at the snapshot decide (see `graph/view.rs`). So an entry
//! needs no values, and a hash needs no proof.
//!
//! ```text
//!   values ── key_hash ──> hash ── shard_of ──> IndexShard ── candidates ──> records at the
//!             (in store)                        base + delta                 snapshot verify
//! ```
//!
//! The module knows entries and shards. Records, catalogs and graphs are above it.

mod nearest;
mod neighbours;
mod postings;
mod range_index;
mod range_lists;
mod range_parts;
mod range_shard;
mod shard;
#[cfg(test)]
mod shard_test;
mod sorted_runs;
mod span;
mod usage;
mod vector_graph;

pub use range_index::{RangeIndex, RangeRoot};
pub use range_parts::RangeParts;
pub use range_shard::{Applied, RangeLayer, RangePart, RangeShard, Window};
pub use shard::{IndexBase, IndexEntry, IndexShard};
pub use sorted_runs::SortedRuns;
pub use span::DeltaBytes;
pub use usage::{BuildProgress, Usage};
pub use vector_graph::GraphUsage;

use crate::base::limits::INDEX_SHARDS;

/// The shard of a hash: its highest bits, so that a shard is one range of a sorted file.
pub fn shard_of(hash: u64) -> usize {
    (hash >> (u64::BITS - INDEX_SHARDS.ilog2())) as usize
}
