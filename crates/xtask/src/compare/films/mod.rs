//! `cargo xtask compare --films`: the films of actors and the genres of directors, asked of Dgraph and Millrace in turn.
//!
//! ```text
//!   millrace generate films ──> bulk loads ──> servers <── millrace bench films ──> JSON ──> table
//! ```
//!
//! Both have the same films with the same uids, and one client, which compares the answers of both with the films before it
//! measures, over HTTP and over gRPC: Dgraph ends a connection over HTTP behind each answer, and not one of gRPC. Dgraph is built from its Go module; without a Go that is new enough it is left out by name.

mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::components::dgraph::{self, Dgraph};
use crate::process;

use super::fetch::Setup;
use super::options::Options;
use super::server::{Server, free_port};

/// The port of Dgraph's HTTP interface; its others move with it.
const DGRAPH_PORT: u64 = 18_180;

/// Connections of the client, as the article has them or fewer.
const CONNECTIONS: &str = "1,50,200";

/// The graph of DQL.
const GRAPH: &str = "dql";

/// The figures.
pub(super) fn run(setup: &Setup<'_>, options: &Options) -> Result<(), String> {
    let films = generate(setup, options)?;
    let millrace =
        Millrace::start(setup, &films).map_err(|reason| format!("Millrace: {reason}"))?;
    let peer = match Peer::start(setup, &films) {
        Ok(peer) => Some(peer),
        Err(Missing { reason, is_failure: true }) => return Err(format!("Dgraph: {reason}")),
        Err(Missing { reason, is_failure: false }) => {
            eprintln!("Dgraph is left out: {reason}");
            None
        }
    };
    let json = setup.data_folder().join("films.json");
    let mut bench = Command::new(setup.program);
    bench.args(["bench", "films", "--ids"]).arg(&films).arg("--json").arg(&json);
    for (own, url_of_peer) in millrace.urls.iter().zip([Dgraph::http, Dgraph::grpc]) {
        bench.arg("--url").arg(own);
        if let Some(peer) = &peer {
            bench.arg("--url").arg(url_of_peer(&peer.dgraph));
        }
    }
    bench.args(["--connections", CONNECTIONS, "--endpoints", "1"]);
    bench.args(["--runs", &options.runs.to_string(), "--seconds", &options.seconds.to_string()]);
    // Its own table goes where progress goes: the one of this command is for the page.
    bench.stdout(std::io::stderr());
    process::run(bench)?;
    let text = fs::read_to_string(&json).map_err(|error| format!("{}: {error}", json.display()))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    print!("{}", table::text(&report));
    if let Some(file) = &options.json {
        fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

/// The folder of the films. Nodes have uids, so that both databases give them the same.
fn generate(setup: &Setup<'_>, options: &Options) -> Result<PathBuf, String> {
    let folder = setup.folder.join(format!("films-{}", options.scale));
    let mut generate = Command::new(setup.program);
    generate.args(["generate", "films", "--as-published", &options.scale.to_string()]);
    generate.args(["--predicates", "freebase", "--uids", "--xids", "--out"]).arg(&folder);
    process::output(generate)?;
    Ok(folder)
}

/// Millrace with the films.
struct Millrace {
    /// Over HTTP and over gRPC.
    urls: [String; 2],
    _server: Server,
}

impl Millrace {
    fn start(setup: &Setup<'_>, films: &Path) -> Result<Millrace, String> {
        let folder = setup.data("millrace")?;
        let data = folder.join("data");
        let mut load = Command::new(setup.program);
        load.args(["load", "--graph", GRAPH, "--data"]).arg(&data);
        load.arg("--schema").arg(films.join("films.schema")).arg(films.join("films.rdf.gz"));
        process::output(load)?;
        let (port, grpc_port) = (free_port()?, free_port()?);
        let mut serve = Command::new(setup.program);
        serve.arg("serve").arg("--data").arg(&data);
        serve.args(["--listen", &format!("dql=127.0.0.1:{port}")]);
        serve.args(["--listen", &format!("dql-grpc=127.0.0.1:{grpc_port}")]);
        serve.args(["--listen", "admin=off"]);
        let mut server = Server::start(serve, &folder.join("log"))?;
        let urls = [format!("http://127.0.0.1:{port}"), format!("grpc://127.0.0.1:{grpc_port}")];
        let health = format!("{}/health", urls[0]);
        server.wait_until(|| ureq::get(&health).call().map_err(|error| error.to_string()))?;
        Ok(Millrace { urls, _server: server })
    }
}

/// Dgraph with the films; ended when dropped.
struct Peer {
    dgraph: Dgraph,
}

/// Why it is not there.
struct Missing {
    reason: String,
    /// It was there, and did not start.
    is_failure: bool,
}

impl Peer {
    fn start(setup: &Setup<'_>, films: &Path) -> Result<Peer, Missing> {
        let missing = |is_failure| move |reason| Missing { reason, is_failure };
        dgraph::require_go().map_err(missing(false))?;
        let home = setup.folder.join("dgraph");
        dgraph::build(&home).map_err(missing(false))?;
        let dgraph = Dgraph::new(&home, DGRAPH_PORT).map_err(missing(true))?;
        let peer = Peer { dgraph };
        peer.dgraph.wipe().map_err(missing(true))?;
        let (quads, schema) = (films.join("films.rdf.gz"), films.join("films.schema"));
        peer.dgraph.start_with(&quads, &schema).map_err(missing(true))?;
        Ok(peer)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Err(reason) = self.dgraph.wipe() {
            eprintln!("Dgraph does not end: {reason}");
        }
    }
}

/// Removes the data of a run.
pub(super) fn clean(setup: &Setup<'_>) -> Result<(), String> {
    fs::remove_dir_all(setup.data_folder()).map_err(|error| format!("its data: {error}"))
}
