//! The interface of administration: routes to messages. What a message *does* is the server's.
//!
//! Bodies that are files (loads) and bodies of queries are *not* part of a message; changes of the schema are.
//! Errors are objects: `{"error": {"kind", "message", "help", "line", "column"}}`.

mod load;
mod message;
mod page;
mod routes;
mod schema;

pub use load::{BodyFile, CsvWords, LoadBatches, StartLoad};
pub use message::{Isolation, Request, error_response};
pub use page::reference_page;
pub(crate) use routes::backup;
pub use routes::{ROUTES, Route, parse};
pub use schema::{SchemaChange, SchemaOwner};
