//! RageDB's HTTP interface, and Millrace's own routes beside it: requests to messages, values to
//! responses.
//!
//! [`parse`] reads one request by the table of [`ROUTES`]. A body that is a script or a file is *not*
//! part of a message: [`Request::Script`] and a load describe it, and the server passes its bytes on.
//!
//! Lua belongs to its crate: a script is text here.

mod message;
mod parse;
mod routes;
mod script;
mod take;

pub use message::{
    Element, GraphChange, IndexChange, NodeName, Operation, Owner, Page, PropertiesChange, Request,
    SchemaRequest, ScriptAccess, Target, Way,
};
pub use parse::parse;
pub(crate) use routes::reference_part;
pub use routes::{ROUTES, Route};
pub use script::{SCRIPT_ERROR_PREFIX, empty_script, script_error};
