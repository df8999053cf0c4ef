//! `cargo xtask compare`: other graph databases and Millrace, the same work on each in turn.
//!
//! ```text
//!   fetch (Maven, pip) ──> peers/NAME ──┐            ┌──> page: docs/benchmarks.md
//!   millrace generate ──> likes ────────┼──> measure ┤
//!   release build ──> peers/millrace ───┘            └──> standard error: each figure as it comes
//! ```
//!
//! `--lsqb` compares the counting queries of LDBC's subgraph benchmark instead, `--paths` patterns of variable length,
//! `--scan` filters, folds and groups over properties, `--films` the queries of an article on Dgraph.
//!
//! A figure counts only if the work was done: only acknowledged vertices are counted, and every answer
//! must be the one that plain loops over the same files give. A peer that cannot be fetched or started
//! is left out by name; a peer that answers wrongly fails the command.

mod clients;
mod fetch;
mod films;
mod http;
mod likes;
mod lsqb;
mod machine;
mod measure;
mod options;
mod page;
mod paths;
mod peers;
mod scan;
mod server;
mod worker;
mod written;

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::arguments::Arguments;
use crate::process;
use crate::workspace::Workspace;

use fetch::Setup;
use likes::Likes;
use measure::Figures;
use options::Options;
use peers::Description;

/// Where peers, their data and the generated files lie, from the root of the workspace.
const FOLDER: &str = "target/compare";

/// The outcome of a peer.
struct Outcome {
    peer: &'static Description,
    /// Otherwise why it was not measured.
    measured: Result<Figures, Missing>,
}

/// Why there are no figures of a peer.
struct Missing {
    reason: String,
    /// It was there and did not do the work, which fails the command.
    is_failure: bool,
}

/// `cargo xtask compare`.
pub(crate) fn run(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let options = Options::take(&mut arguments)?;
    arguments.finish()?;
    if cfg!(debug_assertions) && options.program.is_none() {
        return run_in_release(workspace);
    }
    let folder = workspace.root().join(FOLDER);
    make_folder(&folder)?;
    let program = match &options.program {
        Some(program) => program.clone(),
        None => build(workspace)?,
    };
    if options.lsqb {
        let setup = Setup { workspace, folder: &folder, program: &program, name: "kuzu" };
        lsqb::run(&setup, &options)?;
        return lsqb::clean(&setup);
    }
    if options.paths {
        let setup = Setup { workspace, folder: &folder, program: &program, name: "neo4j" };
        paths::run(&setup, &options)?;
        return paths::clean(&setup);
    }
    if options.scan {
        let setup = Setup { workspace, folder: &folder, program: &program, name: "scan" };
        scan::run(&setup, &options)?;
        return scan::clean(&setup);
    }
    if options.films {
        let setup = Setup { workspace, folder: &folder, program: &program, name: "films" };
        films::run(&setup, &options)?;
        return films::clean(&setup);
    }
    let likes = Likes::generate(workspace, &program, &folder, options.scale)?;
    let machine = machine::Machine::here(&folder)?;
    let outcomes: Vec<Outcome> = options
        .peers
        .iter()
        .map(|peer| {
            eprintln!("{}", peer.name);
            let setup = Setup { workspace, folder: &folder, program: &program, name: peer.name };
            let measured = measure_one(peer, &setup, &likes, &options);
            if let Err(missing) = &measured {
                eprintln!("  not measured: {}", missing.reason);
            }
            Outcome { peer, measured }
        })
        .collect();
    let revision = revision(workspace);
    let text = page::text(&page::Content {
        options: &options,
        machine,
        likes,
        outcomes: &outcomes,
        revision,
    });
    let out = workspace.root().join(&options.out);
    fs::write(&out, text).map_err(|error| format!("{}: {error}", out.display()))?;
    eprintln!("written: {}", out.display());
    let failed = outcomes.iter().filter_map(|outcome| {
        let missing = outcome.measured.as_ref().err().filter(|missing| missing.is_failure)?;
        Some(format!("{}: {}", outcome.peer.name, missing.reason))
    });
    let failed: Vec<String> = failed.collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// The port of Neo4j's HTTP interface.
const NEO4J_PORT: u64 = 7474;

/// `cargo xtask neo4j`: an empty Neo4j, for `millrace bench scaling-writes --url`.
pub(crate) fn neo4j(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let port = arguments.take_number("--port")?.unwrap_or(NEO4J_PORT);
    arguments.finish()?;
    let port = u16::try_from(port).map_err(|_| format!("--port {port}: there are 65,535"))?;
    let folder = workspace.root().join(FOLDER);
    make_folder(&folder)?;
    // A database that is no peer of a comparison needs no Millrace beside it.
    let setup = Setup { workspace, folder: &folder, program: Path::new(""), name: "neo4j-alone" };
    peers::serve_neo4j(&setup, port)
}

fn measure_one(
    peer: &Description,
    setup: &Setup<'_>,
    likes: &Likes,
    options: &Options,
) -> Result<Figures, Missing> {
    let missing = |is_failure| move |reason| Missing { reason, is_failure };
    (peer.fetch)(setup).map_err(missing(false))?;
    let other = (peer.open)(setup).map_err(missing(true))?;
    let millrace = peers::millrace(setup).map_err(missing(true))?;
    let mut pair = [other, millrace];
    let figures = measure::in_turn(&mut pair, likes, options).map_err(missing(true))?;
    drop(pair);
    // After a failure the data stays, with its logs.
    fs::remove_dir_all(setup.data_folder())
        .map_err(|error| missing(true)(format!("its data: {error}")))?;
    Ok(figures)
}

/// Clients are part of the measurement, so they are built as Millrace is.
fn run_in_release(workspace: &Workspace) -> Result<(), String> {
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--release", "--quiet", "--package", "millrace-xtask", "--"]);
    cargo.args(env::args_os().skip(1));
    process::run(cargo)
}

/// The program as it is given away but for its symbols.
fn build(workspace: &Workspace) -> Result<PathBuf, String> {
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--release", "--package", "millrace-cli"]);
    process::run(cargo)?;
    Ok(workspace.target().join("release").join(format!("millrace{}", env::consts::EXE_SUFFIX)))
}

/// The commit that was measured, if git knows it.
fn revision(workspace: &Workspace) -> Option<String> {
    let mut git = workspace.command("git");
    git.args(["rev-parse", "--short", "HEAD"]);
    process::output(git).ok().map(|text| text.trim().to_owned())
}

fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// A folder with nothing in it.
fn empty_folder(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    make_folder(folder)
}
