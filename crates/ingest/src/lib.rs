//! Files to graphs, and back ([`export`]): readers, the mapping of each format to vertices and edges, and the `load` driver.
//!
//! Data flows one way, and every arrow below is a bounded queue ([`limits`]):
//!
//! ```text
//! files ──one thread: gunzip, cut at line ends──> blocks ──workers: parse──> rows
//!                                                                             │ in file order
//!            store <──bulk load or write batches── graph in memory <──one consumer: names to ids
//! ```
//!
//! Nothing reaches the store before the last row was read and judged, so a killed or refused
//! offline load leaves the graph as it was.
//!
//! The modules have an order, and a module imports from those below it only (the list is in
//! `crates/xtask/arrows.toml`, and `cargo xtask tidy` checks it):
//!
//! ```text
//!   generate, export, rejects   files that are written: synthetic graphs, snapshots, bad rows
//!   reading      options and files ──> the input of a load
//!   load         the driver: one commit, or batches
//!   graphml, graphson, lists, csv, nquads    a format each: rows ──> vertices and edges
//!   elements     a graph in memory, of formats with elements
//!   progress     a load that runs: options, opened files, counters, batches, journal
//!   format       the formats by name, and by their first bytes
//!   graph, text  names to ids, columns, the sink; texts to values
//!   declared     predicates with declared types
//!   json_values  a file of JSON as values
//!   source       files ──> blocks ──> parsed blocks, in their order
//!   error, limits
//! ```

pub mod csv;
pub mod declared;
mod elements;
pub mod error;
pub mod export;
mod format;
pub mod generate;
mod graph;
mod graphml;
mod graphson;
mod json_values;
pub mod limits;
mod lists;
pub mod load;
pub mod nquads;
mod progress;
pub mod reading;
pub mod rejects;
pub mod source;
pub mod text;
