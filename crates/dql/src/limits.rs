//! The named bounds of this crate: constants only, and each that a text can reach is one.

/// Bytes of a text. N-Quads in a mutation count too, and are most of a long text.
pub const TEXT_BYTES_MAX: usize = 64 << 20;

/// Nodes of a tree: children, functions, arguments, operators, names in lists. A node is at most about 400 bytes.
pub const NODES_MAX: usize = 500_000;

/// How deep blocks, filters, lists and expressions may nest. An operator of `math` before its right operand is a
/// level, too.
pub const NESTING_MAX: usize = 200;

/// Operators of one `math`: those of a row, such as `a + b + c`, are as many levels of its tree.
pub const MATH_OPERATORS_MAX: usize = 1_000;

/// Quads of a mutation, as in Dgraph.
pub const QUADS_MAX: usize = 1_000_000;

/// Edges or nodes that lose a predicate in one transaction where a large one is dropped.
pub const REMOVED_TOGETHER: u64 = 10_000;

/// Characters of a text that an error repeats.
pub const SHOWN_CHARACTERS_MAX: usize = 40;

/// Schemas of catalogs that are kept.
pub const CACHED_SCHEMAS_MAX: usize = 16;

/// Bytes of these schemas, about.
pub const CACHED_SCHEMAS_BYTES_MAX: u64 = 64 << 20;

/// The part of `memory.max` that they may take where that is less: one in so many.
pub const CACHED_SCHEMAS_MEMORY_SHARE: u64 = 16;

/// Bytes by which they take memory from the budget and give it back.
pub const CACHED_SCHEMAS_STEP_BYTES: u64 = 256 << 10;

/// Bytes of the name of a predicate.
pub const NAME_BYTES_MAX: usize = 65_535;

/// The cost of the hash of a password, as Dgraph has it.
pub const PASSWORD_COST: u32 = 10;

/// Objects that `@normalize` makes of one node, and members of those that it makes of two levels, as in Dgraph.
pub const FLAT_NODES_MAX: usize = 10_000;

/// Digits of a decimal behind the point.
pub const DECIMAL_SCALE_MAX: u32 = 4_096;

/// Digits of a year, at least.
pub const YEAR_DIGITS_MIN: usize = 4;

/// Children of a query, those of a fragment each time that it is named.
pub const SPREAD_NODES_MAX: usize = 20_000;

/// Operators of a plan behind one another without a write among them, as many as the engine runs: blocks and levels of an
/// answer, the fields of a level, and conditions that ask about edges are at least one each.
pub const OPERATORS_IN_A_ROW_MAX: usize = 1_000;

/// Sets of rows that a plan computes first: variables, and levels that others read.
pub const ROW_SETS_MAX: usize = 10_000;

/// Characters of the text of `match` at a root: an index is asked for each three of them.
pub const MATCH_CHARACTERS_MAX: usize = 4_096;
