//! The settings of an experiment, derived from its arguments.

use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

use millrace_db::ingest::generate::{PredicateNames, PublishedFilms};
use millrace_model::{Error, ErrorKind, Result};

use super::arguments::{Arguments, Predicates};
use super::limits::{
    CLIENT_THREADS_MAX, CONNECTIONS_MAX, CORES_MAX, ENDPOINTS_MAX, RUNS_MAX, SCALE, TARGETS_MAX,
};
use super::own::Own;
use super::plan::{Varied, doubled_up_to};
use super::queries::{By, Query};
use super::target::Target;
use crate::load::arguments::within;
use crate::load::limits::SECONDS_MAX;

/// The article's runs.
const SECONDS: f64 = 60.0;
const RUNS: usize = 10;
const WARM_UP: f64 = 2.0;

const QUICK_RUNS: usize = 3;

/// The settings.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) databases: Databases,
    pub(super) queries: Vec<Query>,
    /// Empty: all that the films can be asked by.
    pub(super) by: Vec<By>,
    /// Without the ways to name nodes, which depend on the films.
    pub(super) varied: Varied,
    pub(super) time: Time,
    pub(super) runs: usize,
    pub(super) client_threads: usize,
    pub(super) seed: u64,
}

/// Which databases are asked.
#[derive(Clone, Debug)]
pub(super) enum Databases {
    /// A Millrace of the experiment.
    Own(Own),
    /// Those that are there, with the folder of their films.
    Others { targets: Vec<Target>, films: PathBuf },
}

/// How long is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Time {
    /// Each run, and each warm-up.
    Each { run: Duration, warm_up: Duration },
    /// All together.
    Quick,
}

impl Settings {
    pub(super) fn of(arguments: &Arguments) -> Result<Settings> {
        let quick = arguments.quick;
        let runs = arguments.runs.unwrap_or(if quick { QUICK_RUNS } else { RUNS });
        let (seconds, warm_up) =
            (arguments.seconds.unwrap_or(SECONDS), arguments.warm_up.unwrap_or(WARM_UP));
        within("--seconds", seconds, 0.05, SECONDS_MAX)?;
        within("--warm-up", warm_up, 0.0, SECONDS_MAX)?;
        within("--runs", runs as f64, 1.0, RUNS_MAX as f64)?;
        within("--scale", arguments.scale, SCALE.0, SCALE.1)?;
        let threads = arguments.client_threads;
        within("--client-threads", threads as f64, 1.0, CLIENT_THREADS_MAX as f64)?;
        let is_timed = arguments.seconds.is_some() || arguments.warm_up.is_some();
        let time = match quick && !is_timed {
            true => Time::Quick,
            false => Time::Each {
                run: Duration::from_secs_f64(seconds),
                warm_up: Duration::from_secs_f64(warm_up),
            },
        };
        let databases = databases(arguments)?;
        let varied = varied(arguments, &databases)?;
        let queries = match arguments.queries.is_empty() {
            true => Query::ALL.to_vec(),
            false => each_once(&arguments.queries),
        };
        Ok(Settings {
            databases,
            queries,
            by: each_once(&arguments.by),
            varied,
            time,
            runs,
            client_threads: threads,
            seed: arguments.seed,
        })
    }
}

fn databases(arguments: &Arguments) -> Result<Databases> {
    if let Some(films) = &arguments.ids {
        within("--url, given so often,", arguments.url.len() as f64, 1.0, TARGETS_MAX as f64)?;
        let targets =
            arguments.url.iter().map(|urls| Target::parse(urls)).collect::<Result<_>>()?;
        return Ok(Databases::Others { targets, films: films.clone() });
    }
    if !arguments.url.is_empty() {
        let error = Error::new(ErrorKind::BadInput, "--url wants --ids");
        return Err(
            error.with_help("the folder that `millrace generate films --as-published` made")
        );
    }
    let names = match arguments.predicates {
        Predicates::Short => PredicateNames::Short,
        Predicates::Freebase => PredicateNames::Freebase,
    };
    // Named by texts that are values, too: all ways to name a node find the same one.
    let (scale, seed) = (arguments.scale, arguments.seed);
    let films = PublishedFilms { scale, seed, names, uids: false, xids: true };
    Ok(Databases::Own(Own {
        films,
        protocol: arguments.protocol,
        data: arguments.data.clone(),
        program: arguments.program.clone(),
    }))
}

