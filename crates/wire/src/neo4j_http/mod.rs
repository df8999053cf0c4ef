//! Neo4j's HTTP interface: bodies to requests, and results to JSON. The Query API (`query/v2`) and the older
//! interface of transactions (`tx`).
//!
//! ```text
//!   method, path, headers, body ──parse──> Request   (the server does it)
//!   JSON, Jolt <──reply── QueryReply, TransactionReply <──form── rows of values with their detached elements
//! ```
//!
//! No socket is here, and nothing runs a query. Errors have the codes of Bolt, from its table
//! ([`crate::bolt::errors`]).
//!
//! `results` is below everything that reads a request, and `legacy`, the interface of versions 1 to 3, below the routes.

mod body;
mod dates;
mod discovery;
pub mod legacy;
mod parameter;
mod results;
mod routes;

pub use body::{Query, Statement, Transaction};
pub use dates::http_date;
pub use discovery::{Addresses, discovery};
pub use parameter::read as typed_parameters;
pub use results::{
    Contents, Form, JSON, Jolt, Plan, QueryReply, StatementReply, TYPED_JSON, TransactionForm,
    TransactionReply, accepted_types, error_reply, is_typed, query_counters, query_reply,
    statement_reply, transaction_counters, transaction_reply, typed_cell, write_row,
};
pub use routes::{Request, parse};
