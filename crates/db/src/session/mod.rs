//! Requests in transactions: each by itself, in sessions, in explicit and composed transactions.
//!
//! ```text
//!   Request ──statements (cached)──> script ──evaluate──> bind, prepare, run in Execution ──> Results
//!                                                │                          │
//!                                          variables                  transactions, one a graph
//! ```
//!
//! Without a session a request is one transaction, run again after a write conflict. Its results leave before
//! the end only if it wrote nothing; otherwise they leave once its commit is visible. A request that commits by
//! itself never runs again, and goes on when its commit is visible.
//!
//! A session keeps variables and transactions between requests and runs one request at a time. After a failed
//! request its transaction can only be rolled back: the request may have done half of its work, and until the
//! rollback everything else is refused, so that no client commits the half without knowing.
//!
//! What runs in a language belongs here if several statements, graphs or requests meet in it; one statement is one of
//! `statements`, one transaction of one graph one of `transaction`. Names of languages and protocols never enter.

mod answer_room;
mod attempt;
mod autocommit;
mod client_session;
mod composed;
mod emit;
mod evaluate;
mod explicit;
mod front_door;
mod graphs;
mod stream;
mod transactions;

// A client of sessions makes requests, too.
pub use crate::request::{
    Caller, CancelFlag, GraphNames, Request, RequestLimits, Source, Statements,
};
pub use crate::transaction::attempt;
pub use client_session::{Session, SessionMode};
pub use composed::ComposedTransaction;
pub use explicit::{ExplicitTransaction, Ran, ResultNumber};
pub use stream::{ResultStream, Started};
