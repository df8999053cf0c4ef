//! The operations of arithmetic.

/// `+` and kin; integers are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient; of integers, truncated.
    Divide,
    /// Remainder, with the sign of the dividend.
    Remainder,
}
