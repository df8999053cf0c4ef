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

pub mod csv;
mod elements;
pub mod error;
pub mod export;
pub mod generate;
mod graph;
mod graphml;
mod graphson;
pub mod limits;
pub mod load;
mod memory;
pub mod nquads;
pub mod reading;
pub mod rejects;
pub mod source;
pub mod text;

mod pipeline;
mod unpack;
