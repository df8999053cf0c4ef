//! Millrace in a program: a property graph database without a server.
//!
//! ```
//! # fn main() -> millrace::Result<()> {
//! let database = millrace::in_memory()?;
//! let graph = database.graph("films")?;
//!
//! // Columns in: one transaction, durable when it returns.
//! graph.write(|writer| {
//!     let films = writer.vertices("film", &[("title", ["Alien", "Brazil"].into())])?;
//!     let people = writer.vertices("person", &[("name", ["Ridley", "Terry"].into())])?;
//!     writer.edges("directed", &people, &films, &[("year", [1979_i64, 1985].into())])?;
//!     Ok(())
//! })?;
//!
//! // Rows out, as they are made.
//! let text = "g.V().has('person', 'name', who).out('directed').values('title')";
//! let mut rows = graph.gremlin(text).bind("who", "Terry").rows()?;
//! let film = rows.next().expect("Terry directed one")?;
//! assert_eq!(film.value().as_str(), Some("Brazil"));
//!
//! // Or all of them, as columns.
//! let text = "g.V().hasLabel('film').order().by('title').project('title').by('title')";
//! let columns = graph.gremlin(text).columns()?;
//! assert_eq!(columns.names(), ["title"]);
//! assert_eq!(columns.len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! [`open`] opens a folder, which only one process may have open. Everything acknowledged is on disk. A
//! database is shared by threads through references; it is closed when it is dropped.
//!
//! The same engine runs as a server (`millrace serve`), so a folder may move between a program and a server.

mod database;
mod graph;
mod query;
mod rows;
mod writer;

pub use database::{Database, in_memory, open, open_with};
pub use graph::{Graph, LoadSummary};
pub use millrace_db::{GraphSize, Settings};
pub use millrace_model::detached::{DetachedEdge, DetachedProperty, DetachedVertex};
pub use millrace_model::{Column, Error, ErrorKind, Result, Value};
pub use query::Query;
pub use rows::{Columns, Row, Rows};
pub use writer::{Values, Vertices, Writer};
