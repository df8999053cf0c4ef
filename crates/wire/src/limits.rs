//! The named bounds of this crate.

/// Bytes of a request's path and query.
pub const PATH_BYTES_MAX: usize = 8 << 10;

/// Bytes of one name in a path: a graph, a type, a key.
pub const NAME_BYTES_MAX: usize = 1 << 10;

/// How deep JSON may nest before it is refused.
pub const NESTING_MAX: usize = 128;

/// Elements that a listing gives when no limit is asked for, as RageDB does.
pub const LIST_LIMIT_DEFAULT: u64 = 100;

/// The largest `limit` a listing takes: an answer is built in memory.
pub const LIST_LIMIT_MAX: u64 = 1_000_000;
