//! The interface of administration: routes to messages. What a message *does* is the server's.
//!
//! Bodies that are files (loads) are *not* part of a message; queries and changes of the schema are. Errors are
//! objects: `{"error": {"kind", "message", "help", "offset", "line", "column"}}`.
//!
//! RageDB's interface has these routes, too, under its own paths, and is above. No route of a language enters here.

mod load;
mod message;
pub mod ndjson;
mod query;
mod routes;
mod schema;

pub use load::{BodyFile, CsvWords, LoadBatches, PlainWords, StartLoad};
pub use message::{Isolation, Request, error_response};
pub use query::{CheckRequest, QueryRequest};
pub(crate) use routes::backup;
pub use routes::{ROUTES, Route, parse};
pub use schema::{SchemaChange, SchemaOwner};
