//! A server of a folder, in a process of its own, as clients meet it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use millrace_db::Database;
use millrace_model::{Error, ErrorKind, Result};
use millrace_queue::Queues;
use millrace_server::Server;
use serde::{Deserialize, Serialize};

use super::graph::without_checkpoints;
use super::measurement::{Conditions, settings};
use crate::clients::http::Connection;
use crate::jobs::{Job, Program, Worker};
use crate::process::processor_seconds_in;

/// How long a script may take.
const DEADLINE_MS: u64 = 900_000;

/// A folder to be served until the process is killed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Serve {
    pub(crate) folder: PathBuf,
    /// Whether changes may be merged meanwhile.
    pub(crate) checkpoints: bool,
    /// The server's memory limit in bytes, if not the default.
    pub(crate) memory_max: Option<u64>,
    /// Settings of queues that it consumes: `queue.NAME.KEY` and value.
    pub(crate) queues: Vec<(String, String)>,
}

/// It answers, once it listens, with its addresses.
impl Job for Serve {
    const NAME: &'static str = "Serve";
}

/// Where a server listens.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Addresses {
    lua: SocketAddr,
    gremlin: SocketAddr,
    bolt: SocketAddr,
    neo4j_http: SocketAddr,
    dql: SocketAddr,
    dql_grpc: SocketAddr,
}

impl Serve {
    /// Serves; says where, once it listens.
    pub(crate) fn run(self, listening: &mut dyn FnMut(Addresses) -> Result<()>) -> Result<()> {
        let mut settings = if self.checkpoints { settings() } else { without_checkpoints() };
        for protocol in ["lua", "gremlin", "bolt", "neo4j-http", "dql", "dql-grpc"] {
            settings.listen.set(protocol, "127.0.0.1:0");
        }
        settings.listen.set("admin", "off");
        settings.memory.max = self.memory_max.unwrap_or(settings.memory.max);
        settings.queues = self.queues;
        settings.scripts.deadline_ms = DEADLINE_MS;
        settings.scripts.admin_deadline_ms = DEADLINE_MS;
        let database = Arc::new(Database::open(&self.folder, settings)?);
        let failed = |error: millrace_server::StartError| {
            Error::new(ErrorKind::Unavailable, error.to_string())
        };
        let started = Server::start_obeying_signals(Arc::clone(&database));
        let (server, signals) = started.map_err(failed)?;
        let address = |protocol| {
            let address = server.address(protocol);
            address.ok_or_else(|| Error::new(ErrorKind::Bug, "it does not listen"))
        };
        let queues = Queues::start(&database)?;
        listening(Addresses {
            lua: address("lua")?,
            gremlin: address("gremlin")?,
            bolt: address("bolt")?,
            neo4j_http: address("neo4j-http")?,
            dql: address("dql")?,
            dql_grpc: address("dql-grpc")?,
        })?;
        server.wait(signals);
        queues.stop(Duration::from_millis(database.settings().http.drain_ms));
        server.stop();
        Ok(())
    }
}

/// A server that runs; killed when dropped.
pub(crate) struct Served {
    addresses: Addresses,
    process: Worker,
}

impl Served {
    /// Serves a folder.
    pub(super) fn start(conditions: &Conditions, folder: PathBuf) -> Result<Served> {
        Served::of(
            &conditions.program,
            &Serve { folder, checkpoints: true, memory_max: None, queues: Vec::new() },
        )
    }

    /// The same, its changes kept as they are found.
    pub(super) fn unmerged(conditions: &Conditions, folder: PathBuf) -> Result<Served> {
        Served::of(
            &conditions.program,
            &Serve { folder, checkpoints: false, memory_max: None, queues: Vec::new() },
        )
    }

    /// The same, as it is described.
    pub(crate) fn of(program: &Program, serve: &Serve) -> Result<Served> {
        let mut process = Worker::start(program, serve)?;
        let addresses = process.answer()?;
        Ok(Served { addresses, process })
    }

    /// Where it listens for Lua.
    pub(super) fn lua(&self) -> SocketAddr {
        self.addresses.lua
    }

    /// Where it listens for Gremlin.
    pub(super) fn gremlin(&self) -> SocketAddr {
        self.addresses.gremlin
    }

    /// Where it listens for Bolt.
    pub(super) fn bolt(&self) -> SocketAddr {
        self.addresses.bolt
    }

    /// Where it listens for Neo4j's HTTP interface.
    pub(crate) fn neo4j_http(&self) -> SocketAddr {
        self.addresses.neo4j_http
    }

    /// Where it listens for Dgraph's HTTP interface.
    pub(crate) fn dql(&self) -> SocketAddr {
        self.addresses.dql
    }

    /// Where it listens for Dgraph's gRPC.
    pub(crate) fn dql_grpc(&self) -> SocketAddr {
        self.addresses.dql_grpc
    }

    /// The number of its process.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Seconds of processor time that its process has used.
    pub(super) fn processor_seconds(&self) -> Option<f64> {
        let stat = format!("/proc/{}/stat", self.process_id());
        processor_seconds_in(Path::new(&stat))
    }

    /// A connection to it.
    pub(super) fn connect(&self) -> Result<Connection> {
        Connection::open(self.addresses.lua)
    }

    /// A connection to where it listens for Gremlin.
    pub(super) fn connect_gremlin(&self) -> Result<Connection> {
        Connection::open(self.addresses.gremlin)
    }
}
