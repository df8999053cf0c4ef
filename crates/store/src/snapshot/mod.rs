//! Reading: everything an answer can depend on, at one position.
//!
//! The trait enters, and answers of a snapshot that are made of its other calls. No store is named here, so a
//! snapshot never asks for another position.

mod calls;
mod external;

pub use calls::{Freshness, Snapshot};
pub use external::{check_claim, external_in, without_external};
