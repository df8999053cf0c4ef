//! The settings of a data folder, given when it is opened.
//!
//! Durability belongs to the *folder*. It is recorded when the folder is made, and opening it with
//! another is refused, since the clients that wrote there relied on it.

use millrace_model::{Error, ErrorKind, Result};

use super::commit_limits as limits;
use super::limits::{
    EDGE_RUNS_MAX, LOG_BATCH_BYTES_MAX, LOG_CARRIED_SHARE, LOG_FILE_BYTES, LOG_FILE_BYTES_MAX,
    LOG_FILES_MIN, LOG_FIRST_FILE_BYTES, RANGE_SHARD_BYTES_MAX,
};

/// The sizes of a log; tests make them small.
#[derive(Debug, Clone, Copy)]
pub struct LogOptions {
    /// The size of a file that is prepared ahead of need.
    pub file_bytes: u64,
    /// The room for new batches in a file that is made while commits wait.
    pub first_file_bytes: u64,
    /// The largest batch.
    pub batch_bytes_max: usize,
}

impl Default for LogOptions {
    fn default() -> Self {
        Self {
            file_bytes: LOG_FILE_BYTES,
            first_file_bytes: LOG_FIRST_FILE_BYTES,
            batch_bytes_max: LOG_BATCH_BYTES_MAX,
        }
    }
}

impl LogOptions {
    /// The sizes for a log of so many bytes at most: the file in use and the next one are a part of it that no checkpoint
    /// frees.
    pub fn within(bytes_max: u64) -> Self {
        let usual = Self::default();
        let file_bytes = usual.file_bytes.min(bytes_max / LOG_FILES_MIN);
        Self {
            file_bytes,
            first_file_bytes: usual.first_file_bytes.min(file_bytes / 2),
            batch_bytes_max: usual.batch_bytes_max.min(file_bytes as usize),
        }
    }

    /// Encoded bytes above which a commit goes beside the log.
    pub fn out_of_line_bytes_min(&self) -> usize {
        limits::OUT_OF_LINE_BYTES_MIN.min(self.batch_bytes_max / 4)
    }

    /// Bytes of batches, beside the tail, that an opening copies to the file that it begins.
    pub(crate) fn carried_bytes_max(&self) -> u64 {
        self.first_file_bytes / LOG_CARRIED_SHARE
    }

    /// Refuses sizes that readers of the log would refuse.
    pub(crate) fn assert_in_bounds(&self) {
        assert!(self.file_bytes <= LOG_FILE_BYTES_MAX, "a log file is at most 4 GiB");
        assert!(self.batch_bytes_max <= LOG_BATCH_BYTES_MAX, "readers refuse a larger batch");
    }
}

/// When the log thread waits before a sync, so that more commits share it: PostgreSQL's
/// `commit_delay` and `commit_siblings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupCommitOptions {
    /// How long it waits, in microseconds (`log.group-commit-delay-us`); 0: never.
    pub delay_us: u64,
    /// How many other commits have to wait for the sync already (`log.group-commit-siblings`).
    pub siblings: u64,
}

impl Default for GroupCommitOptions {
    fn default() -> Self {
        Self { delay_us: 0, siblings: limits::GROUP_COMMIT_SIBLINGS }
    }
}

/// What an acknowledgement means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// On disk: power loss loses nothing.
    #[default]
    Sync,
    /// Applied: power loss may lose the last moments. Reopening still gives a prefix of commits.
    Async,
}

impl Durability {
    /// The word for it in settings and messages.
    pub fn word(self) -> &'static str {
        match self {
            Durability::Sync => "sync",
            Durability::Async => "async",
        }
    }
}

