//! The named bounds of this crate.

/// Facets of one statement.
pub const FACETS_MAX: usize = 1 << 16;

/// How deep arrays and objects may be nested in a line of a file.
pub const LINE_DEPTH_MAX: usize = 128;

/// How deep arrays and objects may be nested in the JSON of a mutation. Each level is a few calls on the stack of the
/// thread that reads it, and a nested node takes two levels where it stands in a list.
pub const MUTATION_DEPTH_MAX: usize = 500;

/// Characters of a piece of input that an error repeats.
pub const EXCERPT_CHARS_MAX: usize = 80;
