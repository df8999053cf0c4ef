//! The named bounds of this crate.

use std::time::Duration;

/// Bytes a private write set may hold in memory before a part of it spills (docs/design/store.md,
/// section 5).
pub const WRITE_SET_BYTES_MAX: usize = 16 << 20;

/// Bytes of a new name: of a label, an edge type or a key. Neo4j takes identifiers of up to 65,534
/// characters. Every name is in the catalog, which each snapshot shares and each manifest holds, so
/// it is no place for long texts. A folder that has longer names keeps them.
pub const NAME_BYTES_MAX: usize = 65_534;

/// How often a commit that lost a write conflict may be run again before it must queue
/// (docs/design/store.md, section 4).
pub const WRITE_CONFLICTS_MAX: u32 = 3;

/// Spilled parts of a write set that a transaction keeps loaded for reading.
pub const SPILLED_PARTS_LOADED_MAX: usize = 2;

/// Own edges that a scan in a transaction sorts at a time: as many bytes as a write set may hold
/// unspilled. Beyond that, spilled parts are read once for each stretch of so many.
pub const OWN_EDGES_SORTED_MAX: usize = 1 << 19;

/// Bits of a vertex id by which a spilled part remembers the vertices that it modifies: 128 KiB a
/// bitmap, exact for graphs of up to a million vertices, beyond that a part may be read for
/// nothing.
pub const SPILL_SUMMARY_BITS: u32 = 20;

/// Units of one partition that a serializable transaction remembers singly (docs/design/store.md,
/// section 4).
pub const READ_UNITS_MAX: u32 = 4_096;

/// Keys that one ticket may be for: a script that met write conflicts on more is let go by the
/// oldest.
pub const TICKET_KEYS_MAX: usize = 64;

/// How long a ticket may keep others waiting; then it lapses, and its holder may lose again.
pub const TICKET_MAX: Duration = Duration::from_secs(5);

/// Elements of an owner up to which a transaction itself validates its definitions for that owner,
/// and may use its index before it is committed.
pub const CHECKED_IN_TRANSACTION_MAX: u64 = 1 << 16;

/// Chosen ids this far ahead of all that are in use may still be slots; others are external ids.
pub const CHOSEN_AHEAD: u64 = 1 << 20;

/// Rows that an attempt on a thread that must not block may walk ([`crate::reads::non_blocking`]): some hundred
/// microseconds of work.
pub const NON_BLOCKING_ROWS_MAX: usize = 8_192;

/// Entries of a part of a question that are read in any case.
pub const PART_ENTRIES_MIN: u64 = 4_096;

/// A part of a question with more entries for each candidate that is left is not read: to judge a candidate by its
/// values takes about as long as to read so many entries.
pub const CANDIDATE_ENTRIES: u64 = 64;

/// A question is not read to its end where each of its parts has so many times the candidates that are wanted.
pub const UNREAD_LIMITS: u64 = 16;
