//! Every bound of the store, by name.
//!
//! A bound is part of the format where its doc says so; the others may change between versions.

/// The alignment of everything in a log file. Part of the format.
pub const LOG_BLOCK_BYTES: usize = 4096;

/// The largest batch, with its header, before padding. A larger commit goes by spill files.
pub const LOG_BATCH_BYTES_MAX: usize = 16 << 20;

/// The size of a log file that was made ahead of need.
pub const LOG_FILE_BYTES: u64 = 64 << 20;

/// How many files the bound on a log has room for at least: where that is small, they are.
pub const LOG_FILES_MIN: u64 = 8;

/// The room for new batches in the file that an open begins, kept small so that opening is quick.
pub const LOG_FIRST_FILE_BYTES: u64 = 4 << 20;

/// An opening copies the newest batches of the log to the file that it begins, up to this share of
/// its room, so that a folder that is opened often has one file and not many that are nearly empty.
pub const LOG_CARRIED_SHARE: u64 = 4;

/// How many released log files are kept to be used again, beside the bound on the log.
pub const LOG_SPARE_FILES_MAX: usize = 2;

/// The first files of an open grow by this factor until they have their full size, so that the
/// next one is ready before the one in use is full.
pub const LOG_FILE_GROWTH: u64 = 4;

/// The largest log file; no setting may exceed it.
pub const LOG_FILE_BYTES_MAX: u64 = 4 << 30;

/// How much recovery reads at once when it looks for batches beyond a gap.
pub const LOG_SCAN_BYTES: usize = 1 << 20;

/// How much is written at once when a file is filled with zeros ahead of need.
pub const ALLOCATE_SLICE_BYTES: usize = 1 << 20;

/// The largest manifest.
pub const MANIFEST_BYTES_MAX: u64 = 1 << 30;

/// How many manifests are kept: the newest, and one to fall back on.
pub const MANIFESTS_KEPT: usize = 2;

/// How deep a stored value may nest. Part of the format: a deeper value is refused when written.
pub const VALUE_DEPTH_MAX: usize = 128;

/// Edge slots in a run leased to one (partition, edge type), as bits. Part of the format.
pub const EDGE_RUN_BITS: u32 = 10;

/// Edge slots of one partition ordinal: three quarters of 2^32.
pub const EDGE_SLOTS_MAX: u64 = 3 << 30;

/// The same in runs.
pub const EDGE_RUNS_MAX: u32 = (EDGE_SLOTS_MAX >> EDGE_RUN_BITS) as u32;

/// A list section or column holding less than one entry in this many places is stored sparse.
pub const SPARSE_FRACTION: usize = 16;

/// Entries the tail of a list may always hold before it is merged into the prefix.
pub const TAIL_ENTRIES_MIN: usize = 64;

/// Beyond [`TAIL_ENTRIES_MIN`], a tail is merged when it is this part of its prefix.
pub const TAIL_SHARE: usize = 8;

/// A list longer than this is kept in chunks when it changes, and no chunk is longer.
pub const CHUNK_ENTRIES_MAX: usize = 512;

/// Entries of a chunk that is made, so that it can grow.
pub const CHUNK_ENTRIES_FILL: usize = 384;

/// A chunk that shrank below this joins the one before, if both fit.
pub const CHUNK_ENTRIES_MIN: usize = 128;

/// Chunks of a group of a long list's directory.
pub const GROUP_CHUNKS_MAX: usize = 64;

/// Chunks of a group that is made.
pub const GROUP_CHUNKS_FILL: usize = 48;

/// A group that shrank below this joins the one before, if both fit.
pub const GROUP_CHUNKS_MIN: usize = 16;

/// Rows for which a reader holds a partition's lock at most.
pub const CHUNK_ROWS_MAX: usize = 1_024;

/// The same where properties are read, which are copied by arrays.
pub const GATHERED_ROWS_MAX: usize = 4_096;

/// Partitions a reader locks at once, where the rows of a chunk lie in several.
pub const CHUNK_PARTITIONS_MAX: usize = 64;

/// Steps of a count after which those that no reader needs are folded.
pub const COUNT_STEPS_MIN: usize = 1_024;

/// Lists, records or pages of them that are looked at under one lock, where there may be many.
pub const PIECE_ELEMENTS: usize = 1_024;

/// Elements changed while a root was made are carried over under the lock if they are at most so
/// many.
pub const NOTED_ELEMENTS_MAX: usize = 64;

/// Rounds in which elements changed meanwhile are carried over without the lock.
pub const NOTED_ROUNDS: usize = 16;

