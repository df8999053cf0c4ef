//! A Python program that is driven line by line: a request in JSON, an answer in JSON.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

/// The program. It ends when its input does.
pub(super) struct Worker {
    /// What it works with, for errors.
    name: &'static str,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts a script.
    pub(super) fn start(
        name: &'static str,
        python: &Path,
        script: &Path,
    ) -> Result<Worker, String> {
        let mut command = Command::new(python);
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child =
            command.spawn().map_err(|error| format!("{}: {error}", python.display()))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (requests, answers) = pipes.ok_or("Python was started without pipes")?;
        Ok(Worker { name, child, requests, answers: BufReader::new(answers) })
    }

    /// Sends a line and reads a line.
    pub(super) fn ask(&mut self, request: &Value) -> Result<Value, String> {
        let failed = |error: std::io::Error| format!("{}'s program: {error}", self.name);
        writeln!(self.requests, "{request}")
            .and_then(|()| self.requests.flush())
            .map_err(failed)?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(failed)?;
        if line.is_empty() {
            return Err(format!("{}'s program ended at {request}", self.name));
        }
        let answer: Value =
            serde_json::from_str(&line).map_err(|error| format!("{line}: {error}"))?;
        match answer["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(answer),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _killed = self.child.kill();
        let _status = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_program_that_ends_is_an_error_with_its_last_request() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        std::fs::write(&script, "read line; echo '{\"error\": \"no\"}'; read line").unwrap();
        let mut worker = Worker::start("Shell", Path::new("sh"), &script).unwrap();
        assert_eq!(worker.ask(&json!({ "do": 1 })), Err("no".to_owned()));
        let ended = worker.ask(&json!({ "do": 2 })).unwrap_err();
        assert_eq!(ended, "Shell's program ended at {\"do\":2}");
    }
}
