//! The named bounds of this crate.

/// Entries of a list that a function makes.
pub const LIST_ENTRIES_MAX: usize = 1 << 20;

/// Bytes of a text that a function makes.
pub const TEXT_BYTES_MAX: usize = 1 << 26;
