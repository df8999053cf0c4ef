//! Protocol codecs: bytes in, messages out, and back; no sockets, no languages.
//!
//! A codec is a pure function of its bytes, so a transcript is a test and a fuzzer needs no network. No
//! codec decides the effect of a message; a script is text, a node is a name.
//!
//! ```text
//!   method, path, query, body ──ragedb::parse──> Request ──(server asks db)──> Value
//!                             <─────bytes─────────── Response <──────────────────────┘
//! ```

pub mod admin;
pub mod base64;
pub mod bolt;
pub mod gremlin;
pub mod http;
pub mod json;
mod known_keys;
pub mod limits;
pub mod neo4j_http;
pub mod prometheus;
pub mod ragedb;

pub use known_keys::KnownKeys;
