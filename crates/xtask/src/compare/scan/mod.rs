//! `cargo xtask compare --scan`: filters, folds and groups over properties, on Neo4j, Kuzu and Millrace in turn.
//!
//! ```text
//!   millrace generate people, likes ──> databases ──> table: answers, times ──> standard output, --json FILE
//! ```
//!
//! All load the same files. The servers are asked over Bolt by Neo4j's driver for Python, Kuzu is in a program of Python; a
//! time ends with the last record. Answers that differ fail the command, after the whole table.

mod answers;
mod databases;
mod queries;
mod table;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::process;

use super::fetch::Setup;
use super::options::Options;
use databases::{Asked, Database, Graph};
use table::{Column, Table};

const PEOPLE: Graph = Graph {
    name: "people",
    nodes: &["people.csv"],
    relationships: &["knows.csv"],
    indexes: &[
        "CREATE CONSTRAINT IF NOT EXISTS FOR (p:Person) REQUIRE p.uid IS UNIQUE",
        "CREATE RANGE INDEX IF NOT EXISTS FOR (p:Person) ON (p.age)",
    ],
    tables: &[
        (
            "NODE TABLE Person(uid INT64 PRIMARY KEY, name STRING, age INT64, city STRING, \
             score DOUBLE, email STRING, bio STRING, joined INT64, label STRING)",
            "people.csv",
        ),
        (
            "REL TABLE KNOWS(FROM Person TO Person, type STRING, since INT64, w DOUBLE, year INT64)",
            "knows.csv",
        ),
    ],
};

const LIKES: Graph = Graph {
    name: "likes",
    nodes: &["people.csv", "items.csv"],
    relationships: &["likes.csv"],
    indexes: &[],
    tables: &[
        ("NODE TABLE Person(username STRING PRIMARY KEY, label STRING)", "people.csv"),
        ("NODE TABLE Item(name STRING PRIMARY KEY, label STRING)", "items.csv"),
        ("REL TABLE LIKES(FROM Person TO Item, type STRING, weight DOUBLE)", "likes.csv"),
    ],
};

/// The answers and times.
pub(super) fn run(setup: &Setup<'_>, options: &Options) -> Result<(), String> {
    let mut table = Table::begin();
    for (graph, queries) in [(&PEOPLE, queries::PEOPLE), (&LIKES, queries::LIKES)] {
        let files = generate(setup, options, graph)?;
        let mut millrace = Database::millrace(setup, graph, &files)
            .map_err(|reason| format!("Millrace: {reason}"))?;
        // Without the others Millrace's own answers and times are shown.
        let mut neo4j = or_left_out("Neo4j", Database::neo4j(setup, graph, &files));
        let mut kuzu = or_left_out("Kuzu", Database::kuzu(setup, graph, &files));
        for query in queries {
            let mut columns = [
                Column { name: "Neo4j", asked: neo4j.as_mut().map(|own| own as &mut dyn Asked) },
                Column { name: "Kuzu", asked: kuzu.as_mut().map(|own| own as &mut dyn Asked) },
                Column { name: "Millrace", asked: Some(&mut millrace) },
            ];
            table.measure(query, &mut columns, options.runs);
        }
    }
    if let Some(file) = &options.json {
        fs::write(file, table.json(options))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    table.end()
}

fn or_left_out(name: &str, opened: Result<Database, String>) -> Option<Database> {
    opened.map_err(|reason| eprintln!("{name} is left out: {reason}")).ok()
}

/// The folder of a graph's files.
fn generate(setup: &Setup<'_>, options: &Options, graph: &Graph) -> Result<PathBuf, String> {
    let folder = setup.folder.join(format!("{}-{}-scan", graph.name, options.scale));
    let mut generate = Command::new(setup.program);
    generate.args(["generate", graph.name, "--scale", &options.scale.to_string(), "--out"]);
    generate.arg(&folder);
    process::output(generate)?;
    Ok(folder)
}

/// Removes the data of a run from the folder of a peer.
pub(super) fn clean(setup: &Setup<'_>) -> Result<(), String> {
    fs::remove_dir_all(setup.data_folder()).map_err(|error| format!("its data: {error}"))
}
