//! Runs the real program and talks to it.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// How long the program has to be ready: a recovery and a slow machine are in it.
const READY_MAX: Duration = Duration::from_secs(60);

/// How long an answer may take: a script of ten million writes is among those sent.
const ANSWER_MAX: Duration = Duration::from_secs(600);

/// A server of a folder. Killed when dropped.
pub(crate) struct Served {
    child: Mutex<Child>,
    lines: Mutex<Lines>,
    /// Standard error, if it is a log of JSON.
    log: Option<Mutex<Lines>>,
    agent: ureq::Agent,
    pub(crate) url: String,
}

/// The program with these arguments, none of its settings from the environment.
pub(crate) fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_millrace"));
    command.args(arguments).stdin(Stdio::null());
    // Tests run side by side.
    command.env("MILLRACE_LISTEN__ADMIN", "127.0.0.1:0");
    command
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> Output {
    program(arguments).output().expect("the program can be run")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Serves a folder on a free port.
pub(crate) fn serve(data: &Path) -> Served {
    let data = data.to_str().expect("temporary folders have plain names");
    start(&["serve", "--data", data, "--listen", "lua=127.0.0.1:0"])
}

/// Serves a folder on a free port by a settings file.
pub(crate) fn serve_by(data: &Path, config: &Path) -> Served {
    let mut command = program(&["serve", "--listen", "lua=127.0.0.1:0"]);
    command.arg("--data").arg(data).arg("--config").arg(config);
    start_until("listening on ", quiet(command))
}

/// Serves a folder with so many bytes of memory for requests, on a free port.
pub(crate) fn serve_bounded(data: &Path, bytes: u64) -> Served {
    let data = data.to_str().expect("temporary folders have plain names");
    let bound = format!("memory.max={bytes}");
    start(&["serve", "--data", data, "--listen", "lua=127.0.0.1:0", "--set", &bound])
}

/// Serves a folder as a process that may open so many files.
pub(crate) fn serve_within(data: &Path, files_max: u32) -> Served {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -n {files_max}; exec \"$0\" \"$@\""));
    command.arg(env!("CARGO_BIN_EXE_millrace")).stdin(Stdio::null());
    command.env("MILLRACE_LISTEN__ADMIN", "127.0.0.1:0");
    command.args(["serve", "--listen", "lua=127.0.0.1:0", "--data"]).arg(data);
    start_until("listening on ", command)
}

/// Serves a folder for both languages on free ports; its URL is that of Lua.
pub(crate) fn serve_both(data: &Path) -> Served {
    let data = data.to_str().expect("temporary folders have plain names");
    let listen = ["--listen", "lua=127.0.0.1:0", "--listen", "gremlin=127.0.0.1:0"];
    start(&[&["serve", "--data", data], &listen[..]].concat())
}

/// Serves a folder for Dgraph's HTTP alone, on a free port, with further arguments.
pub(crate) fn serve_dql(data: &Path, further: &[&str]) -> Served {
    let data = data.to_str().expect("temporary folders have plain names");
    let mut command = program(&["serve", "--data", data, "--listen", "dql=127.0.0.1:0"]);
    command.args(further);
    start_until("listening for Dgraph's HTTP on ", quiet(command))
}

/// The same for Dgraph's gRPC alone; its URL is `dgraph://ADDRESS`.
pub(crate) fn serve_dql_grpc(data: &Path, further: &[&str]) -> Served {
    let data = data.to_str().expect("temporary folders have plain names");
    let mut command = program(&["serve", "--data", data, "--listen", "dql-grpc=127.0.0.1:0"]);
    command.args(further);
    start_until("listening for Dgraph's gRPC on ", quiet(command))
}

/// Starts a command that listens, and waits until it says where.
pub(crate) fn start(arguments: &[&str]) -> Served {
    start_until("listening on ", quiet(program(arguments)))
}

/// Without ordinary log entries: they would stand between the lines of the tests.
fn quiet(mut command: Command) -> Command {
    command.env("MILLRACE_LOG__LEVEL", "warn");
    command
}

/// Serves a folder for Gremlin alone, on a free port, with further arguments; it runs where the workspace is,
/// so that those may name files of it.
pub(crate) fn serve_gremlin(data: &Path, further: &[&str]) -> Served {
    let data = data.to_str().expect("temporary folders have plain names");
    let mut command = program(&["serve", "--data", data, "--listen", "gremlin=127.0.0.1:0"]);
    command.args(further).current_dir(millrace_testkit::workspace());
    start_until("listening for Gremlin on ", quiet(command))
}

