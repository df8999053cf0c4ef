//! Fuzz targets: every reader of bytes from a foreign source.
//!
//! ```text
//!   cargo xtask fuzz ── libFuzzer, guided by coverage ──┐
//!   cargo test       ── seeds, bent at random ──────────┴──> target: bytes in, no panic out
//! ```
//!
//! A target is a function of bytes that must return whatever they are, and may check more than that (a
//! second read gives the same). Under `cfg(fuzzing)` the store's checksum is always 0, since a fuzzer
//! would never guess one; so a target meets bytes that a checksum failed to keep out, and even these
//! must be an error and not a panic.
//!
//! A target may use the inputs of another format (`graphbinary`), those of the store a folder (`folder`), and those of DQL
//! a graph (`dql_graph`); no other names another. The list of modules is in `crates/xtask/arrows.toml`.

use std::fs;
use std::path::PathBuf;

pub mod analyzer;
pub mod bolt;
pub mod csv;
pub mod cypher_text;
pub mod dgraph_grpc;
mod dql_graph;
pub mod dql_mutation;
pub mod dql_schema;
pub mod dql_text;
mod folder;
pub mod fulltext_query;
pub mod geojson;
pub mod graphbinary;
pub mod graphson;
pub mod graphson_load;
pub mod gremlin_request;
pub mod gremlin_socket;
pub mod gremlin_text;
pub mod http;
pub mod index_options;
pub mod legacy;
pub mod lists;
pub mod log;
pub mod lua;
pub mod manifest;
pub mod neo4j_http;
pub mod nquads;
pub mod packstream;
pub mod queue_message;
pub mod segment;
pub mod vector_value;

/// A reader under test.
pub struct Target {
    /// Its name, as `cargo xtask fuzz --target` takes it.
    pub name: &'static str,
    /// Reads the bytes; a panic is a finding.
    pub run: fn(&[u8]),
    /// Sound inputs to start from.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All targets, by name. A new one is a module, a line here, a file in `targets/` and its `[[bin]]`.
pub const TARGETS: &[Target] = &[
    Target { name: "analyzer", run: analyzer::run, seeds: analyzer::seeds },
    Target { name: "bolt", run: bolt::run, seeds: bolt::seeds },
    Target { name: "csv", run: csv::run, seeds: csv::seeds },
    Target { name: "cypher-text", run: cypher_text::run, seeds: cypher_text::seeds },
    Target { name: "dgraph-grpc", run: dgraph_grpc::run, seeds: dgraph_grpc::seeds },
    Target { name: "dql-mutation", run: dql_mutation::run, seeds: dql_mutation::seeds },
    Target { name: "dql-schema", run: dql_schema::run, seeds: dql_schema::seeds },
    Target { name: "dql-text", run: dql_text::run, seeds: dql_text::seeds },
    Target { name: "fulltext-query", run: fulltext_query::run, seeds: fulltext_query::seeds },
    Target { name: "geojson", run: geojson::run, seeds: geojson::seeds },
    Target { name: "graphbinary", run: graphbinary::run, seeds: graphbinary::seeds },
    Target { name: "graphson", run: graphson::run, seeds: graphson::seeds },
    Target { name: "graphson-load", run: graphson_load::run, seeds: graphson_load::seeds },
    Target { name: "gremlin-request", run: gremlin_request::run, seeds: gremlin_request::seeds },
    Target { name: "gremlin-socket", run: gremlin_socket::run, seeds: gremlin_socket::seeds },
    Target { name: "gremlin-text", run: gremlin_text::run, seeds: gremlin_text::seeds },
    Target { name: "http", run: http::run, seeds: http::seeds },
    Target { name: "index-options", run: index_options::run, seeds: index_options::seeds },
    Target { name: "legacy", run: legacy::run, seeds: legacy::seeds },
    Target { name: "lists", run: lists::run, seeds: lists::seeds },
    Target { name: "log", run: log::run, seeds: log::seeds },
    Target { name: "lua", run: lua::run, seeds: lua::seeds },
    Target { name: "manifest", run: manifest::run, seeds: manifest::seeds },
    Target { name: "neo4j-http", run: neo4j_http::run, seeds: neo4j_http::seeds },
    Target { name: "nquads", run: nquads::run, seeds: nquads::seeds },
    Target { name: "packstream", run: packstream::run, seeds: packstream::seeds },
    Target { name: "queue-message", run: queue_message::run, seeds: queue_message::seeds },
    Target { name: "segment", run: segment::run, seeds: segment::seeds },
    Target { name: "vector-value", run: vector_value::run, seeds: vector_value::seeds },
];

/// Where [`write_seeds`] puts them.
pub const SEEDS_VARIABLE: &str = "MILLRACE_FUZZ_SEEDS";

/// Writes the seeds of a target to the folder that the environment names: they must be made by a
/// program with the checksum of this one.
pub fn write_seeds(name: &str) {
    let Some(folder) = std::env::var_os(SEEDS_VARIABLE).map(PathBuf::from) else { return };
    let target = TARGETS.iter().find(|target| target.name == name).expect("it is in the list");
    for (number, seed) in (target.seeds)().into_iter().enumerate() {
        fs::write(folder.join(format!("seed-{number}")), seed).expect("the folder takes seeds");
    }
}

#[cfg(test)]
mod tests {
    use millrace_testkit::{Rng, run_seeds};

    use super::*;

    #[test]
    fn every_target_bears_its_seeds_and_their_mutations() {
        for target in TARGETS {
            let seeds = (target.seeds)();
            assert!(!seeds.is_empty(), "{} has no seed", target.name);
            seeds.iter().for_each(|seed| (target.run)(seed));
            run_seeds(60, |_, rng| (target.run)(&bent(rng, &seeds)));
        }
    }

    /// `cargo xtask fuzz` goes by the files, and finds a program by its name.
    #[test]
    fn every_target_has_its_file_and_its_program() {
        let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let files = fs::read_dir(here.join("targets")).expect("the folder is there");
        let mut names: Vec<String> = files
            .map(|file| file.expect("it is read").path())
            .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert!(names.iter().eq(TARGETS.iter().map(|target| target.name)), "{names:?}");
        let manifest = fs::read_to_string(here.join("Cargo.toml")).expect("it is there");
        for name in names {
            let program = format!("name = \"fuzz-{name}\"\npath = \"targets/{name}.rs\"\n");
            assert!(manifest.contains(&program), "{program}");
        }
    }

    /// A seed with a few bytes changed, cut, or doubled.
    fn bent(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = rng.pick(seeds).clone();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len() as u64 + 1) as usize;
            match rng.below(3) {
                0 => bytes.truncate(at),
                1 => {
                    let again = bytes[at..].to_vec();
                    bytes.extend_from_slice(&again[..again.len().min(64)]);
                }
                _ => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = rng.next_u64() as u8;
                    }
                }
            }
        }
        bytes
    }
}
