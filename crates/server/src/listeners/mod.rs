//! Listeners, one file for each protocol.

pub(crate) mod http_graph;
