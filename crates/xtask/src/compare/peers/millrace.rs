//! Millrace itself, started as a user starts it, with its usual settings but for the ports.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::process;

use super::super::fetch::Setup;
use super::super::likes::{Counted, Likes};
use super::super::server::{Server, free_port};
use super::super::written::Written;
use super::gremlin::Gremlin;
use super::{Description, Peer};

pub(super) const PEER: Description = Description {
    name: "millrace",
    product: concat!("Millrace ", env!("CARGO_PKG_VERSION")),
    durable: "each commit; commits that wait at the same time share a sync",
    asked: "Gremlin, WebSocket (GraphBinary) and HTTP",
    loaded: "`millrace load` into a new folder",
    fetch: |_| Ok(()),
    open,
};

/// The graph that is loaded. Vertices are written to `g`, which the first request makes.
const GRAPH: &str = "likes";

pub(in super::super) fn open(setup: &Setup<'_>) -> Result<Box<dyn Peer>, String> {
    let folder = setup.data("millrace")?;
    let program = setup.program.to_owned();
    Ok(Box::new(Millrace { program, folder, copies: 0, served: None }))
}

struct Millrace {
    program: PathBuf,
    folder: PathBuf,
    /// Folders that were loaded.
    copies: usize,
    served: Option<(Server, Gremlin)>,
}

impl Millrace {
    fn data(&self, copy: usize) -> PathBuf {
        self.folder.join(format!("{copy}"))
    }

    fn client(&self) -> Result<&Gremlin, String> {
        let served = self.served.as_ref().ok_or("Millrace is not started")?;
        Ok(&served.1)
    }

    /// The number that a query over a folder gives.
    fn number(&self, data: &Path, query: &str) -> Result<u64, String> {
        let mut shell = Command::new(&self.program);
        shell.args(["shell", "--graph", GRAPH, "--format", "csv", "-c", query, "--data"]).arg(data);
        let answer = process::output(shell)?;
        let number = answer.lines().last().and_then(|line| line.trim().parse().ok());
        number.ok_or_else(|| format!("{query}: a number was expected, not {answer}"))
    }
}

impl Peer for Millrace {
    fn load(&mut self, likes: &Likes) -> Result<f64, String> {
        self.copies += 1;
        let data = self.data(self.copies);
        let mut load = Command::new(&self.program);
        load.args(["load", "--graph", GRAPH, "--data"]).arg(&data).args(&likes.files);
        let began = Instant::now();
        process::output(load)?;
        let seconds = began.elapsed().as_secs_f64();
        let expected = [likes.tables.vertex_count(), likes.tables.edges.len()];
        for (query, expected) in ["g.V().count()", "g.E().count()"].iter().zip(expected) {
            let found = self.number(&data, query)?;
            if found != expected as u64 {
                return Err(format!("{query} is {found} after the load, and should be {expected}"));
            }
        }
        Ok(seconds)
    }

    fn start(&mut self) -> Result<(), String> {
        let [lua, gremlin] = [free_port()?, free_port()?];
        let mut serve = Command::new(&self.program);
        serve.arg("serve").arg("--data").arg(self.data(1));
        serve.args(["--listen", &format!("lua=127.0.0.1:{lua}")]);
        serve.args(["--listen", &format!("gremlin=127.0.0.1:{gremlin}"), "--listen", "admin=off"]);
        let mut server = Server::start(serve, &self.folder.join("log"))?;
        let client = Gremlin::new(&self.program, &self.folder, gremlin);
        server.wait_until(|| client.number("g", "g.inject(1).count()"))?;
        self.served = Some((server, client));
        Ok(())
    }

    fn recommend(&mut self, person: &str) -> Result<Vec<Counted>, String> {
        self.client()?.recommend(GRAPH, person)
    }

    fn write(&mut self, vertices: u64, seconds: f64) -> Result<Written, String> {
        self.client()?.write(vertices, seconds)
    }

    fn count(&mut self) -> Result<u64, String> {
        self.client()?.count()
    }
}
