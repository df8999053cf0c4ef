//! openCypher's compatibility kit (TCK) over Bolt: `cargo xtask tck`.
//!
//! Any server that speaks Bolt can be scored. Without `--url` each thread has a server of its own in this process,
//! where the procedures of scenarios can be defined. The exit status says whether the failures are those of the list
//! of known failures, which is for Millrace.
//!
//! ```text
//!   feature files ──suite──> cases ──step──> scenario ──executor──> server
//!                                               │  values, effects, errors: what is expected
//!                                               └──> report, known_failures
//! ```
//!
//! The modules have an order, in which none imports from one behind it: values, errors, procedure, step, executor,
//! effects, suite, scenario, known_failures, report. The list is in `crates/xtask/arrows.toml`, and `cargo xtask tidy`
//! checks it.

mod arguments;
mod effects;
mod errors;
mod executor;
mod known_failures;
mod procedure;
mod report;
mod scenario;
mod step;
mod suite;
mod values;

use std::fs;
use std::io::ErrorKind;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;

use arguments::Arguments;
use executor::{Bolt, Executor, Login, OwnServer};
use known_failures::KnownFailures;
use report::{Counts, Ran};
use scenario::Run;
use suite::{Case, Graphs};

/// A line of progress follows each so many scenarios.
const PROGRESS_CASES: usize = 500;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("tck: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the suite; says whether the failures are the known ones.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let graphs = suite::graphs(&arguments.graphs()?)?;
    let mut cases = suite::cases(&arguments.features()?)?;
    cases.retain(|case| arguments.selects(&case.folder, &case.id, &case.scenario.name));
    let runs = run_all(arguments, &cases, &graphs)?;
    let runs: Vec<Ran<'_>> = cases.iter().zip(&runs).collect();
    if arguments.verbose {
        print_lines(&report::details(&runs));
        print_lines(&report::reasons(&runs));
    }
    print_lines(&report::folders(&runs));
    print_lines(&Vec::from_iter(report::names(&runs)));
    let as_known = compare_with_list(arguments, &runs)?;
    println!("{}", Counts::of(runs.iter().map(|(_, run)| &run.outcome)).json());
    Ok(as_known)
}

fn print_lines(lines: &[String]) {
    lines.iter().for_each(|line| println!("{line}"));
}

/// Runs all cases on all threads; the runs are in the order of the cases.
fn run_all(arguments: &Arguments, cases: &[Case], graphs: &Graphs) -> Result<Vec<Run>, String> {
    let next = AtomicUsize::new(0);
    let thread = || {
        let mut executor = executor_of(arguments)?;
        let mut runs = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(index) else { return Ok(runs) };
            if 0 < index && index.is_multiple_of(PROGRESS_CASES) {
                eprintln!("{index} of {} scenarios", cases.len());
            }
            let run = scenario::run(case, graphs, executor.as_mut(), arguments.counts_names());
            runs.push((index, run));
        }
    };
    let finished: Vec<Result<Vec<(usize, Run)>, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..arguments.threads()).map(|_| scope.spawn(thread)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|_| Err("a thread of the runner ended".to_owned()))
        };
        threads.into_iter().map(join).collect()
    });
    let mut runs: Vec<(usize, Run)> = Vec::new();
    for part in finished {
        runs.extend(part?);
    }
    runs.sort_by_key(|(index, _)| *index);
    Ok(runs.into_iter().map(|(_, run)| run).collect())
}

fn executor_of(arguments: &Arguments) -> Result<Box<dyn Executor>, String> {
    let Some(url) = &arguments.url else { return Ok(Box::new(OwnServer::start()?)) };
    let login = match (&arguments.user, &arguments.password) {
        (Some(user), Some(password)) => {
            Some(Login { user: user.clone(), password: password.clone() })
        }
        (_, _) => None,
    };
    Ok(Box::new(Bolt::connect(url, login)?))
}

/// Compares the runs with the list of known failures, or records it.
fn compare_with_list(arguments: &Arguments, runs: &[Ran<'_>]) -> Result<bool, String> {
    let path = &arguments.known;
    let wrong = |error: std::io::Error| format!("{}: {error}", path.display());
    let outcomes = || runs.iter().map(|(case, run)| (case.id.as_str(), &run.outcome));
    let known = match fs::read_to_string(path) {
        Ok(text) => KnownFailures::parse(&text),
        Err(error) if error.kind() == ErrorKind::NotFound && arguments.record => {
            KnownFailures::first(outcomes())
        }
        Err(error) => return Err(wrong(error)),
    };
    let differences = known.compare(outcomes());
    for id in &differences.new {
        println!("not in the list of known failures: {id}");
    }
    if arguments.record {
        fs::write(path, known.without(&differences.passed).text()).map_err(wrong)?;
        return Ok(differences.new.is_empty());
    }
    for id in &differences.passed {
        println!("passes, but is in the list of known failures (--record removes it): {id}");
    }
    Ok(differences.new.is_empty() && differences.passed.is_empty())
}
