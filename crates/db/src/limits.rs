//! The named bounds of this crate. Bounds that a user may change are settings.
//!
//! Numbers only.

use std::time::Duration;

/// Interpreters of one graph, unless the settings say otherwise: scripts mostly wait for the disk,
/// so there are more than cores.
pub const INTERPRETERS_MAX_DEFAULT: u64 = 64;

/// How long an interpreter without work waits before its thread ends; the first of a graph stays.
pub const INTERPRETER_IDLE_MAX: Duration = Duration::from_secs(60);

/// Bytes of stack of an interpreter's thread: Lua's C stack, and plans nested as deep as they may.
pub const INTERPRETER_STACK_BYTES: usize = 8 << 20;

/// Scripts for all interpreters that a graph remembers.
pub const SCRIPTS_FOR_ALL_MAX: usize = 1_024;

/// Characters of a graph's name.
pub const GRAPH_NAME_CHARS_MAX: usize = 128;

/// Loads that run at once.
pub const LOADS_MAX: usize = 2;

/// Builds of indexes that clients may stop waiting for; each has a thread.
pub const INDEX_BUILDS_MAX: usize = 16;

/// Finished loads that are listed with their state.
pub const FINISHED_LOADS_MAX: usize = 256;

/// Bad rows that the state of a load shows.
pub const REJECTS_SHOWN_MAX: usize = 100;

/// Commits that wait to be acknowledged; beyond, interpreters wait.
pub const TICKETS_WAITING_MAX: usize = 1 << 16;

/// Bytes that a request may hold that runs where it arrived, without waiting for a thread.
pub const NON_BLOCKING_BYTES_MAX: u64 = 64 << 10;

/// Bytes of a text beyond which a request is not tried on a thread that must not block.
pub const ATTEMPT_TEXT_BYTES_MAX: usize = 16 << 10;

/// Bytes of results that count as a row in the budget of such an attempt.
pub const ATTEMPT_BYTES_PER_ROW: usize = 64;

/// Bytes of the statement cache, estimated by the weights below.
pub const STATEMENT_CACHE_BYTES_MAX: u64 = 64 << 20;

/// The part of `memory.max` that the statement cache may take where that is less: one in so many.
pub const STATEMENT_CACHE_MEMORY_SHARE: u64 = 16;

/// The bytes of that part at least: without a cache each request would be compiled.
pub const STATEMENT_CACHE_BYTES_MIN: u64 = 512 << 10;

/// Bytes by which the statement cache takes memory from the budget and gives it back.
pub const STATEMENT_CACHE_STEP_BYTES: u64 = 256 << 10;

/// Entries that the statement cache makes room for at first.
pub const STATEMENT_CACHE_ENTRIES_EXPECTED: usize = 4_096;

/// Estimated bytes of an entry of the statement cache: a parsed statement, a plan and its operators.
pub const STATEMENT_ENTRY_BYTES: u64 = 8 << 10;

/// Estimated bytes of a plan with its key and its operators for each byte of the plan; an entry has the bytes above at least.
pub const STATEMENT_PLAN_FACTOR: u64 = 4;

/// Estimated bytes of a parsed text for each byte of the text.
pub const STATEMENT_TEXT_FACTOR: u64 = 24;

/// Plans of one fingerprint that wait for the next transaction.
pub const ALIKE_PLANS_MAX: usize = 8;

/// Sets of operators in the pool of one prepared statement; more concurrent runs make their own.
pub const POOLED_OPERATORS_MAX: usize = 16;

/// Rows of a result that are passed to its receiver in one batch.
pub const RESULT_BATCH_ROWS: usize = 1_024;

/// Variables of a session.
pub const SESSION_VARIABLES_MAX: usize = 65_536;

/// Fingerprints cached with one statement.
pub const FINGERPRINTS_MAX: usize = 4;

/// Bytes of values that decide a plan, in a fingerprint that is cached; of more, the statement is bound again each time.
pub const FINGERPRINT_BYTES_MAX: u64 = 4 << 10;

/// Runs of a statement by one fingerprint; then it is bound again, for the counts and indexes of the graph as it is.
pub const FINGERPRINT_USES_MAX: u32 = 256;

/// The same after this time: a statement that takes long is not run often.
pub const FINGERPRINT_AGE_MAX: Duration = Duration::from_secs(10);

/// How much of the machine's memory requests may hold together, in percent, unless the settings say.
pub const MEMORY_PERCENT_AUTO: u64 = 60;

/// The part of `memory.max` that large bodies may take where `connections.bodies-bytes-max` is not set: one in so many.
pub const BODIES_MEMORY_SHARE: u64 = 16;

/// Bytes of memory assumed for a machine that does not report its own.
pub const MEMORY_UNKNOWN_BYTES: u64 = 8 << 30;

/// Bytes of an interpreter in which no script runs that are not counted, and beyond which its garbage is
/// collected.
pub const IDLE_GARBAGE_BYTES_MAX: usize = 8 << 20;

/// Letters of a query that the log of slow queries shows.
pub const SLOW_QUERY_CHARS_MAX: usize = 500;

/// Different operators of one query that are measured for that log.
pub const SLOW_QUERY_OPERATORS_MAX: usize = 1_024;

/// Operators that it shows.
pub const SLOW_QUERY_OPERATORS_SHOWN: usize = 3;

/// How long a script runs before it counts as long: another interpreter may take its place then.
pub const LONG_SCRIPT: Duration = Duration::from_millis(100);

/// How many times as many interpreters as `scripts.interpreters-max` there may be where the scripts of
/// the others run for long.
pub const LONG_SCRIPTS_FACTOR: u64 = 4;

/// Bytes of a record of a CSV file that `LOAD CSV` reads.
pub(crate) const CSV_RECORD_BYTES_MAX: usize = 16 << 20;

/// Bytes of a JSON file that a query reads: it is in memory as a whole.
pub(crate) const JSON_FILE_BYTES_MAX: u64 = 64 << 20;

/// Characters of what a client notes about its transaction by `tx.setMetaData`, as Neo4j has it.
pub const TRANSACTION_NOTE_CHARS_MAX: usize = 2_048;

/// Uids that one lease takes, of 2^32 that a graph has.
pub const UIDS_LEASED_MAX: u64 = 1 << 26;

/// Leases that are taken for uids that follow one another, as clients have chosen some in between.
pub(crate) const UID_LEASES_MAX: usize = 1 << 16;

/// Indexes that are made by one scan of the data: the entries of all of them are in memory until it ends.
pub(crate) const INDEXES_MADE_TOGETHER: usize = 32;

/// Languages of a predicate in which values have indexes, of their own: there are about 200 with a tag of two letters.
pub const LANGUAGES_INDEXED_MAX: usize = 128;

/// Vectors that a search of DQL reads together, for their distances.
pub(crate) const VECTORS_LOOKED_AT_TOGETHER: usize = 1_024;