/// Roots a partition keeps: the newest, and one for older readers.
pub const ROOTS_MAX: usize = 2;

/// Partitions of a graph: 2^32 vertex slots in partitions of 2^16.
pub const PARTITIONS_MAX: usize = 1 << 16;

/// Ordinals a partition may take for the ids of its edges, one after the other as each is three
/// quarters full. Part of the format: an edge id has 31 bits for the ordinal.
pub const EDGE_ORDINALS_MAX: usize = 64;

/// Shards of a graph's indexes; a power of two.
pub const INDEX_SHARDS: usize = 64;

/// Rows of an expansion with lists on their way to the cache before the sink sees the first.
pub const ROWS_AHEAD: usize = 256;

/// The default bound on bytes of segments in memory, beyond those that readers pin.
pub const SEGMENT_BYTES_MAX: u64 = 4 << 30;

/// Older files a root may have sections in.
pub const OLDER_FILES_MAX: usize = 4;

/// Older files of a root that was merged: its own file is one more for a delta layer above it.
pub const OLDER_FILES_MERGED_MAX: usize = OLDER_FILES_MAX - 1;

/// A file is kept for its unchanged sections only if they are this part of it.
pub const OLDER_FILE_SHARE: u64 = 4;

/// The size of all delta layers above a base at which both are merged, in percent of the base: the
/// cost of a merge. So at most twice as much is written as with merges at the best times.
pub const MERGE_PERCENT: u64 = 100;

/// The least bytes of a list's entry in a delta layer, as a rule (5 to 8): where more entries
/// changed than would fit, none is begun.
pub const DELTA_EDGE_BYTES: u64 = 5;

/// How much of a segment file is written at once.
pub const SEGMENT_WRITE_BYTES: usize = 4 << 20;

/// The largest part in a spill file. A part is a spilled piece of a write set, with room for one
/// value that is larger than its bound.
pub const SPILL_FILE_BYTES_MAX: u64 = 4 << 30;

/// Bytes of a shard of an ordered index above which a checkpoint splits it.
pub const RANGE_SHARD_BYTES_MAX: usize = 4 << 20;

/// Bytes of vectors that are worth a thread of a search: fewer are compared sooner than it starts.
pub const NEAREST_BYTES_OF_A_THREAD: usize = 8 << 20;

/// Bytes of vectors in bases that are worth a graph of neighbours: fewer are compared in a few milliseconds.
pub const NEIGHBOURS_BYTES_MIN: usize = 16 << 20;

/// The part of the memory for sections that the vectors of one graph and its links may take: it keeps them in memory.
pub const NEIGHBOURS_MEMORY_PART: u64 = 2;

/// Threads of one search.
pub const NEAREST_THREADS_MAX: usize = 16;

/// Candidates of an ordered index that are verified together.
pub const RANGE_CANDIDATES_MAX: usize = 16_384;

/// Entries of an ordered index that is being built are sorted when they take so many bytes.
pub const BUILD_BUFFER_BYTES: usize = 32 << 20;

/// Entries of made keys that a walk reads first.
pub const RANGE_STEP_MIN: usize = 1_024;

/// Frames that wait for the log or the applier lie in pieces of this size, or of one larger frame.
pub const FRAME_PIECE_BYTES: usize = 256 << 10;

/// How many empty pieces are kept for the frames to come.
pub const FRAME_PIECES_KEPT: usize = 8;

/// Findings that a check keeps; all are counted.
pub const FINDINGS_KEPT_MAX: usize = 1_000;

/// Elements a check looks at together.
pub const CHECK_ROWS: usize = 4_096;

/// How much of a file is copied at once into a backup.
pub const COPY_BYTES: usize = 1 << 20;

/// How far above the manifest's counter the number of a file may be: far more files than are made
/// between two manifests.
pub const FILE_NUMBER_LEAP: u64 = 1 << 32;

/// File numbers from here on are refused, so that a process never uses up the numbers.
pub const FILE_NUMBERS_END: u64 = u64::MAX - (1 << 40);

/// The same where no manifest has the next number.
pub const FILE_NUMBERS_UNTOLD_END: u64 = 1 << 40;

/// Commits that a repair leaves out one by one, because they build on lost data, before it gives up
/// the rest of the log.
pub const SALVAGE_SKIPS_MAX: usize = 16;

/// Bytes of the reason why a backup failed, in the backup.
pub const FAILURE_BYTES_MAX: u64 = 64 << 10;
