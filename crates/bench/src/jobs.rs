//! Work in a separate process: a row that needs its own memory, a graph that must leave no trace in the
//! memory of the measuring process, a writer that will be killed.
//!
//! ```text
//!   bench ── starts ──> the same program, `bench job`, job in a variable of the environment
//!     ^                        │
//!     └── one line of output ──┘  answer: JSON, or an error
//! ```
//!
//! The parent finds the answer by its mark, since a test harness writes its own lines around it.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use millrace_model::{Error, ErrorKind, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::experiments::{self, Conditions, FillLog, GraphPlan, Serve};
use crate::scaling_writes::{App, Consumer};

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

/// The job of a child process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Job {
    /// Measures a row; answers with a `Row`.
    Row { name: String, conditions: Conditions },
    /// Makes a graph and keeps it; answers with its folder.
    Prepare { plan: GraphPlan, data: PathBuf },
    /// Commits until it is killed; answers, once the log is long enough, how much was acknowledged.
    FillLog(FillLog),
    /// Serves a folder until it is killed; answers, once it listens, with its address.
    Serve(Serve),
    /// Serves the web app of `scaling-writes` until it is killed; answers, once it listens, with its address.
    App(App),
    /// Consumes a queue for a database until it is killed; answers once it does.
    Consume(Consumer),
}

/// Whether the experiment means: do the job of the variable.
pub(crate) fn is_job(experiment: &str) -> bool {
    experiment == JOB_EXPERIMENT
}

/// Does the job that the variable holds and writes the answer to standard output.
pub fn run_job() -> Result<()> {
    let text = env::var(JOB_VARIABLE).map_err(|_| {
        let detail =
            format!("{JOB_VARIABLE} holds no job: the bench sets it for its own processes");
        Error::new(ErrorKind::BadInput, detail)
    })?;
    let job: Job = serde_json::from_str(&text).map_err(|error| {
        Error::new(ErrorKind::BadInput, format!("{JOB_VARIABLE} is not a job: {error}"))
    })?;
    let outcome = match job {
        Job::Row { name, conditions } => answer(experiments::measure_row(&name, &conditions)),
        Job::Prepare { plan, data } => answer(plan.make(&data)),
        Job::FillLog(fill) => match fill.run(&mut |acknowledged| say(answer(Ok(acknowledged)))) {
            Ok(never) => match never {},
            Err(error) => Err(error),
        },
        Job::Serve(serve) => {
            return serve.run(&mut |addresses| say(answer(Ok(addresses))));
        }
        Job::App(app) => match app.run(&mut |address| say(answer(Ok(address)))) {
            Ok(never) => match never {},
            Err(error) => Err(error),
        },
        Job::Consume(consumer) => match consumer.run(&mut |address| say(answer(Ok(address)))) {
            Ok(never) => match never {},
            Err(error) => Err(error),
        },
    };
    say(outcome)
}

fn answer<T: Serialize>(outcome: Result<T>) -> Result<serde_json::Value> {
    Ok(serde_json::to_value(outcome?).expect("answers are plain data"))
}

/// Writes the answer, an error too: the waiting parent shows it.
fn say(outcome: Result<serde_json::Value>) -> Result<()> {
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
    pub(crate) fn start(program: &Program, job: &Job) -> Result<Worker> {
        let failed = |error: std::io::Error| {
            Error::new(ErrorKind::Io, format!("the bench can't start itself again: {error}"))
        };
        let path = program.path.clone().map_or_else(env::current_exe, Ok).map_err(failed)?;
        let job = serde_json::to_string(job).expect("jobs are plain data");
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
pub(crate) fn have_done<T: DeserializeOwned>(program: &Program, job: &Job) -> Result<T> {
    let mut worker = Worker::start(program, job)?;
    let answer = worker.answer()?;
    // Its folders are free once it has gone by itself.
    let _status = worker.child.wait();
    Ok(answer)
}
