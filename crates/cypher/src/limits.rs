//! The named bounds of this crate: constants only, and each that a text can reach is one.

/// Bytes of a text.
pub const TEXT_BYTES_MAX: usize = 16 << 20;

/// Tokens of a text.
pub const TOKENS_MAX: usize = 2_000_000;

/// How deep expressions, patterns and subqueries may nest: each level is a few frames of a stack, which grows with them
/// ([`millrace_model::stack`]). An operator before its right operand counts as half a level.
pub const NESTING_MAX: usize = 2_000;

/// How deep the text of a statement inside of a call may nest: its levels come on top of those around it.
pub const INNER_NESTING_MAX: usize = 100;

/// Height of the tree of an expression: operators of one precedence in a row, such as `a + b + c`, count one each.
/// `AND`, `OR` and `XOR` are joined to a balanced tree and may be many more.
pub const HEIGHT_MAX: usize = 2_500;

/// Parts of an expression of a plan that any expression of a text may become.
pub const EXPRESSION_PARTS_MIN: usize = 1 << 14;

/// Parts of an expression of a plan for each part of a longer text.
pub const EXPRESSION_GROWTH_MAX: usize = 64;

/// Parts of the subjects of `CASE` that a text repeats, with an operator behind each `WHEN`.
pub const CASE_PARTS_MAX: usize = 1 << 18;

/// Errors that are reported of a text.
pub const ERRORS_MAX: usize = 50;

/// Characters of a token that an error repeats.
pub const SHOWN_CHARACTERS_MAX: usize = 40;

/// Operators of a plan that `EXPLAIN` and `PROFILE` show as a tree: clients read it by recursion, and an operator is two
/// levels of it. More are shown as text.
pub const TREE_OPERATORS_MAX: usize = 100;

/// Rows of a transaction of `CALL { … } IN TRANSACTIONS` without `OF n ROWS`.
pub(crate) const TRANSACTION_ROWS_DEFAULT: u64 = 1000;
