//! Lua 5.4 scripts with RageDB's functions, run as plans: the interface for scripts.
//!
//! ```text
//!   text ─script─> chunk ─interpreter─> Lua state (one of three sandboxes)
//!                                         │ function call
//!                            functions ── arguments ──> plans ──> Runner ──> batch
//!                                         │
//!                            results (userdata over columns) ──json──> text
//! ```
//!
//! The interpreter drives all modules below; what one of them could do by itself never enters here.

mod complete;
mod interpreter;
mod reference;

pub use crate::access::Access;
pub use crate::error::ScriptError;
pub use crate::host::{OpenFile, PrintLine};
pub use crate::script::{SENT_TO_ALL, check};
pub use crate::session::ScriptLimits;
pub use complete::complete;
pub use interpreter::{Answer, Interpreter};
pub use reference::reference_page;
