//! What requests share of the process: memory, threads, and the files that they may read.
//!
//! Each of these is given out by one rule, whoever asks. No request, graph or statement is known here.

mod commit_notifier;
pub mod fair_queue;
pub(crate) mod memory;
pub(crate) mod script_files;
pub mod small_pages;

pub(crate) use commit_notifier::CommitNotifier;
