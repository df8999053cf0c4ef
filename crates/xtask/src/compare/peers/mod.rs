//! The databases that are compared: how each is fetched, started, filled and asked.
//!
//! Each is set up as its own documentation says, with the schema and the index that the work needs; only addresses,
//! folders, limits that would refuse the work and the heap of a JVM are set.

mod cassandra;
mod gremlin;
mod gremlin_server;
mod janusgraph;
mod kuzu;
mod millrace;
mod neo4j;

use super::fetch::Setup;
use super::likes::{Counted, Likes};
use super::written::Written;

pub(super) use kuzu::worker as kuzu_worker;
pub(super) use millrace::open as millrace;
pub(super) use neo4j::{
    serve as serve_neo4j, serve_empty as serve_empty_neo4j, serve_imported as serve_imported_neo4j,
};

/// The heap of each server in a JVM. A server as shipped takes between 512 MiB and a quarter of the memory.
const HEAP: &str = "-Xmx3g";

/// A database at work.
pub(super) trait Peer {
    /// Loads one more copy of the graph from its files, checks that it is whole, and gives the seconds.
    fn load(&mut self, likes: &Likes) -> Result<f64, String>;

    /// Serves the first copy.
    fn start(&mut self) -> Result<(), String>;

    /// The recommendation for a person of the first copy.
    fn recommend(&mut self, person: &str) -> Result<Vec<Counted>, String>;

    /// Adds so many vertices with each request, for so many seconds.
    fn write(&mut self, vertices: u64, seconds: f64) -> Result<Written, String>;

    /// How many vertices `write` has added.
    fn count(&mut self) -> Result<u64, String>;
}

type Open = fn(&Setup<'_>) -> Result<Box<dyn Peer>, String>;

/// A peer, for the page.
pub(super) struct Description {
    /// For `--only`.
    pub(super) name: &'static str,
    /// Product and version.
    pub(super) product: &'static str,
    /// The writes that survive power loss, as it is set up here.
    pub(super) durable: &'static str,
    /// How it is asked.
    pub(super) asked: &'static str,
    /// How CSV gets in.
    pub(super) loaded: &'static str,
    /// Brings it here, unless it is here. A failure leaves the peer out.
    pub(super) fetch: fn(&Setup<'_>) -> Result<(), String>,
    pub(super) open: Open,
}

/// In the order of the page.
pub(super) static ALL: [Description; 6] = [
    gremlin_server::PEER,
    janusgraph::IN_MEMORY,
    janusgraph::BERKELEY,
    janusgraph::CQL,
    neo4j::PEER,
    kuzu::PEER,
];

/// Millrace itself, for the page.
pub(super) static MILLRACE: Description = millrace::PEER;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peer_has_all_its_texts() {
        for peer in ALL.iter().chain([&MILLRACE]) {
            let texts = [peer.name, peer.product, peer.durable, peer.asked, peer.loaded];
            assert!(texts.iter().all(|text| !text.is_empty() && !text.contains('|')), "{texts:?}");
        }
    }
}
