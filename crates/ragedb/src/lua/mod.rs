//! Lua 5.4 scripts with RageDB's functions, run as plans.
//!
//! ```text
//!   text ─script─> chunk ─interpreter─> Lua state (one of three sandboxes)
//!                                         │ function call
//!                            functions ── arguments ──> plans ──> Runner ──> batch
//!                                         │
//!                            results (userdata over columns) ──json──> text
//! ```

mod added;
mod arguments;
mod check;
mod complete;
mod csv;
mod deadline_checks;
mod files;
mod functions;
mod growth;
mod interpreter;
mod json;
mod output;
mod patterns;
mod plain_json;
mod results;
mod sandbox;
mod script;
mod session;
mod traversal;
mod values;
mod vertex_cache;

pub use check::check;
pub use complete::complete;
pub use files::OpenFile;
pub use functions::reference::reference_page;
pub use interpreter::{Answer, Interpreter, ScriptError, ScriptLimits};
pub use output::PrintLine;
pub use sandbox::Access;
pub use script::SENT_TO_ALL;
