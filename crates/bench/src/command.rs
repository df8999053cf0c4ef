//! `millrace bench` with the name of an experiment, and the jobs of its child processes.
//!
//! Only here all kinds of work are known together; how one is measured never enters.

use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;

use millrace_db::settings::measures::seconds_of_flag;
use millrace_model::{Error, ErrorKind, Result};

use crate::data;
use crate::experiments::{self, Conditions, FillLog, LoadFilms, MeasureRow, PrepareGraph, Serve};
use crate::jobs::{Job, NamedJob, Program, answer, is_job, is_no_job, say};
use crate::machine::Machine;
use crate::report::{Report, Row};
use crate::scaling_writes::{App, Consumer};

/// Arguments of `millrace bench`.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The experiment: likes, commit, cypher, growth, indexes, rest, load, queue, scan or serve.
    pub experiment: String,
    /// Run only this row, such as likes.recommend.
    #[arg(long, value_name = "ROW")]
    pub only: Option<String>,
    /// Also write the rows to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Where generated data is cached between runs.
    #[arg(long, value_name = "DIR", default_value = "millrace-bench")]
    pub data: PathBuf,
    /// Use only data of this size, relative to the full one, such as 0.1; without it, each row is
    /// measured at several sizes.
    #[arg(long, value_name = "FACTOR")]
    pub scale: Option<f64>,
    /// Use only this many processors; without it, rows of traversals are measured with all and with
    /// one.
    #[arg(long, value_name = "COUNT")]
    pub threads: Option<usize>,
    /// For a quick try: how long to measure rows that run for a while, or in turn with their reference;
    /// no threshold is judged then.
    #[arg(long, value_name = "SECONDS|TIME", value_parser = seconds_of_flag)]
    pub seconds: Option<f64>,
    /// Film data as N-Quads, gzipped or not, for the row load.films.
    #[arg(long, value_name = "FILE")]
    pub films: Option<PathBuf>,
    /// The folder with schema.lua, load.lua, bulk.lua and single.lua of the bulk traversal article,
    /// for the rows likes.script.*.
    #[arg(long, value_name = "DIR")]
    pub scripts: Option<PathBuf>,
    /// The broker for the rows queue.*, such as amqp://guest:guest@127.0.0.1:5672/%2f.
    #[arg(long, value_name = "URL")]
    pub amqp: Option<String>,
    /// How the bench starts itself again; this program, unless a test says otherwise.
    #[arg(skip)]
    pub program: Program,
}

/// Runs an experiment, prints its table, and says whether every threshold was reached. Thresholds hold for full
/// data (those of sizes of their own aside) and full time.
pub fn run(arguments: &Arguments) -> Result<bool> {
    if is_job(&arguments.experiment) {
        return run_job().map(|()| true);
    }
    let report = measure(arguments)?;
    print!("{}", report.table());
    if let Some(file) = &arguments.json {
        fs::write(file, report.json()).map_err(|error| data::io_error(file, &error))?;
    }
    Ok(report.rows.iter().all(Row::reached))
}

/// Runs an experiment and reports its rows.
pub fn measure(arguments: &Arguments) -> Result<Report> {
    if arguments.scale.is_some_and(|scale| !(0.001..=10.0).contains(&scale)) {
        return Err(Error::new(ErrorKind::BadInput, "--scale is between 0.001 and 10"));
    }
    if arguments.seconds.is_some_and(|seconds| !(0.1..=3600.0).contains(&seconds)) {
        return Err(Error::new(ErrorKind::BadInput, "--seconds is between 0.1 and 3600"));
    }
    fs::create_dir_all(&arguments.data).map_err(|error| data::io_error(&arguments.data, &error))?;
    let conditions = Conditions {
        data: arguments.data.clone(),
        scale: arguments.scale.unwrap_or(1.0),
        seconds: arguments.seconds,
        films: arguments.films.clone(),
        scripts: arguments.scripts.clone(),
        amqp: arguments.amqp.clone(),
        threads: None,
        program: arguments.program.clone(),
    };
    let asked = experiments::Asked {
        experiment: &arguments.experiment,
        only: arguments.only.as_deref(),
        scale: arguments.scale,
        threads: arguments.threads,
    };
    let (rows, notes) = experiments::run(&asked, &conditions)?;
    let durability = experiments::settings().data.durability;
    Ok(Report { machine: Machine::here(), durability, notes, rows })
}

/// Does the job that the variable holds and writes the answer to standard output.
pub fn run_job() -> Result<()> {
    let job = NamedJob::of_this_process()?;
    let outcome = match job.name.as_str() {
        MeasureRow::NAME => answer(job.read::<MeasureRow>()?.run()),
        LoadFilms::NAME => answer(job.read::<LoadFilms>()?.run()),
        PrepareGraph::NAME => answer(job.read::<PrepareGraph>()?.run()),
        FillLog::NAME => {
            never(job.read::<FillLog>()?.run(&mut |acknowledged| say(answer(Ok(acknowledged)))))
        }
        Serve::NAME => {
            return job.read::<Serve>()?.run(&mut |addresses| say(answer(Ok(addresses))));
        }
        App::NAME => never(job.read::<App>()?.run(&mut |address| say(answer(Ok(address))))),
        Consumer::NAME => {
            never(job.read::<Consumer>()?.run(&mut |address| say(answer(Ok(address)))))
        }
        other => return Err(is_no_job(&format!("there is no job {other}"))),
    };
    say(outcome)
}

/// The outcome of work that goes on until its process is killed.
fn never(outcome: Result<Infallible>) -> Result<serde_json::Value> {
    match outcome {
        Ok(never) => match never {},
        Err(error) => Err(error),
    }
}
