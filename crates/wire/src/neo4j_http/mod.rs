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

mod accept;
mod body;
mod dates;
mod discovery;
mod element;
mod form;
mod jolt;
mod kind;
pub mod legacy;
mod parameter;
mod plain;
mod plan;
mod reply;
mod routes;
mod rows;
mod transaction_rows;
mod typed;

pub use accept::{TransactionForm, accepted_types};
pub use body::{Query, Statement, Transaction};
pub use dates::http_date;
pub use discovery::{Addresses, discovery};
pub use form::{Contents, Form};
pub use jolt::Jolt;
pub use parameter::read as typed_parameters;
pub use plan::Plan;
pub use reply::{
    QueryReply, StatementReply, TransactionReply, error_reply, query_counters, query_reply,
    statement_reply, transaction_counters, transaction_reply,
};
pub use routes::{JSON, Request, TYPED_JSON, is_typed, parse};
pub use rows::write_row;
pub use typed::cell as typed_cell;
