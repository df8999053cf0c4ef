//! Arguments of `millrace bench films`.

use std::path::PathBuf;

use millrace_db::settings::measures::seconds_of_flag;

use super::queries::{By, Query};
use super::target::Protocol;
use crate::jobs::Program;

/// Arguments of `millrace bench films`.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// A database that answers DQL: http://HOST:PORT or grpc://HOST:PORT, several endpoints with commas between them.
    /// Given several times, they are measured in turn. Without it, films are generated, loaded and served by a
    /// Millrace of its own, in a folder under --data.
    #[arg(long, value_name = "URL[,URL…]", requires = "ids")]
    pub url: Vec<String>,
    /// The folder of `millrace generate films --as-published` with the films of these databases.
    #[arg(long, value_name = "DIR", requires = "url")]
    pub ids: Option<PathBuf>,
    /// The size of the films that are generated, relative to the published ones.
    #[arg(long, value_name = "FACTOR", default_value_t = 0.05, conflicts_with = "url")]
    pub scale: f64,
    /// The seed of the films that are generated, and of the order in which ids are drawn.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// The names of predicates of films that are generated.
    #[arg(long, value_name = "NAMES", default_value = "freebase", conflicts_with = "url")]
    pub predicates: Predicates,
    /// What its own server is asked by.
    #[arg(long, value_name = "NAME", default_value = "http", conflicts_with = "url")]
    pub protocol: Protocol,
    /// Ask only these queries.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub queries: Vec<Query>,
    /// How nodes are named; the first is used while something else is varied.
    #[arg(long, value_name = "HOW", value_delimiter = ',')]
    pub by: Vec<By>,
    /// Connections, to all endpoints together, each with one request under way.
    #[arg(long, value_name = "COUNT", value_delimiter = ',', default_value = "1,10,50,100,200")]
    pub connections: Vec<usize>,
    /// Processors that its own server and the client share; by default 1, 2, 4 up to all.
    #[arg(long, value_name = "COUNT", value_delimiter = ',', conflicts_with = "url")]
    pub cores: Vec<usize>,
    /// How many endpoints are asked, in turn; by default 1 and all that are given, or 1 and 2 servers of its own.
    #[arg(long, value_name = "COUNT", value_delimiter = ',')]
    pub endpoints: Vec<usize>,
    /// How long a run is.
    #[arg(long, value_name = "SECONDS|TIME", value_parser = seconds_of_flag)]
    pub seconds: Option<f64>,
    /// Runs of each figure, which is their median.
    #[arg(long, value_name = "COUNT")]
    pub runs: Option<usize>,
    /// How long each query is asked before its runs, unmeasured.
    #[arg(long, value_name = "SECONDS|TIME", value_parser = seconds_of_flag)]
    pub warm_up: Option<f64>,
    /// Threads of the client.
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub client_threads: usize,
    /// A try of about a minute: short runs, three of each.
    #[arg(long)]
    pub quick: bool,
    /// Write a report with charts to this file: one HTML page that needs nothing else.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write all figures to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Where films are kept between runs, as files and as a data folder.
    #[arg(long, value_name = "DIR", default_value = "millrace-bench")]
    pub data: PathBuf,
    /// How the bench starts itself again; this program, unless a test says otherwise.
    #[arg(skip)]
    pub program: Program,
}

/// The names of predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Predicates {
    /// name, actor.film, genre.
    Short,
    /// type.object.name.en, film.actor.film, film.film.genre.
    Freebase,
}
