//! Maintenance of a data folder: check, repair, inspect and back up.
//!
//! It reads the files through the modules that wrote them. It serves no query and commits nothing.

pub mod backup;
pub mod check;
pub mod inspect;
pub mod repair;
