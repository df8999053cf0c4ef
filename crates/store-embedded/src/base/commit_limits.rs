//! The named bounds of the commit path.

/// Cells of the conflict table, as bits: 2^22 cells are 32 MiB (docs/design/store.md, section 4).
pub(crate) const CONFLICT_BITS: u32 = 22;

/// Encoded bytes above which a commit goes beside the log, by spill files and one small frame.
pub(crate) const OUT_OF_LINE_BYTES_MIN: usize = 4 << 20;

/// Bytes of names that are logged together; more of one call take several records. A quarter of the
/// largest record, and one sync for each is little against the writing.
pub(crate) const NAMES_RECORD_BYTES: usize = 4 << 20;

/// Footprint entries above which a commit is validated outside of the sequencer's lock.
pub(crate) const FOOTPRINT_ENTRIES_MAX: usize =
    if cfg!(all(test, feature = "loom")) { 2 } else { 1 << 14 };

/// Bytes of commits that wait for the log thread before committers wait too.
pub(crate) const QUEUE_BYTES_MAX: u64 = 64 << 20;

/// The bound on the log: at this size writers wait for a checkpoint (docs/design/store.md, section
/// 6).
pub(crate) const LOG_BYTES_MAX: u64 = 512 << 20;

/// Where the delay of writers begins, as a share of a bound in percent.
pub(crate) const DELAY_FROM_PERCENT: u64 = 75;

/// The longest delay of one commit below a bound.
pub(crate) const DELAY_MS_MAX: u64 = 20;

/// Bytes of the deltas at which writers wait for a checkpoint.
pub(crate) const DELTA_BYTES_MAX: u64 = 4 << 30;

/// Bytes of the log's files used since the last checkpoint that start the next.
pub(crate) const CHECKPOINT_LOG_BYTES: u64 = 256 << 20;

/// Bytes of the deltas that start a checkpoint: half of the bound, as with the log.
pub(crate) const CHECKPOINT_DELTA_BYTES: u64 = DELTA_BYTES_MAX / 2;

/// An orderly close writes a checkpoint of at most so many bytes of changes: about a second's work.
pub(crate) const CLOSING_CHECKPOINT_BYTES: u64 = 64 << 20;

/// Vertex ids of a block, if the settings do not say.
pub(crate) const ID_BLOCK_SIZE: u64 = 1 << 20;

/// How much of a block may be left when the next is asked for, in percent, if the settings do not
/// say.
pub(crate) const ID_RENEW_PERCENT: u64 = 30;

/// External ids that are remembered because they are no internal ids, before those that the index
/// knows are forgotten; others are of transactions under way, or were never committed.
pub(crate) const EXTERNAL_IDS_NOTED_MAX: usize = 1 << 22;

/// Vertices of a graph on this store.
pub(crate) const VERTICES_MAX: u64 = 1 << 32;

/// Free space is looked at again after this many bytes went to the log.
pub(crate) const SPACE_CHECK_BYTES: u64 = 4 << 20;

/// The least room in the files of the log that is reserved for the records of a checkpoint and of
/// withdrawals: no commit may take it.
pub(crate) const UPKEEP_ROOM: u64 = 256 << 10;

/// Where the first file of the log is small, that room is this part of it, or [`UPKEEP_ROOM_LEAST`]
/// if that is more.
pub(crate) const UPKEEP_SHARE: u64 = 16;

/// Room for a few records, whatever they are written with.
pub(crate) const UPKEEP_ROOM_LEAST: u64 = 48 << 10;

/// Bytes of commits that the log thread applies itself once they are on disk; more are applied by
/// another thread meanwhile.
pub(crate) const APPLIED_HERE_BYTES_MAX: usize = 8 << 10;

/// How long an idle log waits before it writes the empty batch that vouches for the last.
pub(crate) const IDLE_BATCH_MS: u64 = 20;

/// Rows read together when a new schema change is validated against the data.
pub(crate) const SCAN_ROWS: usize = 4_096;

