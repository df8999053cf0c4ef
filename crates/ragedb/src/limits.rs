//! The named bounds of this crate.
//!
//! A bound of one file may stand there; nothing but numbers enters here.

/// Tokens of a script that may run between two deadline checks; a token is an instruction of Lua or none.
/// The number is small because a token may concatenate texts, which has no check of its own. (Natives
/// that take long check the deadline themselves.)
pub const TOKENS_BETWEEN_CHECKS: u64 = 1_000;

/// Operations in one statement, between values beside which a check fits.
pub const OPERATIONS_AT_ONCE_MAX: u64 = 4_000;

/// Deadline checks in one text: loops, functions and jumps back.
pub const CHECKS_MAX: usize = 1 << 17;

/// How deep blocks and brackets of a text may nest; Lua itself takes 200.
pub const BLOCKS_DEEP_MAX: usize = 512;

/// How deep loops of one function nest that are made of loops: beyond, a function has too few locals.
pub const CHUNKED_LOOPS_DEEP_MAX: usize = 6;

/// Bytes of a script's text.
pub const SCRIPT_TEXT_BYTES_MAX: usize = 16 << 20;

/// Bytes that results make before Lua's garbage is collected for them.
pub const COLLECT_BYTES_MIN: usize = 64 << 20;

/// Bytes that scripts before may have left to the collector when one with a limit of its own begins.
pub const GARBAGE_BYTES_MAX: usize = 1 << 20;

/// Bytes that are reserved beyond a growing answer, at most.
pub const ANSWER_BYTES_STEP: usize = 1 << 20;

/// Bytes that values of a call grow by before it is asked whether there is room for them.
pub const GROWTH_BYTES_STEP: usize = 1 << 20;

/// Entries of a list written as JSON between two checks of the answer's size and the deadline.
pub const ENTRIES_BETWEEN_CHECKS: usize = 1 << 10;

/// Entries that go into a table in one call: they lie on Lua's stack together.
pub const FILL_ENTRIES_MAX: usize = 1 << 12;

/// How deep tables and JSON may nest before they are refused.
pub const NESTING_MAX: usize = 128;

/// Distinct sets of property keys with a cached creating plan; beyond, properties go as a map.
pub const KEY_SETS_MAX: usize = 256;

/// Elements that `All…` functions list when no limit is given, as RageDB does.
pub const LIST_LIMIT_DEFAULT: u64 = 100;

/// How many last lines are tried as the answer's expression.
pub const ANSWER_LINES_MAX: usize = 64;

/// Steps of a traversal, those of its sets and rounds included.
pub const TRAVERSAL_STEPS_MAX: usize = 128;

/// Recent results that a script may be iterating over.
pub const PREFETCH_LISTS_MAX: usize = 8;

/// Expansions (kind, direction, types) with entries prefetched for the nodes of a list.
pub const PREFETCH_WAYS_MAX: usize = 4;

/// Nodes that are prefetched together, beside the one asked for.
pub const PREFETCH_NODES_MAX: usize = 256;

/// Entries that are prefetched together.
pub const PREFETCH_ENTRIES_MAX: u64 = 1 << 14;

/// Entries up to which a walk from one node gives a table, not a list over columns.
pub const TABLE_ENTRIES_MAX: usize = 256;

/// Lists of a map from which on the lists are lazy: counted first, and walked when an entry is asked for.
pub const LAZY_LISTS_MIN: usize = 32;

/// Rows of a map that are made together while a script goes through it.
pub const BATCH_ROWS_MAX: usize = 64;

/// Results not yet walked that are walked before a write as they are; of more, garbage is dropped first.
pub const PENDING_ALIVE_MAX: usize = 16;

/// Results not yet walked from which on it is seen which of them are gone.
pub const PENDING_LISTED_MIN: usize = 64;

/// Bytes of a script's vertex cache; a full cache is cleared.
pub const VERTEX_CACHE_BYTES_MAX: usize = 16 << 20;

/// The largest part of a script's memory that the vertex cache may take, as a divisor.
pub const VERTEX_CACHE_SHARE: usize = 64;

/// Bytes of the vertex cache that are charged to the script's budget at a time.
pub const VERTEX_CACHE_BYTES_STEP: usize = 64 << 10;

/// Forms of new relationships (a type with property keys) that a script adds without a plan each.
pub const ADDED_FORMS_MAX: usize = 16;

/// Properties up to which their JSON is read without a tree.
pub const PLAIN_PROPERTIES_MAX: usize = 8;

/// Lines that one script prints; the rest is not shown.
pub const PRINTED_LINES_MAX: u64 = 1_000;

/// Bytes of a line that a script prints; the rest is cut.
pub const PRINTED_LINE_BYTES_MAX: usize = 4 << 10;

/// Globals that a script leaves behind before its interpreter is replaced: emptied tables stay large.
pub const GLOBALS_MAX: usize = 1 << 12;
