//! Listeners, one file for each protocol.

pub(crate) mod gremlin;
pub(crate) mod http_graph;
mod page;
