//! Functions that ask for the types of their arguments at run time, for languages without static types.
//!
//! Where types are known, the functions and expressions of one type do the same at less cost.

#[macro_use]
pub(super) mod convert;
#[macro_use]
pub(super) mod operators;
#[macro_use]
pub(super) mod parts;
#[macro_use]
pub(super) mod value_type;

pub(super) mod temporal;
