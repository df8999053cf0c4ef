//! Protocol codecs: bytes in, messages out, and back; no sockets, no languages.
//!
//! A codec is a pure function of its bytes, so a transcript is a test and a fuzzer needs no network. No
//! codec decides the effect of a message; a script is text, a node is a name.
//!
//! ```text
//!   method, path, query, body ──ragedb::parse──> Request ──(server asks db)──> Value
//!                             <─────bytes─────────── Response <──────────────────────┘
//! ```
//!
//! The modules, and a module imports from those below it only: the list is in `crates/xtask/arrows.toml`, and
//! `cargo xtask tidy` checks it.
//!
//! ```text
//!   reference           the page of all routes
//!   ragedb              RageDB's interface, with the routes of admin
//!   admin               administration; rows as gremlin's JSON without types, parameters as neo4j_http's with types
//!   neo4j_http          Neo4j's HTTP interface; errors and plans of bolt
//!   bolt, gremlin       protocols with messages of their own
//!   dql                 Dgraph's HTTP and gRPC
//!   http                what protocols over HTTP share
//!   json, base64, known_keys, prometheus, limits
//! ```

pub mod admin;
pub mod base64;
pub mod bolt;
pub mod dql;
pub mod gremlin;
pub mod http;
pub mod json;
mod known_keys;
pub mod limits;
pub mod neo4j_http;
pub mod prometheus;
pub mod ragedb;
pub mod reference;

pub use known_keys::KnownKeys;
