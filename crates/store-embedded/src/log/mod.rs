//! The log: every commit, in the order of positions, in files that are only ever appended to.
//!
//! ```text
//!  log-…7.mlog                                            log-…9.mlog
//! ┌────────┬─────────┬─────┬──────────────┬─────┬──────┐ ┌────────┬─────────┬────────
//! │ file   │ batch 1 │  2  │      3       │  4  │ zeros│ │ file   │ batch 4 │ 5 …
//! │ header │         │     │              │(old)│      │ │ header │ (copy)  │
//! └────────┴─────────┴─────┴──────────────┴─────┴──────┘ └────────┴─────────┴────────
//!  0        4096      a multiple of 4096                   begun by an open
//! ```
//!
//! **The unit of validity is the batch**: the frames of one write, padded to 4 KiB, so that no
//! sector that holds acknowledged data is ever written again. Batches are numbered across files,
//! and each holds the checksum of the header before it: the *chain*.
//!
//! **Vouching.** A batch says how far the log was durable when it was written. So a gap in the
//! chain is damage only if a later batch says that the missing batches were durable; else it is a
//! torn tail, and all after it is dropped. The last batch has nothing after it to vouch for it,
//! hence three rules: a manifest vouches for all that it was written after ([`Demand`]), an idle
//! log writes one empty batch, and an open copies the tail that nothing in the log vouches for to
//! the file it begins, with an empty batch behind it, *before* a client may see the recovered
//! commits. From then on batches of the same numbers in older files do not count (batch 4 above).
//! The new file gets its name when all that is synced, so the empty batch tells the truth. Only on
//! a full disk the tail is rewritten where it is: the same bytes are written over it, sector by
//! sector the same.
//!
//! "Valid" and "durable" differ. After `kill -9` a whole batch can be read from the system's memory
//! and vanish at the next power loss. That is why the tail is copied.
//!
//! Everything here is a step that some thread calls; nothing here waits, and there are no threads:
//!
//! | step | caller | effect |
//! |---|---|---|
//! | [`recover()`] | open | replays, copies the tail and small batches before it, gives the [`LogWriter`] |
//! | [`LogWriter::append`] | the log thread | one or more batches, then one sync |
//! | [`LogWriter::append_idle`] | the log thread, when nothing came | the empty batch |
//! | [`LogWriter::next_file`], [`NextFile::prepare`], [`LogWriter::install_next`] | a helper; only the middle one is slow, and it needs no lock | the file after this one |
//! | [`LogWriter::trim`] | a close | frees room that no batch took |
//! | [`LogWriter::release`], [`ReleasedFiles::remove`] | after a checkpoint; only the second is slow | frees old files, or keeps them for the next ones |
//!
//! The log orders and keeps frames; the meaning of a frame is for the modules above.

mod begin;
mod chain;
mod files;
mod format;
mod frame_buffer;
mod recover;
mod scan;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use begin::begin_anew;
pub use files::{NextFile, PreparedFile, ReleasedFiles};
pub(crate) use format::{BATCH_COST_MAX, BATCH_HEADER_BYTES};
pub use format::{Frame, FrameRef, LOG_FORMAT};
pub use frame_buffer::FrameBuffer;
pub use recover::{Demand, LogFileUse, LogRead, Recovered, read, recover};
pub(crate) use recover::{first_position, read_prefix, recover_to_read};
pub(crate) use scan::verify_file;
pub use scan::{WholeBatch, each_batch};
pub use writer::{LogExtent, LogExtents, LogWriter};
