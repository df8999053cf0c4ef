//! Gremlin's protocol of 3.x: WebSocket frames and HTTP bodies to messages and back, in three formats.
pub mod datum;
pub mod graphbinary;
