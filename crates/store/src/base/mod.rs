//! The base of all modules: limits of the crate, hashes of values, and the entries of an index for a row.
//!
//! Functions of values alone enter. Nothing here knows an element, a snapshot or a transaction, and nothing of the
//! crate is imported.

pub mod index_keys;
pub mod key_hash;
pub mod limits;
