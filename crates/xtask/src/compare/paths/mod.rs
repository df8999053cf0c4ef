//! `cargo xtask compare --paths`: patterns of variable length, on Neo4j and Millrace in turn.
//!
//! ```text
//!   network ──> databases: the same statements make it in both ──> table: answers, times ──> standard output
//! ```
//!
//! Both are asked over Neo4j's HTTP interface. Answers that differ fail the command, after the whole table; of the first
//! paths of many, which any database may choose, only the number is compared.

mod databases;
mod network;
mod queries;
mod table;

use std::fs;

use super::fetch::Setup;
use super::options::Options;
use databases::Database;
use queries::QUERIES;
use table::Table;

/// The answers and times.
pub(super) fn run(setup: &Setup<'_>, options: &Options) -> Result<(), String> {
    let mut millrace = Database::millrace(setup).map_err(|reason| format!("Millrace: {reason}"))?;
    network::make(&mut millrace)?;
    // Without Neo4j Millrace's own answers and times are shown.
    let mut neo4j = match Database::neo4j(setup) {
        Ok(mut neo4j) => {
            network::make(&mut neo4j)?;
            Some(neo4j)
        }
        Err(reason) => {
            eprintln!("Neo4j is left out: {reason}");
            None
        }
    };
    let mut table = Table::begin();
    for query in &QUERIES {
        table.measure(query, &mut millrace, neo4j.as_mut(), options);
    }
    table.end()
}

/// Removes the data of a run from the folder of a peer.
pub(super) fn clean(setup: &Setup<'_>) -> Result<(), String> {
    fs::remove_dir_all(setup.data_folder()).map_err(|error| format!("its data: {error}"))
}
