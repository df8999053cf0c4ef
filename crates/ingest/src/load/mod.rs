//! The load driver: files in, one commit out, with progress and rejects on the way; or batches. It calls
//! each format, and no format calls it; what a format needs of a load is in `progress`.
//!
//! Nothing is visible, and nothing remains of a load that failed, was cancelled or killed, until
//! [`load`] has returned its [`Summary`]. (Names and the unique index of the external name are declared
//! before, and stay.)

mod batches;
mod whole;

pub use crate::format::Format;
pub use crate::progress::{
    Counts, LoadOptions, LoadPath, OnProgress, Phase, Progress, Summary, UnknownTypes, quiet,
};
pub use batches::{BatchOptions, load_in_batches};
pub use whole::{Input, check_nquads, load};
