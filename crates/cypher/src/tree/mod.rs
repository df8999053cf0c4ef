//! The syntax of a statement, with positions. Nothing here knows a text, a plan or the type of anything.
//!
//! The parser makes a tree without symbols; `scope` resolves each name of a variable to a [`Symbol`].
//!
//! - `expr`, `pattern`, `query`, `clause`, `command`: what there is. They are one module, since an expression may hold a
//!   query, and so clauses.
//! - `parts`, `walk`: visits of what is inside of an expression.

mod clause;
mod command;
mod expr;
mod parts;
mod pattern;
mod query;
mod walk;

pub(crate) use clause::*;
pub(crate) use command::*;
pub(crate) use expr::*;
pub(crate) use pattern::*;
pub(crate) use query::*;
