//! Clients as small as can be: HTTP and Bolt, with one request under way.
//!
//! They know a protocol and a socket; graphs, rows and servers' processes never enter here.

pub(crate) mod bolt;
pub(crate) mod http;
