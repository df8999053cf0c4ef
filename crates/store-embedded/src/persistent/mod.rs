//! The immutable content of partitions and indexes: in memory as images, on disk as segments, and
//! made of large write sets.
//!
//! ```text
//!   image     everything of one partition at one position, in sections that are loaded on access
//!   segment   the file of an image or of an index base
//!   bulk      images of a load or an out-of-line commit; spill files
//!   shard     names of partitions and index shards, and the segments they are installed with
//!   ordinals  numbers of partitions
//! ```
//!
//! Nothing here changes after it was written. Changes in memory, positions of readers and commits
//! stay in the modules above.

pub mod bulk;
pub mod image;
mod ordinals;
pub mod segment;
mod shard;

pub(crate) use ordinals::{edge_partition, home, ordinal_of_edge};
pub(crate) use shard::{Installed, ShardName};
