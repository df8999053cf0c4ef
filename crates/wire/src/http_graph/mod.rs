//! RageDB's HTTP interface, and Millrace's own routes beside it: requests to messages, values to
//! responses.
//!
//! [`parse`] reads one request by the table of [`ROUTES`]; [`Response`] holds what goes back; [`status`]
//! is the one table from error kinds to HTTP. A body that is a script or a file is *not* part of a
//! message; [`Request::Script`] and [`Request::StartLoad`] say what the bytes are, and the server hands
//! them on.

mod message;
mod parse;
mod path;
mod response;
mod routes;
pub mod status;
mod take;

pub use message::{
    BodyFile, CsvWords, Element, GraphChange, IndexChange, LoadBatches, Method, NodeName,
    Operation, Owner, Page, PropertiesChange, Request, SchemaRequest, ScriptAccess, Target, Way,
};
pub use parse::{Refusal, parse};
pub(crate) use path::query_pairs;
pub use response::{Response, SCRIPT_ERROR_PREFIX, kind_word};
pub use routes::{ROUTES, Route, reference_page};
