//! What RageDB has and Millrace has not yet: refused by name, so that no script meets a bare nil.

/// The names, ascending.
pub(super) const NAMES: &[&str] = &["LoadCSV", "StreamCSV"];
