//! The named bounds of this crate.
//!
//! Numbers only.

/// Bytes of a request's path and query.
pub const PATH_BYTES_MAX: usize = 8 << 10;

/// Bytes of one name in a path: a graph, a type, a key.
pub const NAME_BYTES_MAX: usize = 1 << 10;

/// Changes of a schema in one request: each may look at everything stored.
pub const SCHEMA_CHANGES_MAX: usize = 256;

/// How deep JSON may nest before it is refused.
pub const NESTING_MAX: usize = 128;

/// Elements that a listing gives when no limit is asked for, as RageDB does.
pub const LIST_LIMIT_DEFAULT: u64 = 100;

/// The largest `limit` a listing takes: an answer is built in memory.
pub const LIST_LIMIT_MAX: u64 = 1_000_000;

/// Things in one message of Gremlin's protocol, each value of a list counted: in memory a message is up
/// to fifteen times as large as its bytes.
pub const DATA_MAX: usize = 2 << 20;

/// Digits behind the point of a decimal that is read: one of 2^31 is 12 bytes, and 2 GiB as text.
pub const DECIMAL_SCALE_MAX: u32 = 4 << 10;

/// Bindings of one request.
pub const BINDINGS_MAX: usize = 64 << 10;

/// The most results of one frame that a request may ask for.
pub const BATCH_SIZE_MAX: usize = 1 << 20;

/// Requests of a connection that wait until its client has authenticated.
pub const WAITING_REQUESTS_MAX: usize = 256;

/// Bytes of the frames that they came in, but for the first, which may be as long as any.
pub const WAITING_BYTES_MAX: usize = 1 << 20;

/// Bytes of the name of a session.
pub const SESSION_BYTES_MAX: usize = 256;

/// How deep an answer of Gremlin's protocol may nest: trees of long paths do.
pub const ANSWER_NESTING_MAX: usize = 1_000;

/// Characters of a body that an error repeats.
pub const SHOWN_CHARACTERS_MAX: usize = 40;

/// Values in one message of Bolt, each entry of a list counted: in memory a value has 24 times its fewest bytes.
pub const BOLT_DATA_MAX: usize = 16 << 20;

/// Bookmarks of one message of Bolt.
pub const BOOKMARKS_MAX: usize = 1_024;

/// Statements of one request of Neo4j's HTTP interface.
pub const STATEMENTS_MAX: usize = 4_096;

/// Jobs of one batch of Neo4j's older interface.
pub const JOBS_MAX: usize = 100_000;
