//! What many rows become: one value for a scope, or what is collected beside it.
//!
//! The operator that folds says which rows they are: `Aggregate`, `Fold`, `Apply`, `SideEffect`.

use crate::expr::Expr;

/// What a scope's rows fold to.
#[derive(Clone, Debug, PartialEq)]
pub enum Fold {
    /// The sum of weights; 0 for none.
    Count,
    /// The number of distinct values; 0 for none.
    CountDistinct(Expr),
    /// The exact sum, rounded once; null for none. Null and absent entries are passed over.
    Sum(Expr),
    /// The same of lists of two: how often, and a value. None of a list without its value.
    SumTimes(Expr),
    /// The least by the total order; null for none.
    Min(Expr),
    /// The greatest by the total order; null for none.
    Max(Expr),
    /// The mean; null for none.
    Mean(Expr),
    /// A list value, weights expanded; empty for none. Absent entries are left out.
    Collect(Expr),
    /// The first row's value; null for none.
    First(Expr),
    /// Whether there is a row.
    Exists,
    /// As the fold inside; where no entry was seen (no row, or absent ones only) what `missing` says.
    IfSeen {
        /// What is folded otherwise.
        fold: Box<Fold>,
        /// What there is instead.
        missing: Missing,
    },
}

/// What there is instead of a fold that saw nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Missing {
    /// No row: an `Aggregate` gives none for the group, an `Apply` drops the outer row.
    NoRow,
    /// An absent entry, which lists and maps leave out.
    Absent,
}

/// What a side effect collects into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SideFold {
    /// A set of values (a bitmap for elements).
    Set,
    /// A list of values, weights expanded.
    List,
    /// A bag of values: equal ones stand together, at the place of the first.
    Bag,
}
