//! What a `Seek` asks of a key beside equality.

use crate::expr::Expr;
use crate::plan::Name;

/// One side of a range of keys.
#[derive(Clone, Debug, PartialEq)]
pub struct SeekBound {
    /// What the key is compared with.
    pub value: Expr,
    /// Whether the value itself is in the range.
    pub inclusive: bool,
}

/// A range of one key; without a bound every value is in it, whatever its type.
#[derive(Clone, Debug, PartialEq)]
pub struct SeekRange {
    /// The key.
    pub key: Name,
    /// Where it begins.
    pub lower: Option<SeekBound>,
    /// Where it ends.
    pub upper: Option<SeekBound>,
}

impl SeekRange {
    /// The bounds there are, the lower first.
    pub fn bounds(&self) -> impl Iterator<Item = &SeekBound> {
        self.lower.iter().chain(&self.upper)
    }
}
