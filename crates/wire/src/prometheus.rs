//! The media type of `/metrics`; the text itself is written with `prometheus-client`, in the server.

/// The content type of the text format of Prometheus, version 0.0.4.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";
