//! RageDB's interface on a graph: scripts of Lua on interpreters, and the element routes.
//!
//! `millrace_ragedb` makes the plans; this module has what needs a database: threads, transactions,
//! retries and files. The element routes need nothing of it but [`crate::Graph::read`] and
//! [`crate::Graph::write`]. Graphs by name, and Lua as a language of queries, are above.

mod interpreters;
mod script_limits;
mod scripts;

pub(crate) use interpreters::Interpreters;
pub use millrace_ragedb::lua::Access;
pub use millrace_ragedb::{elements, limits};
pub use scripts::{Script, ScriptFailure, ScriptResult};
