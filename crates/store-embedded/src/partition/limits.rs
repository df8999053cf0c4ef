//! The named bounds of a partition.

/// Entries a tail may always hold before it is merged into the prefix.
pub(crate) const TAIL_ENTRIES_MIN: usize = 64;

/// Beyond [`TAIL_ENTRIES_MIN`], a tail is merged when it is this part of its prefix.
pub(crate) const TAIL_SHARE: usize = 8;

/// Rows for which a reader holds a partition's lock at most.
pub(crate) const CHUNK_ROWS_MAX: usize = 1_024;

/// Edge slots leased at once to a (partition, edge type).
pub(crate) const RUN_SLOTS: u32 = 1 << RUN_SLOT_BITS;

/// Bits of an edge slot within its run.
pub(crate) const RUN_SLOT_BITS: u32 = 10;

/// Runs an ordinal may lease: three quarters of its 2^32 slots.
pub(crate) const RUNS_MAX: u32 = 3 << (32 - RUN_SLOT_BITS - 2);

/// Steps of a count after which those that no reader needs are folded.
pub(crate) const COUNT_STEPS_MIN: usize = 1_024;

/// Roots a partition keeps: the newest, and one for older readers.
pub(crate) const ROOTS_MAX: usize = 2;

/// Partitions of a graph: 2^32 vertex slots in partitions of 2^16.
pub(crate) const PARTITIONS_MAX: u32 = 1 << 16;