/// Serves a folder for both languages with a log of JSON and further arguments; its URL is that of Lua.
pub(crate) fn serve_logging(data: &Path, further: &[&str]) -> Served {
    let data = data.to_str().expect("temporary folders have plain names");
    let listen = ["--listen", "lua=127.0.0.1:0", "--listen", "gremlin=127.0.0.1:0"];
    let mut command = program(&[&["serve", "--data", data], &listen[..], further].concat());
    command.args(["--set", "log.format=json"]).stderr(Stdio::piped());
    start_until("listening on ", command)
}

/// Starts a command, and waits for the line that says where it listens.
fn start_until(words: &'static str, mut command: Command) -> Served {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    let log = child.stderr.take().map(|log| Mutex::new(Lines::of(log)));
    let mut lines = Lines::of(child.stdout.take().expect("it is piped"));
    let url = lines.behind(words).unwrap_or_else(|| {
        let ended = child.wait();
        panic!("{command:?} ended before it listened: {ended:?}");
    });
    let config =
        ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(ANSWER_MAX));
    let agent = config.build().into();
    Served { child: Mutex::new(child), lines: Mutex::new(lines), log, agent, url }
}

/// Lines that a program writes; a thread reads them all, so that no pipe fills up.
struct Lines {
    coming: Receiver<String>,
    seen: Vec<String>,
}

impl Lines {
    fn of(output: impl Read + Send + 'static) -> Lines {
        let (sender, coming) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                // The test may have given up.
                let _gone = sender.send(line);
            }
        });
        Lines { coming, seen: Vec::new() }
    }

    /// The rest of the first line that begins so, once it is there.
    fn behind(&mut self, words: &str) -> Option<String> {
        let rest = |line: &String| line.strip_prefix(words).map(str::to_owned);
        let mut found = self.seen.iter().find_map(rest);
        while found.is_none() {
            let line = self.coming.recv_timeout(READY_MAX).ok()?;
            found = rest(&line);
            self.seen.push(line);
        }
        found
    }
}

impl Served {
    /// The first event of its log that has this name and fits, once it is there. Events before it stay.
    pub(crate) fn event(
        &self,
        name: &str,
        fits: impl Fn(&serde_json::Value) -> bool,
    ) -> serde_json::Value {
        let mut log = self.log.as_ref().expect("it logs").lock().expect("no test panicked");
        let fitting = |line: &String| {
            let event: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            (event["event"] == name && fits(&event)).then_some(event)
        };
        let mut found = log.seen.iter().find_map(fitting);
        while found.is_none() {
            let line = log.coming.recv_timeout(READY_MAX);
            let line = line.unwrap_or_else(|_| panic!("no {name}: {:#?}", log.seen));
            found = fitting(&line);
            log.seen.push(line);
        }
        found.expect("the loop ends with one")
    }

    /// All events until it ended, which needs a signal.
    pub(crate) fn events_to_the_end(&self) -> Vec<serde_json::Value> {
        let mut log = self.log.as_ref().expect("it logs").lock().expect("no test panicked");
        while let Ok(line) = log.coming.recv_timeout(READY_MAX) {
            log.seen.push(line);
        }
        let event = |line: &String| serde_json::from_str(line).expect("a line is JSON");
        log.seen.iter().map(event).collect()
    }

    /// Where a server of both languages listens for Gremlin: `ws://ADDRESS/gremlin`.
    pub(crate) fn gremlin_url(&self) -> String {
        let mut lines = self.lines.lock().expect("no test panicked with it");
        lines.behind("listening for Gremlin on ").expect("it listens for both")
    }

    /// The URL of its listener of administration.
    pub(crate) fn admin_url(&self) -> String {
        let mut lines = self.lines.lock().expect("no test panicked with it");
        lines.behind("page and administration on ").expect("it is on")
    }

    /// Where it listens for Bolt: `bolt://ADDRESS`.
    pub(crate) fn bolt_url(&self) -> String {
        let mut lines = self.lines.lock().expect("no test panicked with it");
        lines.behind("listening for Bolt on ").expect("it listens for it")
    }

    /// Runs a script; `None` if no whole answer came.
    pub(crate) fn script(&self, graph: &str, script: &str) -> Option<(u16, String)> {
        self.post(&format!("/db/{graph}/lua"), script)
    }

