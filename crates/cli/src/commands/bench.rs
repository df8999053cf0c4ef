//! `millrace bench`: hands over to the crate of that name.

use millrace_model::{Error, ErrorKind};

use crate::arguments::{Bench, BenchLoad};
use crate::exit::Failure;

pub(crate) fn run(arguments: &Bench) -> Result<(), Failure> {
    let reached = match (&arguments.load, &arguments.experiment) {
        (Some(BenchLoad::Films(arguments)), _) => {
            millrace_bench::films::run(arguments).map_err(Failure::Server)?;
            true
        }
        (Some(BenchLoad::Gremlin(arguments)), _) => {
            millrace_bench::gremlin::run(arguments).map_err(Failure::Server)?
        }
        (Some(BenchLoad::ScalingWrites(arguments)), _) => {
            millrace_bench::scaling_writes::run(arguments).map_err(Failure::Server)?
        }
        (None, Some(experiment)) => millrace_bench::run(experiment)?,
        (None, None) => {
            let detail = "an experiment is missing: likes, commit, cypher, growth, indexes, rest, load, queue, serve, films, gremlin or scaling-writes";
            return Err(Error::new(ErrorKind::BadInput, detail).into());
        }
    };
    match reached {
        true => Ok(()),
        false => Err(Failure::ThresholdMissed),
    }
}
