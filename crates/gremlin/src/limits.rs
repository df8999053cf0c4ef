//! The named bounds of this crate.
//!
//! Only constants enter: each bound of the crate has its name here.

/// Bytes of a script's text.
pub const TEXT_BYTES_MAX: usize = 16 << 20;

/// Steps, arguments and elements of collections in a script, those that a range such as `1..9` stands
/// for included. So a script holds at most about a hundred times this many bytes.
pub const ITEMS_MAX: usize = 1_000_000;

/// How deep traversals, predicates and collections may nest: each level is a few frames of the stack.
pub const NESTING_MAX: usize = 100;

/// Digits that a decimal may have behind its point, and zeros before it, by its exponent.
pub const DECIMAL_SCALE_MAX: u32 = 6_144;

/// Characters of a text that an error repeats.
pub const SHOWN_CHARACTERS_MAX: usize = 40;

/// Operands that a formula of `math` may have.
pub const FORMULA_PARTS_MAX: usize = 100;

/// Depth of brackets up to which literals are taken out of a text; a deeper text is parsed whole.
pub const NORMALIZED_DEPTH_MAX: usize = 32;
