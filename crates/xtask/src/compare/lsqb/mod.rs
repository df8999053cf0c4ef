//! `cargo xtask compare --lsqb`: the nine counting queries of LDBC's subgraph benchmark, on Kuzu and Millrace in turn.
//!
//! ```text
//!   millrace generate social ──> databases: Kuzu, Millrace ──> table: counts, times ──> standard output
//! ```
//!
//! Both load the same files. A count that differs fails the command, after the whole table. Each query is asked once
//! before it is measured; Millrace is asked over HTTP, Kuzu in its process.

mod databases;
mod queries;
mod table;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::process;

use super::fetch::Setup;
use super::options::Options;
use super::peers::kuzu_worker;
use databases::{Kuzu, Millrace};
use queries::QUERIES;
use table::{Counter, Table};

/// The files, and the counts and times.
pub(super) fn run(setup: &Setup<'_>, options: &Options) -> Result<(), String> {
    let folder = setup.folder.join(format!("social-{}", options.scale));
    let mut generate = Command::new(setup.program);
    generate.args(["generate", "social", "--scale", &options.scale.to_string(), "--out"]);
    generate.arg(&folder);
    let listed = process::output(generate)?;
    let files: Vec<PathBuf> = listed.lines().map(PathBuf::from).collect();
    // Without Kuzu Millrace's own counts and times are shown.
    let mut kuzu = match kuzu_worker(setup) {
        Ok(worker) => {
            let opened = Kuzu::open(setup, worker, &folder);
            Some(opened.map_err(|reason| format!("kuzu: {reason}"))?)
        }
        Err(reason) => {
            eprintln!("kuzu is left out: {reason}");
            None
        }
    };
    let mut millrace =
        Millrace::open(setup, &files).map_err(|reason| format!("millrace: {reason}"))?;
    let mut table = Table::begin();
    for query in &QUERIES {
        let kuzu = kuzu.as_mut().map(|kuzu| kuzu as &mut dyn Counter);
        table.measure(query, &mut millrace, kuzu, options.runs);
    }
    table.end()
}

/// Removes the data of a run from the folder of a peer.
pub(super) fn clean(setup: &Setup<'_>) -> Result<(), String> {
    fs::remove_dir_all(setup.data_folder()).map_err(|error| format!("its data: {error}"))
}
