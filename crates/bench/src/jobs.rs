//! Work in a separate process: a row that needs its own memory, a graph that must leave no trace in the
//! memory of the measuring process, a writer that will be killed.
//!
//! ```text
//!   bench ── starts ──> the same program, `bench job`, job in a variable of the environment
//!     ^                        │
//!     └── one line of output ──┘  answer: JSON, or an error
//! ```
//!
//! The parent finds the answer by its mark, since a test harness writes its own lines around it. What there is
//! to do never enters here: each kind of work is a [`Job`] of the module that needs it.

use std::env;
use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use millrace_model::{Error, ErrorKind, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The variable that holds the job, as JSON.
pub const JOB_VARIABLE: &str = "MILLRACE_BENCH_JOB";

/// The experiment that means: do the job of the variable.
const JOB_EXPERIMENT: &str = "job";

/// The prefix of the line with the answer.
const ANSWER_MARK: &str = "millrace-bench-answer ";

/// How the bench starts itself again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The program; none is this one.
    pub path: Option<PathBuf>,
    /// Its arguments.
    pub arguments: Vec<String>,
}

impl Default for Program {
    fn default() -> Program {
        Program { path: None, arguments: vec!["bench".into(), JOB_EXPERIMENT.into()] }
    }
}

/// Work for a child process.
pub(crate) trait Job: Serialize + DeserializeOwned {
    /// The name by which the child finds it.
    const NAME: &'static str;
}

/// A job as the variable holds it.
#[derive(Serialize, Deserialize)]
pub(crate) struct NamedJob<W> {
    pub(crate) name: String,
    work: W,
}

impl NamedJob<serde_json::Value> {
    /// The job of this process.
    pub(crate) fn of_this_process() -> Result<Self> {
        let text = env::var(JOB_VARIABLE).map_err(|_| {
            let detail =
                format!("{JOB_VARIABLE} holds no job: the bench sets it for its own processes");
            Error::new(ErrorKind::BadInput, detail)
        })?;
        serde_json::from_str(&text).map_err(|error| is_no_job(&error))
    }

    /// What is to be done.
    pub(crate) fn read<J: Job>(self) -> Result<J> {
        serde_json::from_value(self.work).map_err(|error| is_no_job(&error))
    }
}

/// The error about a variable that holds something else.
pub(crate) fn is_no_job(why: &dyn Display) -> Error {
    Error::new(ErrorKind::BadInput, format!("{JOB_VARIABLE} is not a job: {why}"))
}

/// Whether the experiment means: do the job of the variable.
pub(crate) fn is_job(experiment: &str) -> bool {
    experiment == JOB_EXPERIMENT
}

/// An outcome as it is written.
pub(crate) fn answer<T: Serialize>(outcome: Result<T>) -> Result<serde_json::Value> {
    Ok(serde_json::to_value(outcome?).expect("answers are plain data"))
}

/// Writes the answer, an error too: the waiting parent shows it.
pub(crate) fn say(outcome: Result<serde_json::Value>) -> Result<()> {
    let outcome = outcome.map_err(|error| error.to_string());
    let text = serde_json::to_string(&outcome).expect("answers are plain data");
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{ANSWER_MARK}{text}")
        .and_then(|()| out.flush())
        .map_err(|error| Error::new(ErrorKind::Io, format!("standard output: {error}")))
}

/// A process that does a job. Dropped, it is killed.
pub(crate) struct Worker {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

impl Worker {
    /// Starts a process for a job.
    pub(crate) fn start<J: Job>(program: &Program, job: &J) -> Result<Worker> {
        let failed = |error: std::io::Error| {
            Error::new(ErrorKind::Io, format!("the bench can't start itself again: {error}"))
        };
        let path = program.path.clone().map_or_else(env::current_exe, Ok).map_err(failed)?;
        let job = NamedJob { name: J::NAME.to_owned(), work: job };
        let job = serde_json::to_string(&job).expect("jobs are plain data");
        let mut child = Command::new(path)
            .args(&program.arguments)
            .env(JOB_VARIABLE, job)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let output = child.stdout.take().expect("it is piped");
        Ok(Worker { child, lines: BufReader::new(output) })
    }

    /// Waits for the answer.
    pub(crate) fn answer<T: DeserializeOwned>(&mut self) -> Result<T> {
        for line in (&mut self.lines).lines() {
            let line = line.map_err(|error| Error::new(ErrorKind::Io, error.to_string()))?;
            let Some(answer) = line.strip_prefix(ANSWER_MARK) else { continue };
            let answer: std::result::Result<T, String> = serde_json::from_str(answer)
                .map_err(|error| Error::new(ErrorKind::Bug, format!("{answer}: {error}")))?;
            return answer.map_err(|detail| Error::new(ErrorKind::Bug, detail));
        }
        let detail = "a process of the bench ended without an answer";
        Err(Error::new(ErrorKind::Bug, detail).with_help("its last output is above"))
    }

    /// Fails with its error if it has ended, though it should go on until it is killed.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.child.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(_)) => self.answer(),
            Err(error) => Err(Error::new(ErrorKind::Io, error.to_string())),
        }
    }

    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it as `kill -9` does, and waits until it is gone.
    pub(crate) fn kill(self) {
        drop(self);
    }
}

/// Has a job done and waits for the answer.
pub(crate) fn have_done<J: Job, T: DeserializeOwned>(program: &Program, job: &J) -> Result<T> {
    let mut worker = Worker::start(program, job)?;
    let answer = worker.answer()?;
    // Its folders are free once it has gone by itself.
    let _status = worker.child.wait();
    Ok(answer)
}
