//! Dgraph, built from its published Go module: a Zero and an Alpha on loopback.
//!
//! The module is required by a program of three lines, since `go install` would ask for a list of versions, which not every
//! mirror gives away. All ports of Dgraph move together, by the distance of the HTTP port from 8080.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ureq::Agent;

use super::group::{Group, PAUSE};
use super::{Action, Wanted, wipe};
use crate::process;

const MODULE: &str = "github.com/dgraph-io/dgraph/v25";

/// A commit behind v25.3.7: mirrors may refuse the tagged versions of v25.
const VERSION: &str = "v25.3.8-0.20260630205830-2744eff5ec94";

/// The least Go that the module is built with.
const GO: [u32; 3] = [1, 26, 4];

/// The port of the Alpha's HTTP: not Dgraph's own, which Millrace has, too.
const PORT: u64 = 8180;
const USUAL_PORT: u64 = 8080;
const PORT_MAX: u64 = 64_000;

/// The variables that tests and the bench read.
const VARIABLES: [&str; 3] = ["MILLRACE_DGRAPH", "MILLRACE_DGRAPH_GRPC", "DGRAPH_ZERO"];

/// Megabytes of the Alpha's cache.
const CACHE_MB: u32 = 4_096;

const TELEMETRY: &str = "reports=false; sentry=false";

pub(super) fn run(wanted: &Wanted) -> Result<(), String> {
    let dgraph = Dgraph::new(&wanted.home, wanted.port.unwrap_or(PORT))?;
    match wanted.action {
        Action::Start => {
            if let Err(missing) = require_go() {
                eprintln!("dgraph is left out: {missing}");
                return Ok(());
            }
            build(&wanted.home)?;
            dgraph.start()?;
            let [http, grpc, zero] = VARIABLES;
            println!("export {http}={}", dgraph.http());
            println!("export {grpc}={}", dgraph.grpc());
            println!("export {zero}=http://127.0.0.1:{}", dgraph.port(6080));
            Ok(())
        }
        Action::Stop => dgraph.stop("-TERM"),
        Action::Kill => dgraph.stop("-KILL"),
        Action::Wipe => dgraph.wipe(),
    }
}

/// A Dgraph of its own folder and ports.
pub(crate) struct Dgraph {
    home: PathBuf,
    /// How far its ports are from the usual ones.
    offset: u64,
}

impl Dgraph {
    pub(crate) fn new(home: &Path, port: u64) -> Result<Dgraph, String> {
        if !(USUAL_PORT..=PORT_MAX).contains(&port) {
            return Err(format!(
                "--port {port}: Dgraph's ports move up together; the one of HTTP is between {USUAL_PORT} and {PORT_MAX}"
            ));
        }
        Ok(Dgraph { home: home.to_owned(), offset: port - USUAL_PORT })
    }

    /// The URL of its HTTP interface.
    pub(crate) fn http(&self) -> String {
        format!("http://127.0.0.1:{}", self.port(USUAL_PORT))
    }

    /// The URL of its gRPC.
    pub(crate) fn grpc(&self) -> String {
        format!("grpc://127.0.0.1:{}", self.port(9080))
    }

    fn port(&self, usual: u64) -> u64 {
        usual + self.offset
    }

    fn data(&self) -> PathBuf {
        self.home.join("data")
    }

    fn program(&self, words: &[&str]) -> Command {
        let mut command = Command::new(binary(&self.home));
        command.args(words).current_dir(self.data());
        command
    }

    fn group(&self, name: &'static str) -> Group {
        let file = |ending: &str| self.data().join(format!("{name}.{ending}"));
        Group { name, pid_file: file("pid"), log: file("log"), words: &["dgraph"] }
    }

    /// Starts what does not run.
    fn start(&self) -> Result<(), String> {
        self.start_zero()?;
        self.start_alpha(Path::new("p"))
    }

    /// Loads files into an empty Dgraph, and starts it with them.
    pub(crate) fn start_with(&self, quads: &Path, schema: &Path) -> Result<(), String> {
        self.start_zero()?;
        let mut bulk = self.program(&["bulk", "--tmp", "load", "--out", "loaded"]);
        bulk.arg("--http").arg(format!("127.0.0.1:{}", self.port(8060)));
        bulk.arg("--zero").arg(self.address(5080));
        bulk.arg("--files").arg(quads).arg("--schema").arg(schema);
        let log = self.data().join("bulk.log");
        let at = |error: std::io::Error| format!("{}: {error}", log.display());
        let output = fs::File::create(&log).map_err(at)?;
        bulk.stderr(output.try_clone().map_err(at)?).stdout(output);
        process::run(bulk).map_err(|error| format!("{error}; see {}", log.display()))?;
        self.start_alpha(Path::new("loaded/0/p"))
    }

    /// Ends both, and deletes what they have; the program stays.
    pub(crate) fn wipe(&self) -> Result<(), String> {
        self.stop("-TERM")?;
        wipe(&self.data())
    }

    /// Ends both.
    fn stop(&self, signal: &str) -> Result<(), String> {
        self.group("alpha").stop(signal)?;
        self.group("zero").stop(signal)
    }

    fn address(&self, usual: u64) -> String {
        format!("127.0.0.1:{}", self.port(usual))
    }

    fn start_zero(&self) -> Result<(), String> {
        let data = self.data();
        fs::create_dir_all(&data).map_err(|error| format!("{}: {error}", data.display()))?;
        let group = self.group("zero");
        let url = format!("http://{}/state", self.address(6080));
        self.start_one(&group, &url, || {
            let mut zero = self.program(&["zero", "--wal", "zw"]);
            zero.arg(format!("--my={}", self.address(5080)));
            zero
        })?;
        group.wait_until(|| answers(&url))
    }

