//! The common parts of all protocols over HTTP: targets of requests, routes, responses, and the statuses of errors.
//!
//! No route of any protocol enters here: its table is its own.

mod captured;
pub(crate) mod pattern;
mod response;
mod routes;
pub mod status;
pub(crate) mod target;

pub(crate) use captured::Captured;
pub use response::Response;
pub use routes::{Method, Refusal};
pub(crate) use routes::{RouteTable, find};