/// The settings of a data folder.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The meaning of an acknowledgement; `None` takes the folder's own (a new one: `sync`).
    pub durability: Option<Durability>,
    /// Vertex ids leased at once (`ids.block-size`).
    pub id_block_size: u64,
    /// The next block is asked for when this much of the current one is left, in percent
    /// (`ids.renew-percentage`).
    pub id_renew_percent: u64,
    /// Bytes of the log's files used since the last checkpoint that start the next.
    pub checkpoint_log_bytes: u64,
    /// Bytes of changes in memory that start a checkpoint.
    pub checkpoint_delta_bytes: u64,
    /// The bound on the log: at this size writers wait for a checkpoint.
    pub log_bytes_max: u64,
    /// The bound on changes in memory: at this size writers wait for a checkpoint.
    pub delta_bytes_max: u64,
    /// The bound on segments in memory, beyond those that readers pin (`memory.segments-bytes`).
    pub segment_bytes_max: u64,
    /// Changes of a partition are merged into its base when the delta layers above it have taken
    /// about so many percent of it together, or the next alone would take half of that.
    pub merge_percent: u64,
    /// Encoded bytes above which a commit goes beside the log.
    pub out_of_line_bytes_min: usize,
    /// Created elements from which on such a commit makes transaction layers of them.
    pub layer_rows_min: usize,
    /// Bytes of a shard of an ordered index above which a checkpoint splits it.
    pub range_shard_bytes: usize,
    /// Runs of 1,024 edge ids that are taken of one ordinal before an overflow partition is opened.
    pub edge_runs_max: u32,
    /// Cells of the conflict table, as bits.
    pub conflict_bits: u32,
    /// The sizes of the log's files.
    pub log: LogOptions,
    /// When a sync of the log waits for more commits.
    pub group_commit: GroupCommitOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            durability: None,
            id_block_size: limits::ID_BLOCK_SIZE,
            id_renew_percent: limits::ID_RENEW_PERCENT,
            checkpoint_log_bytes: limits::CHECKPOINT_LOG_BYTES,
            checkpoint_delta_bytes: limits::CHECKPOINT_DELTA_BYTES,
            log_bytes_max: limits::LOG_BYTES_MAX,
            delta_bytes_max: limits::DELTA_BYTES_MAX,
            segment_bytes_max: super::limits::SEGMENT_BYTES_MAX,
            merge_percent: super::limits::MERGE_PERCENT,
            out_of_line_bytes_min: limits::OUT_OF_LINE_BYTES_MIN,
            layer_rows_min: limits::LAYER_ROWS_MIN,
            range_shard_bytes: RANGE_SHARD_BYTES_MAX,
            edge_runs_max: EDGE_RUNS_MAX,
            conflict_bits: limits::CONFLICT_BITS,
            log: LogOptions::default(),
            group_commit: GroupCommitOptions::default(),
        }
    }
}

impl Options {
    /// Refuses values that make no sense, by the name of the setting.
    pub fn check(&self) -> Result<()> {
        self.faults().into_iter().next().map_or(Ok(()), Err)
    }

    /// Every value that makes no sense, by the name of the setting.
    pub fn faults(&self) -> Vec<Error> {
        let mut faults = Vec::new();
        let mut refuse = |setting: &str, detail: String| {
            faults.push(Error::new(ErrorKind::BadInput, format!("{setting} {detail}")));
        };
        if self.id_block_size == 0 || limits::VERTICES_MAX < self.id_block_size {
            let detail = format!("is {}, it must be from 1 to 2^32", self.id_block_size);
            refuse("ids.block-size", detail);
        }
        if 100 < self.id_renew_percent {
            let detail = format!("is {}, it must be from 0 to 100", self.id_renew_percent);
            refuse("ids.renew-percentage", detail);
        }
        let GroupCommitOptions { delay_us, siblings } = self.group_commit;
        for (setting, value, most) in [
            ("log.group-commit-delay-us", delay_us, limits::GROUP_COMMIT_DELAY_US_MAX),
            ("log.group-commit-siblings", siblings, limits::GROUP_COMMIT_SIBLINGS_MAX),
        ] {
            if most < value {
                refuse(setting, format!("is {value}, it must be from 0 to {most}"));
            }
        }
        let (log, data) = ("log.checkpoint-bytes", "data.checkpoint-bytes");
        for (bound, most, start, least) in [
            ("log.bytes-max", self.log_bytes_max, log, self.checkpoint_log_bytes),
            ("data.changes-bytes-max", self.delta_bytes_max, data, self.checkpoint_delta_bytes),
        ] {
            if most <= least {
                refuse(bound, format!("is {most}, it must exceed {start}, which is {least}"));
            }
        }
        if !(8..=limits::CONFLICT_BITS).contains(&self.conflict_bits) {
            refuse("the conflict table", "must have 2^8 to 2^22 cells".to_string());
        }
        faults
    }
}
