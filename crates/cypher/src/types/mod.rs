//! Types of values as Cypher has them: those that signatures are written with, those that are found for an expression,
//! and the symbols of a statement, each of which has one.
//!
//! Which type an expression has is found in `scope`, and no rule for it may enter here.

mod kind;
mod static_type;
mod symbols;

pub(crate) use kind::Kind;
pub(crate) use static_type::Type;
pub(crate) use symbols::Symbols;
