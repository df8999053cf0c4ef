//! What reads take and give: elements by id, runs of an adjacency list, places of scans, keys and ranges of seeks; and
//! the reads of a thread that must not block.
//!
//! Plain data enters, and what is computed of it alone. No snapshot and no backend is named here.

mod elements;
mod index_usage;
pub mod key_range;
pub mod nearest;
pub mod non_blocking;
pub mod ordered_keys;
pub mod pairs;
pub mod postings;
pub mod question;
pub mod run;
mod scans;

pub use elements::{EdgeRows, Elements, Ends};
pub use index_usage::{IndexState, IndexUsage};
pub use scans::{IdSpace, KeyRanges, RangeBound, ScanCursor, Scanned, SeekMatches};
