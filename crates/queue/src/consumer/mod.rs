//! A consumer: it collects batches on one thread while another applies the batch before.
//!
//! ```text
//!   run ──collect──> batch ──applying──> one commit, halved where it fails ──> acknowledged, or dead letters
//!    └── backoff, connects again
//! ```
//!
//! What a message means belongs to `forms`, what a broker does to `broker`: a consumer knows it by `deliveries` only.

mod applying;
mod backoff;
mod run;

pub(crate) use applying::Shared;
pub(crate) use run::run;
