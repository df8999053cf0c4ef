//! RageDB's HTTP interface, and Millrace's own routes beside it: requests to messages, values to
//! responses.
//!
//! [`parse`] reads one request by the table of [`ROUTES`]. A body that is a script or a file is *not* part
//! of a message: [`Request::Script`] and [`Request::StartLoad`] say what the bytes are, and the server
//! passes them on.

mod message;
mod parse;
mod pattern;
mod routes;
mod script;
mod take;

pub use message::{
    BodyFile, CsvWords, Element, GraphChange, IndexChange, LoadBatches, Method, NodeName,
    Operation, Owner, Page, PropertiesChange, Request, SchemaRequest, ScriptAccess, Target, Way,
};
pub use parse::{Refusal, parse};
pub use routes::{ROUTES, Route, reference_page};
pub use script::{SCRIPT_ERROR_PREFIX, empty_script, script_error};
