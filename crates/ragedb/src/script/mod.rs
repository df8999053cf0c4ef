//! The text of a script before it runs: where its answer is, whether Lua compiles it, and its deadline checks.
//!
//! A text goes in and a text, a compiled function or an error comes out. Sandboxes, functions and the
//! graph never enter here.

mod answer;
mod check;
mod deadline_checks;

pub use answer::SENT_TO_ALL;
pub(crate) use answer::{Script, compile_any, is_for_all};
pub use check::check;
pub(crate) use deadline_checks::{DeadlineChecks, Text};
