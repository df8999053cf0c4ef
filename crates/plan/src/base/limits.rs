//! The named bounds of this crate.

/// Entries of a list that a function makes.
pub const LIST_ENTRIES_MAX: usize = 1 << 20;

/// Bytes of a text that a function makes.
pub const TEXT_BYTES_MAX: usize = 1 << 26;

/// Bytes of a regular expression's text.
pub const PATTERN_BYTES_MAX: usize = 1 << 14;

/// Bytes that a regular expression takes when compiled, and again while it runs.
pub const PATTERN_PROGRAM_BYTES_MAX: usize = 1 << 20;

/// Regular expressions that a thread keeps compiled.
pub const PATTERNS_CACHED_MAX: usize = 8;

/// Geometries that a thread keeps ready to be asked about; one of the most positions takes 4 MB.
pub const REGIONS_CACHED_MAX: usize = 4;

/// Pairs of characters that a comparison of two texts by their edits looks at.
pub const SIMILARITY_STEPS_MAX: usize = 1 << 26;