fn varied(arguments: &Arguments, databases: &Databases) -> Result<Varied> {
    let connections = each_once(&arguments.connections);
    bounded("--connections", &connections, CONNECTIONS_MAX)?;
    let here = available_parallelism().map_or(1, usize::from);
    let (cores, endpoints_most, usual_endpoints) = match databases {
        Databases::Own(_) => {
            let cores = each_once(&arguments.cores);
            let cores = if cores.is_empty() { doubled_up_to(here) } else { cores };
            bounded("--cores", &cores, CORES_MAX)?;
            if let Some(more) = cores.iter().find(|count| here < **count) {
                let detail = format!("--cores {more}: there are {here}");
                return Err(Error::new(ErrorKind::BadInput, detail));
            }
            (cores, ENDPOINTS_MAX, vec![1, 2])
        }
        Databases::Others { targets, .. } => {
            let most = targets.iter().map(|target| target.endpoints.len()).max().unwrap_or(1);
            (Vec::new(), most, (1..=most).collect())
        }
    };
    let endpoints = each_once(&arguments.endpoints);
    let endpoints = if endpoints.is_empty() { usual_endpoints } else { endpoints };
    bounded("--endpoints", &endpoints, endpoints_most)?;
    Ok(Varied { connections, cores, endpoints, by: Vec::new() })
}

fn bounded(name: &str, counts: &[usize], most: usize) -> Result<()> {
    counts.iter().try_for_each(|count| within(name, *count as f64, 1.0, most as f64))
}

/// The values in their order, without those that came before.
fn each_once<T: PartialEq + Copy>(values: &[T]) -> Vec<T> {
    let mut once = Vec::with_capacity(values.len());
    for value in values {
        if !once.contains(value) {
            once.push(*value);
        }
    }
    once
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn settings(line: &str) -> std::result::Result<Settings, String> {
        let words = std::iter::once("films").chain(line.split_whitespace());
        let line = Line::try_parse_from(words).map_err(|error| error.to_string())?;
        Settings::of(&line.arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn without_arguments_it_is_the_experiment_of_the_article() {
        let settings = settings("").unwrap();
        let run = Duration::from_secs(60);
        assert_eq!(settings.time, Time::Each { run, warm_up: Duration::from_secs(2) });
        assert_eq!((settings.runs, settings.queries.len()), (10, 2));
        assert_eq!(settings.varied.connections, [1, 10, 50, 100, 200]);
        assert_eq!(settings.varied.endpoints, [1, 2]);
        assert!(matches!(settings.databases, Databases::Own(own) if own.films.scale == 0.05));
    }

    #[test]
    fn arguments_narrow_it() {
        let line =
            "--queries director --by _xid_,uid,uid --connections 7 --cores 1 --runs 2 --quick";
        let narrow = settings(line).unwrap();
        assert_eq!(narrow.queries, [Query::Director]);
        assert_eq!(narrow.by, [By::Xid, By::Uid]);
        assert_eq!((narrow.time, narrow.runs), (Time::Quick, 2));
        let given = settings(
            "--ids films --url http://127.0.0.1:1,http://127.0.0.1:2 --url grpc://127.0.0.1:3",
        );
        let given = given.unwrap();
        assert_eq!((given.varied.endpoints, given.varied.cores), (vec![1, 2], vec![]));
        assert!(matches!(given.databases, Databases::Others { targets, .. } if targets.len() == 2));
    }

    #[test]
    fn arguments_that_cannot_be_followed_are_refused_by_name() {
        for (line, said) in [
            ("--url http://127.0.0.1", "--ids"),
            ("--ids films", "--url"),
            ("--ids films --url http://127.0.0.1 --cores 1", "--cores"),
            ("--ids films --url http://127.0.0.1 --scale 1", "--scale"),
            ("--ids films --url http://127.0.0.1 --protocol grpc", "--protocol"),
            ("--ids films --url http://127.0.0.1 --endpoints 2", "--endpoints"),
            ("--by name", "_xid_"),
            ("--queries films", "director"),
            ("--connections 0", "--connections"),
            ("--cores 1000", "there are"),
            ("--runs 0", "--runs"),
            ("--scale 100", "--scale"),
            ("--client-threads 0", "--client-threads"),
        ] {
            let refused = settings(line).unwrap_err();
            assert!(refused.contains(said), "{line}: {refused}");
        }
    }
}
