//! A Millrace of the experiment: films that are generated and loaded once, and servers of them.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use millrace_db::dql::DqlSchema;
use millrace_db::ingest::generate::{PredicateNames, PublishedFilms};
use millrace_db::ingest::load::LoadOptions;
use millrace_db::ingest::reading::{Reading, input_of_files};
use millrace_db::small_pages::SmallPages;
use millrace_db::{Database, RequestLimits};
use millrace_model::{ErrorKind, Result};
use serde::{Deserialize, Serialize};

use super::target::{Endpoint, Protocol, Target};
use crate::data::{self, Scratch, io_error};
use crate::experiments::{Serve, Served, settings};
use crate::jobs::{Job, Program, have_done};

/// What is wanted of it.
#[derive(Clone, Debug)]
pub(super) struct Own {
    pub(super) films: PublishedFilms,
    pub(super) protocol: Protocol,
    /// Where films are kept between runs.
    pub(super) data: PathBuf,
    pub(super) program: Program,
}

/// Films that are there.
pub(super) struct Prepared<'a> {
    own: &'a Own,
    pub(super) folders: Folders,
    /// Of the servers behind the first: a data folder has one server.
    copies: Vec<Scratch>,
}

/// Where films are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Folders {
    /// Their files.
    pub(super) files: PathBuf,
    /// The data folder.
    database: PathBuf,
}

/// Servers that run; killed when dropped.
pub(super) struct Running {
    pub(super) target: Target,
    _servers: Vec<Served>,
}

impl Own {
    /// Generates and loads what is not there.
    pub(super) fn prepare(&self) -> Result<Prepared<'_>> {
        fs::create_dir_all(&self.data).map_err(|error| io_error(&self.data, &error))?;
        let PublishedFilms { scale, seed, names, .. } = self.films;
        let has_short_names = names == PredicateNames::Short;
        let job = LoadFilms { data: self.data.clone(), scale, seed, has_short_names };
        let folders = have_done(&self.program, &job)?;
        Ok(Prepared { own: self, folders, copies: Vec::new() })
    }
}

impl Prepared<'_> {
    /// Starts so many servers. They use the processors that this thread may use.
    pub(super) fn serve(&mut self, count: usize) -> Result<Running> {
        let Own { data, program, protocol, .. } = self.own;
        while self.copies.len() + 1 < count {
            let name = format!("films-server-{}", self.copies.len() + 2);
            self.copies.push(Scratch::copy(data, &name, &self.folders.database)?);
        }
        let copies = self.copies.iter().map(Scratch::path);
        let folders = std::iter::once(self.folders.database.as_path()).chain(copies);
        let servers: Vec<Served> =
            folders.take(count).map(|folder| serve(program, folder)).collect::<Result<_>>()?;
        let endpoint = |served: &Served| Endpoint {
            address: match protocol {
                Protocol::Http => served.dql(),
                Protocol::Grpc => served.dql_grpc(),
            },
            process: Some(served.process_id()),
        };
        let endpoints = servers.iter().map(endpoint).collect();
        let target = Target { name: "Millrace".to_owned(), protocol: *protocol, endpoints };
        Ok(Running { target, _servers: servers })
    }
}

fn serve(program: &Program, folder: &Path) -> Result<Served> {
    let folder = folder.to_owned();
    Served::of(program, &Serve { folder, checkpoints: true, memory_max: None, queues: Vec::new() })
}

/// The job of a process that makes films; it answers with their folders. The load leaves nothing in the memory of the
/// process that measures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LoadFilms {
    data: PathBuf,
    scale: f64,
    seed: u64,
    has_short_names: bool,
}

impl Job for LoadFilms {
    const NAME: &'static str = "LoadFilms";
}

impl LoadFilms {
    /// Makes what is not there, or is of another format.
    pub(crate) fn run(&self) -> Result<Folders> {
        let LoadFilms { scale, seed, has_short_names, .. } = *self;
        let names = if has_short_names { PredicateNames::Short } else { PredicateNames::Freebase };
        let films = PublishedFilms { scale, seed, names, uids: false, xids: true };
        let name =
            format!("published-{scale}-{seed}{}", if has_short_names { "-short" } else { "" });
        let files = data::once(&self.data, &format!("films-{name}"), |folder| {
            films.write_files(folder).map(|_| ())
        })?;
        let database_name = format!("database-films-{name}");
        let kept = self.data.join(&database_name);
        if kept.is_dir() {
            match Database::open(&kept, settings()) {
                Err(error) if error.kind == ErrorKind::Unsupported => {
                    fs::remove_dir_all(&kept).map_err(|error| io_error(&kept, &error))?;
                }
                opened => opened?.close(),
            }
        }
        let database = data::once(&self.data, &database_name, |folder| load(&files, folder))?;
        Ok(Folders { files, database })
    }
}

/// Loads as `millrace load --schema` does.
fn load(files: &Path, folder: &Path) -> Result<()> {
    let _small = SmallPages::begin();
    let schema = files.join("films.schema");
    let schema = fs::read_to_string(&schema).map_err(|error| io_error(&schema, &error))?;
    let schema = DqlSchema::parse(&schema)?;
    let database = Database::open(folder, settings())?;
    let graph = database.ensure_graph(&database.settings().dql.graph)?;
    let reading = Reading { declared: Some(schema.declared()), ..Reading::default() };
    let input = input_of_files(&[&files.join("films.rdf.gz")], &reading)?;
    let loaded = graph.load(input, LoadOptions::default(), &mut |_| ControlFlow::Continue(()))?;
    let limits = RequestLimits::within(u64::MAX, database.settings());
    graph.define_dql(&schema, &loaded.undeclared, &limits)?;
    // The checkpoint of the load must not fall into a run.
    database.checkpoint()?;
    database.close();
    Ok(())
}