    fn start_alpha(&self, postings: &Path) -> Result<(), String> {
        let group = self.group("alpha");
        let url = format!("{}/health", self.http());
        self.start_one(&group, &url, || {
            let mut alpha = self.program(&["alpha", "--wal", "w", "--tmp", "t"]);
            alpha.arg("--postings").arg(postings);
            alpha.arg(format!("--my={}", self.address(7080)));
            alpha.arg(format!("--zero={}", self.address(5080)));
            alpha.args(["--security", "whitelist=127.0.0.1", "--trace", "ratio=0"]);
            alpha.args(["--cache", &format!("size-mb={CACHE_MB}")]);
            alpha
        })?;
        // It is healthy before it can answer queries.
        group.wait_until(|| answers(&url) && can_query(&self.http()))
    }

    fn start_one(
        &self,
        group: &Group,
        url: &str,
        command: impl FnOnce() -> Command,
    ) -> Result<(), String> {
        if group.running().is_some() {
            return Ok(());
        }
        if answers(url) {
            return Err(format!("another server answers at {url}: name another port by --port"));
        }
        let mut command = command();
        command.arg("--bindall=false").args(["--telemetry", TELEMETRY]);
        command.arg("--port_offset").arg(self.offset.to_string());
        group.start(&mut command)
    }
}

fn agent() -> Agent {
    Agent::config_builder().timeout_global(Some(PAUSE + Duration::from_secs(2))).build().into()
}

/// Whether a URL has an answer.
fn answers(url: &str) -> bool {
    agent().get(url).call().is_ok()
}

fn can_query(url: &str) -> bool {
    let request = agent().post(format!("{url}/query")).header("Content-Type", "application/dql");
    let answered = request.send("{ q(func: uid(1)) { uid } }").ok();
    let text = answered.and_then(|mut answer| answer.body_mut().read_to_string().ok());
    text.is_some_and(|text| text.contains("\"q\""))
}

fn binary(home: &Path) -> PathBuf {
    home.join("bin/dgraph")
}

/// Fails without a Go that is new enough.
pub(crate) fn require_go() -> Result<(), String> {
    let mut go = Command::new("go");
    // What `go` itself is: it would fetch a newer one for a module that wants it.
    go.env("GOTOOLCHAIN", "local").arg("version");
    let found = process::output(go).unwrap_or_default();
    let [major, minor, patch] = GO;
    match go_version(&found) {
        Some(version) if GO <= version => Ok(()),
        Some([a, b, c]) => Err(format!(
            "it is built with Go {major}.{minor}.{patch} or newer, and this is {a}.{b}.{c}"
        )),
        None => Err(format!(
            "it is built with Go {major}.{minor}.{patch} or newer, and there is no `go`"
        )),
    }
}

/// The version in the answer of `go version`.
fn go_version(text: &str) -> Option<[u32; 3]> {
    let word = text.split_whitespace().find_map(|word| {
        word.strip_prefix("go")
            .filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    })?;
    let mut numbers = word.split('.').map(|part| {
        let digits = part.split(|letter: char| !letter.is_ascii_digit()).next()?;
        digits.parse::<u32>().ok()
    });
    Some([numbers.next()??, numbers.next().flatten()?, numbers.next().flatten().unwrap_or(0)])
}

/// Builds the program, unless it is there.
pub(crate) fn build(home: &Path) -> Result<(), String> {
    let source = home.join("src");
    let program = binary(home);
    let mark = home.join("bin/version");
    if fs::read_to_string(&mark).is_ok_and(|version| version == VERSION) && program.is_file() {
        return Ok(());
    }
    eprintln!("building dgraph {VERSION}, which takes minutes");
    let at = |error: std::io::Error| format!("{}: {error}", home.display());
    for folder in [&source, &home.join("bin")] {
        fs::create_dir_all(folder).map_err(at)?;
    }
    let [major, minor, patch] = GO;
    let module =
        format!("module component\n\ngo {major}.{minor}.{patch}\n\nrequire {MODULE} {VERSION}\n");
    let main = format!(
        "package main\n\nimport \"{MODULE}/dgraph/cmd\"\n\nfunc main() {{ cmd.Execute() }}\n"
    );
    fs::write(source.join("go.mod"), module).map_err(at)?;
    fs::write(source.join("main.go"), main).map_err(at)?;
    let mut go = Command::new("go");
    let flags = format!("-s -w -X {MODULE}/x.dgraphVersion={VERSION}");
    go.current_dir(&source).env("GOTOOLCHAIN", "local");
    go.args(["build", "-mod=mod", "-ldflags", &flags, "-o"]).arg(&program).arg(".");
    go.stdout(std::io::stderr());
    process::run(go)?;
    fs::write(mark, VERSION).map_err(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_go_is_in_its_answer() {
        assert_eq!(go_version("go version go1.26.8 linux/amd64\n"), Some([1, 26, 8]));
        assert_eq!(go_version("go version go1.27rc1 linux/amd64"), Some([1, 27, 0]));
        assert_eq!(go_version("go version devel +abc"), None);
        assert_eq!(go_version(""), None);
        assert!([1, 26, 3] < GO && GO <= [1, 27, 0]);
    }

    #[test]
    fn all_ports_move_with_the_one_of_http() {
        let dgraph = Dgraph::new(Path::new("home"), 8_185).unwrap();
        assert_eq!(dgraph.http(), "http://127.0.0.1:8185");
        assert_eq!((dgraph.port(9080), dgraph.port(6080)), (9_185, 6_185));
        for port in [8_079, 65_000] {
            assert!(Dgraph::new(Path::new("home"), port).err().unwrap().contains("--port"));
        }
    }
}
