//! The syntax of a statement, with positions. Nothing here knows a plan.
//!
//! The parser makes a tree without symbols; `scope` resolves each name of a variable to a [`Symbol`]. The tree of a clause
//! is in its own file in `clauses`.

mod expr;
mod parts;
mod pattern;
mod query;
mod same;
mod walk;

pub(crate) use expr::*;
pub(crate) use pattern::*;
pub(crate) use query::*;
pub(crate) use walk::{
    contains_aggregate, each_aggregate, implicit_keys, is_aggregate, misplaced_aggregate,
    needs_operators,
};
