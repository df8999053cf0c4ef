//! Lua 5.4 scripts with RageDB's functions, run as plans.
//!
//! A script sees a graph only through the functions registered here; each makes a plan and runs it by
//! the [`millrace_plan::Runner`] of its transaction. This crate never commits and never touches a store:
//! the owner of the runner commits when the script ends.
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
mod csv;
mod deadline_checks;
mod files;
mod functions;
mod interpreter;
mod json;
pub mod limits;
mod output;
mod patterns;
mod plain_json;
pub mod plans;
mod results;
mod sandbox;
mod script;
mod session;
mod values;
mod vertex_cache;

pub use files::OpenFile;
pub use functions::reference::reference_page;
pub use interpreter::{Answer, Interpreter, ScriptError, ScriptLimits};
pub use json::{parse_properties, write_value};
pub use output::PrintLine;
pub use plans::{GLOBAL_KEY, OWN_KEY};
pub use sandbox::Access;
pub use script::SENT_TO_ALL;
