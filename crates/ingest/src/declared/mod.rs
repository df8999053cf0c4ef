//! Predicates with declared types, as a schema of DQL has them, and what a text becomes under one. How the text of a
//! schema is read is not known here: `db` makes these of it.

mod datetime;
mod judged;
mod schema;
mod values;

pub(crate) use judged::Judged;
pub use schema::{DeclaredKind, DeclaredPredicate, DeclaredSchema, EXTERNAL_NAME};
pub(crate) use values::{judge_language, judge_object, value_of};
