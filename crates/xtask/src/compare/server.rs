//! A server of a peer: a process that is started, waited for until it answers, and killed at the end.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a server may take to answer: Cassandra's first start is the slowest.
const START_MAX: Duration = Duration::from_secs(300);

const POLL: Duration = Duration::from_millis(200);

/// Lines of its log that an error shows.
const LOG_LINES: usize = 8;

/// A process that runs; killed when it is dropped.
pub(super) struct Server {
    child: Child,
    log: PathBuf,
}

impl Server {
    /// Starts it. All that it writes goes to a log.
    pub(super) fn start(mut command: Command, log: &Path) -> Result<Server, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", log.display());
        let file = File::create(log).map_err(failed)?;
        let errors = file.try_clone().map_err(failed)?;
        command.stdin(Stdio::null()).stdout(file).stderr(errors);
        let program = command.get_program().to_string_lossy().into_owned();
        let child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
        Ok(Server { child, log: log.to_owned() })
    }

    /// Waits until `answers` succeeds. A process that ends meanwhile is an error, with the end of its log.
    pub(super) fn wait_until<T>(
        &mut self,
        mut answers: impl FnMut() -> Result<T, String>,
    ) -> Result<T, String> {
        let began = Instant::now();
        loop {
            let error = match answers() {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(format!("it ended with {status}:\n{}", self.log_end()));
            }
            if START_MAX < began.elapsed() {
                let seconds = START_MAX.as_secs();
                return Err(format!("no answer in {seconds} s ({error}):\n{}", self.log_end()));
            }
            thread::sleep(POLL);
        }
    }

    /// Waits until it ends, which is an error.
    pub(super) fn wait(mut self) -> Result<(), String> {
        let status = self.child.wait().map_err(|error| error.to_string())?;
        Err(format!("it ended with {status}:\n{}", self.log_end()))
    }

    /// The last lines of its log; of Java's errors their causes, without the places they went through.
    fn log_end(&self) -> String {
        let text = fs::read_to_string(&self.log).unwrap_or_default();
        let is_place = |line: &str| line.starts_with("\tat ") || line.starts_with("\t... ");
        let lines: Vec<&str> = text.lines().filter(|line| !is_place(line)).collect();
        lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _killed = self.child.kill();
        let _status = self.child.wait();
    }
}

/// A port of the loopback address that nothing listens on.
pub(super) fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    Ok(address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_ends_is_an_error_with_the_end_of_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "seq 1 20; echo no room >&2; printf '\\tat a.B.c\\n' >&2; exit 3"]);
        let mut server = Server::start(command, &folder.path().join("log")).unwrap();
        let error = server.wait_until(|| Err::<(), String>("refused".into())).unwrap_err();
        assert!(error.contains("exit status: 3") && error.ends_with("20\nno room"), "{error}");
        assert!(!error.contains("\n5\n"), "only the end: {error}");
    }
}
