//! Expressions over the columns of a row, and folds of many rows.
//!
//! What is evaluated for rows enters, as data: no operator, no pipeline and no plan is named here, and no value is
//! computed (scalar functions are those of `functions`, the rest is the engine's).

mod expression;
mod fold;
mod over;

pub use expression::{Comparison, Expr, LetRead, SetName};
pub use fold::{Fold, Missing, SideFold};
pub use over::{Makes, Over, Quantifier, TruthCounts, Unknown};