/// Room on the disk that is never given to commits: for manifests and for the system.
pub(crate) const SPACE_RESERVE_BYTES: u64 = 16 << 20;

/// Created elements from which on an out-of-line commit makes transaction layers of them.
pub(crate) const LAYER_ROWS_MIN: usize = 1 << 16;

/// Rows of one part of an out-of-line commit that goes beside the log.
pub(crate) const SPILL_PART_ENTRIES: usize = 1 << 18;

/// Bytes that a bulk load, or the building of transaction layers, holds in memory before it uses a
/// temporary file.
pub(crate) const LOAD_BYTES_MAX: usize = 512 << 20;

/// The part of the memory budget that it holds at most, where that is less: one in so many.
pub(crate) const LOAD_MEMORY_SHARE: u64 = 8;

/// A commit of at most so many encoded bytes waits for the applier as bytes; a larger one as its
/// decoded effect, which costs no second decoding.
pub(crate) const BYTES_APPLIED_MAX: usize = 4 << 10;

/// Room made for the encoding of a commit before its size is known.
pub(crate) const PAYLOAD_BYTES: usize = 128;

/// Ends of edges of one batch that a later part of it may create.
pub(crate) const MISSING_ENDS_MAX: usize = 1 << 24;

/// Commits that are applied together at most: partitions are locked for no more at a time.
pub(crate) const APPLY_GROUP_COMMITS_MAX: usize = 4_096;

/// Graphs whose room for commits is kept between groups; with more, all of it is given back.
pub(crate) const APPLY_GRAPHS_MAX: usize = 64;

/// Frames replayed together.
pub(crate) const REPLAY_FRAMES: usize = 4_096;

/// Bytes of records that a replay keeps at most before it applies them, but for the last one.
pub(crate) const REPLAY_BYTES: usize = 16 << 20;

/// Partitions with segments that are written before their install records are waited for.
pub(crate) const INSTALLS_TOGETHER: usize = 16;

/// Bytes of the log that their records take, with the empty batch behind them.
pub(crate) const INSTALL_LOG_BYTES: u64 = 2 * crate::base::limits::LOG_BLOCK_BYTES as u64;

/// How often versions without readers are freed, and whether a checkpoint is due is looked at.
pub(crate) const HOUSEKEEPING_MS: u64 = 200;

/// The longest wait before a sync, in microseconds (PostgreSQL's bound of `commit_delay`).
pub(crate) const GROUP_COMMIT_DELAY_US_MAX: u64 = 100_000;

/// The most commits that such a wait may ask for (PostgreSQL's bound of `commit_siblings`).
pub(crate) const GROUP_COMMIT_SIBLINGS_MAX: u64 = 1_000;

/// As many other commits have to wait, unless set otherwise.
pub(crate) const GROUP_COMMIT_SIBLINGS: u64 = 5;

/// How long the log thread waits before it tries again on a full disk.
pub(crate) const FULL_RETRY_MS: u64 = 50;

/// How long a stalled writer sleeps before it asks again.
pub(crate) const WRITE_STALL_MS: u64 = 2;

/// Bytes of memory that a byte of log becomes, at most: a vertex without anything takes 8 in a
/// batch, and a record of a hundred and more.
pub(crate) const DELTA_PER_LOG_BYTE: u64 = 16;

/// Bytes of log after which the deltas are measured again.
pub(crate) const DELTA_LOOK_BYTES: u64 = 16 << 20;

/// Keys of recent commits that confirm a hit in the conflict table: 32 MiB, about two million
/// commits of an edge.
pub(crate) const RECENT_KEYS_MAX: usize = 1 << 22;

/// Keys, or commits, of one chunk of those.
pub(crate) const RECENT_CHUNK_KEYS: usize = 1 << 12;

/// Slots of a chunk for keys that nearly every commit changes.
pub(crate) const RECENT_SLOTS: usize = 64;

/// Entries of a footprint at which repeated ones are first brought together.
pub(crate) const FOOTPRINT_COMPACT: usize = 1 << 20;
