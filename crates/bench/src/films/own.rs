//! A Millrace of the experiment: films that are generated and loaded once, and servers of them.

use std::fs;
use std::path::{Path, PathBuf};

use millrace_db::ingest::generate::{PredicateNames, PublishedFilms};
use millrace_model::Result;

use super::target::{Endpoint, Protocol, Target};
use crate::data::{Scratch, io_error};
use crate::experiments::{Folders, Indexes, LoadFilms, Published, Serve, Served};
use crate::jobs::{Program, have_done};

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
        let indexes = Indexes::All;
        let films = Published { scale, seed, has_short_names, uids: false, xids: true, indexes };
        let job = LoadFilms { data: self.data.clone(), films };
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
