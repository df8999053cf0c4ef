//! The text of the parts of which operators consist: columns, parameters, `Let`s, expressions and folds.
//!
//! Parts that operators of several families print enter. How an operator prints is one of its facts, and how a
//! plan does is the plan's: no operator is named here.

mod exprs;
mod names;

pub use names::Printer;
pub(crate) use names::{edge_types, join};
