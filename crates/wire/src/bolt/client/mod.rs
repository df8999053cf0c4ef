//! The other half: a small client, for tests and tools.
//!
//! [`Half`] is pure: requests to bytes, bytes to replies. [`Connection`] speaks over anything that reads and writes,
//! and waits for each answer.

mod connection;
mod half;

pub use connection::{Answer, ClientError, ClientResult, Connection, Fields, LogIn};
pub use half::Half;