    pub(crate) fn get(&self, path: &str) -> Option<(u16, String)> {
        let mut response = self.agent.get(format!("{}{path}", self.url)).call().ok()?;
        let body = response.body_mut().read_to_string().ok()?;
        Some((response.status().as_u16(), body))
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Option<(u16, String)> {
        let mut response = self.agent.post(format!("{}{path}", self.url)).send(body).ok()?;
        let body = response.body_mut().read_to_string().ok()?;
        Some((response.status().as_u16(), body))
    }

    /// The answer of its listener of administration to a body of JSON.
    pub(crate) fn post_json(&self, path: &str, body: &str) -> String {
        let request = self.agent.post(format!("{}{path}", self.admin_url()));
        let mut response = request.content_type("application/json").send(body).expect("it answers");
        response.body_mut().read_to_string().expect("it answers with text")
    }

    /// Makes a graph, over its listener of administration.
    pub(crate) fn put_graph(&self, name: &str) {
        let made = self.agent.put(format!("{}/graphs/{name}", self.admin_url())).send_empty();
        assert!(made.expect("it answers").status().is_success(), "{name} is made");
    }

    /// The status of the answer of its listener of administration, and the end of its body.
    pub(crate) fn post_within(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> (u16, String) {
        let mut request = self.agent.post(format!("{}{path}", self.admin_url()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = match request.send(body) {
            Ok(response) => response,
            Err(error) => return (0, error.to_string()),
        };
        let (mut end, mut piece) = (Vec::new(), vec![0; 64 << 10]);
        let mut reader = response.body_mut().as_reader();
        while let Ok(length @ 1..) = reader.read(&mut piece) {
            end.extend_from_slice(&piece[..length]);
            end.drain(..end.len().saturating_sub(400));
        }
        drop(reader);
        (response.status().as_u16(), text(&end))
    }

    /// The number of the process.
    pub(crate) fn process_id(&self) -> u32 {
        self.child().id()
    }

    /// The body of a GET from its listener of administration.
    pub(crate) fn get_text(&self, path: &str) -> String {
        let mut response =
            self.agent.get(format!("{}{path}", self.admin_url())).call().expect("it answers");
        response.body_mut().read_to_string().expect("it answers with text")
    }

    /// The same in a graph that is made first.
    pub(crate) fn ask_new(&self, graph: &str, script: &str) -> String {
        let made = self.post(&format!("/dbs/{graph}"), "");
        assert!(made.is_some_and(|(status, _)| status < 300), "{graph} is made");
        self.ask(graph, script)
    }

    /// The answer of a script that must succeed.
    pub(crate) fn ask(&self, graph: &str, script: &str) -> String {
        let answer = self.script(graph, script);
        match answer {
            Some((200, answer)) => answer,
            other => panic!("{script}: {other:?}"),
        }
    }

    /// The results of a script of Gremlin, asked over HTTP: the typed list, as JSON.
    pub(crate) fn gremlin(&self, script: &str) -> serde_json::Value {
        let url = self.url.replacen("ws://", "http://", 1);
        let body = serde_json::json!({ "gremlin": script }).to_string();
        let mut response = self.agent.post(url).send(body).expect("it answers");
        let body = response.body_mut().read_to_string().expect("it answers with text");
        let mut answer: serde_json::Value = serde_json::from_str(&body).expect("it is JSON");
        assert_eq!(answer["status"]["code"], 200, "{script}: {body}");
        answer["result"]["data"].take()
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().expect("nobody panicked with it")
    }

    /// Kills it as `kill -9` does, while others still talk to it.
    pub(crate) fn kill_now(&self) {
        self.child().kill().expect("it runs, or is killed already");
    }

    /// Kills it as `kill -9` does, and waits until it is gone.
    pub(crate) fn kill(self) {
        self.kill_now();
        self.child().wait().expect("it ends");
    }

    /// Stops it (SIGTERM), and returns its exit code.
    pub(crate) fn terminate(self) -> Option<i32> {
        self.terminate_now()
    }

    /// The same for a program with its log read afterwards.
    pub(crate) fn terminate_now(&self) -> Option<i32> {
        let number = self.child().id().to_string();
        let signalled = Command::new("kill").args(["-TERM", &number]).status().expect("kill runs");
        assert!(signalled.success());
        let began = Instant::now();
        loop {
            if let Some(status) = self.child().try_wait().expect("it can be asked") {
                return status.code();
            }
            assert!(began.elapsed() < READY_MAX, "it does not stop");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _gone = self.child().kill();
        let _reaped = self.child().wait();
    }
}
