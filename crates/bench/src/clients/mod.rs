//! Clients as small as can be: HTTP, Bolt and gRPC, with one request under way on each connection.
//!
//! They know a protocol and a socket; graphs, rows and servers' processes never enter here.

pub(crate) mod bolt;
pub(crate) mod closed_loop;
pub(crate) mod grpc;
pub(crate) mod http;
