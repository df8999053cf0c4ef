//! Listeners, one file for each protocol.

pub(crate) mod gremlin;
mod page;
pub(crate) mod ragedb;
