//! Folds of many rows: to one value for a scope, or into a collection beside it.
//!
//! The operator that folds says which rows they are: `Aggregate`, `Fold`, `Apply`, `SideEffect`.

use crate::expr::Expr;

/// A fold of a scope's rows to one value.
#[derive(Clone, Debug, PartialEq)]
pub enum Fold {
    /// The sum of weights; 0 for none.
    Count,
    /// The number of distinct values; 0 for none.
    CountDistinct(Expr),
    /// The exact sum of numbers, rounded once, or of durations, part by part; null for none. Null and absent entries
    /// are passed over.
    Sum(Expr),
    /// The least by the total order of the plan's compare mode; null for none.
    Min(Expr),
    /// The greatest by the same order; null for none.
    Max(Expr),
    /// The mean; null for none.
    Mean(Expr),
    /// How many entries are neither null nor absent; 0 for none.
    CountValues(Expr),
    /// The standard deviation of a sample, as a double; 0 for fewer than two. Null and absent entries are passed over.
    StDev(Expr),
    /// The same of a whole population.
    StDevP(Expr),
    /// A value between the two numbers around a fraction of their order, as a double; null for none. Of lists of two: a
    /// number (null is passed over), and a fraction, from 0 for the first to 1 for the last and the same in all rows.
    PercentileCont(Expr),
    /// The same, but the number at which the fraction ends.
    PercentileDisc(Expr),
    /// A list value, weights expanded; empty for none. Absent entries are left out.
    Collect(Expr),
    /// The same, and null entries are left out too.
    CollectValues(Expr),
    /// The first row's value; null for none.
    First(Expr),
    /// Whether there is a row.
    Exists,
    /// The fold inside over the first of each kind of equivalent entries, each of weight 1. Null and absent entries
    /// are passed over.
    Distinct(Box<Fold>),
    /// As the fold inside; where no entry was seen (no row, or absent ones only) as `missing`.
    IfSeen {
        /// The fold where an entry was seen.
        fold: Box<Fold>,
        /// The result where none was seen.
        missing: Missing,
    },
}

/// The result of a fold that saw no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Missing {
    /// No row: an `Aggregate` gives none for the group, an `Apply` drops the outer row.
    NoRow,
    /// An absent entry, which lists and maps leave out.
    Absent,
}

/// The kind of collection of a side effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SideFold {
    /// A set of values (a bitmap for elements).
    Set,
    /// A list of values, weights expanded.
    List,
    /// A bag of values: equal ones stand together, at the place of the first.
    Bag,
}

impl Fold {
    /// The expression it folds, if it looks at one.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Fold::Count | Fold::Exists => None,
            Fold::CountDistinct(expr)
            | Fold::Sum(expr)
            | Fold::Min(expr)
            | Fold::Max(expr)
            | Fold::Mean(expr)
            | Fold::CountValues(expr)
            | Fold::StDev(expr)
            | Fold::StDevP(expr)
            | Fold::PercentileCont(expr)
            | Fold::PercentileDisc(expr)
            | Fold::Collect(expr)
            | Fold::CollectValues(expr)
            | Fold::First(expr) => Some(expr),
            Fold::Distinct(fold) | Fold::IfSeen { fold, .. } => fold.expr(),
        }
    }

    /// The same, to change it.
    pub(crate) fn expr_mut(&mut self) -> Option<&mut Expr> {
        match self {
            Fold::Count | Fold::Exists => None,
            Fold::CountDistinct(expr)
            | Fold::Sum(expr)
            | Fold::Min(expr)
            | Fold::Max(expr)
            | Fold::Mean(expr)
            | Fold::CountValues(expr)
            | Fold::StDev(expr)
            | Fold::StDevP(expr)
            | Fold::PercentileCont(expr)
            | Fold::PercentileDisc(expr)
            | Fold::Collect(expr)
            | Fold::CollectValues(expr)
            | Fold::First(expr) => Some(expr),
            Fold::Distinct(fold) | Fold::IfSeen { fold, .. } => fold.expr_mut(),
        }
    }

    /// Whether there may be no row where it saw nothing.
    pub fn drops_rows(&self) -> bool {
        matches!(self, Fold::IfSeen { missing: Missing::NoRow, .. })
    }

    /// Whether its value is the same in any order of the rows. Floats are summed exactly.
    pub fn is_commutative(&self) -> bool {
        match self {
            Fold::Count
            | Fold::CountDistinct(_)
            | Fold::Sum(_)
            | Fold::Min(_)
            | Fold::Max(_)
            | Fold::Mean(_)
            | Fold::CountValues(_)
            | Fold::StDev(_)
            | Fold::StDevP(_)
            | Fold::PercentileCont(_)
            | Fold::PercentileDisc(_)
            | Fold::Exists => true,
            // Of 1 and 1.0 the first one is folded.
            Fold::Collect(_) | Fold::CollectValues(_) | Fold::First(_) | Fold::Distinct(_) => false,
            Fold::IfSeen { fold, .. } => fold.is_commutative(),
        }
    }
}
