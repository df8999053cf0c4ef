//! The one error of the workspace, and the broken rule of a schema that it may have.
//!
//! Data: which texts a protocol makes of it, and how a broken rule reads, is above.

pub mod error;
pub(crate) mod violation;
