//! Results: the rows of a statement in every form of JSON, and the bodies of answers around them.
//!
//! ```text
//!   rows   row by row, in one of the forms:
//!            plain, typed     the Query API
//!            transaction_rows, represent     transactions: values; addresses of everything about an element
//!            jolt             lines
//!   reply  bodies of answers, by the form that a client accepts
//! ```
//!
//! Requests and routes, of this interface and of the older one, are above.

mod accept;
mod element;
mod form;
mod jolt;
mod kind;
mod plain;
mod plan;
mod reply;
mod represent;
mod rows;
mod transaction_rows;
mod typed;

pub use accept::{JSON, TYPED_JSON, TransactionForm, accepted_types, is_typed};
pub use form::{Contents, Form};
pub use jolt::Jolt;
pub(super) use kind::write_list;
pub use plan::Plan;
pub use reply::{
    QueryReply, StatementReply, TransactionReply, error_reply, query_counters, query_reply,
    statement_reply, transaction_counters, transaction_reply,
};
pub use represent::BASE_PATH;
pub(super) use represent::{
    ElementKind, Head, address, write, write_map, write_node, write_relationship, write_texts,
};
pub use rows::write_row;
pub use typed::cell as typed_cell;
