//! Films with the counts of a published experiment: generated once, and loaded once with each schema.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use millrace_db::dql::DqlSchema;
use millrace_db::ingest::generate::{PredicateNames, PublishedFilms};
use millrace_db::ingest::load::{LoadOptions, Summary};
use millrace_db::ingest::reading::{Reading, input_of_files};
use millrace_db::small_pages::SmallPages;
use millrace_db::{Database, RequestLimits};
use millrace_model::{ErrorKind, Result};
use serde::{Deserialize, Serialize};

use crate::data::{self, io_error};
use crate::experiments::measurement::settings;
use crate::jobs::Job;

/// Which indexes the schema names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Indexes {
    /// Those that are generated: `hash`, `term`, `trigram` and `fulltext` of names, `year` of dates, and few others.
    All,
    /// `exact` of names and ids, `year` of dates.
    ExactAndYear,
}

/// Films of a size.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Published {
    /// The fraction of the published counts.
    pub(crate) scale: f64,
    pub(crate) seed: u64,
    pub(crate) has_short_names: bool,
    /// Whether nodes are named by uids.
    pub(crate) uids: bool,
    /// Whether each person has its name as a value, too.
    pub(crate) xids: bool,
    pub(crate) indexes: Indexes,
}

/// Where films are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Folders {
    /// Their files.
    pub(crate) files: PathBuf,
    /// The data folder.
    pub(crate) database: PathBuf,
}

/// The job of a process that makes films; it answers with their folders. The load leaves nothing in the memory of the
/// process that measures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LoadFilms {
    pub(crate) data: PathBuf,
    pub(crate) films: Published,
}

impl Job for LoadFilms {
    const NAME: &'static str = "LoadFilms";
}

impl LoadFilms {
    /// Makes what is not there, or is of another format.
    pub(crate) fn run(&self) -> Result<Folders> {
        let files = self.films.files(&self.data)?;
        let indexes = if self.films.indexes == Indexes::All { "" } else { "-exact" };
        let database_name = format!("database-films-{}{indexes}", self.films.name());
        let kept = self.data.join(&database_name);
        if kept.is_dir() {
            match Database::open(&kept, settings()) {
                Err(error) if error.kind == ErrorKind::Unsupported => {
                    fs::remove_dir_all(&kept).map_err(|error| io_error(&kept, &error))?;
                }
                opened => opened?.close(),
            }
        }
        let database = data::once(&self.data, &database_name, |folder| {
            let schema = self.films.schema(&files)?;
            load(&[&files.join(FILE)], &schema, folder).map(drop)
        })?;
        Ok(Folders { files, database })
    }
}

/// The file of statements.
pub(super) const FILE: &str = "films.rdf.gz";

impl Published {
    /// Films of a row, by today's names of predicates.
    pub(super) fn of(scale: f64, indexes: Indexes) -> Published {
        Published { scale, seed: 1, has_short_names: true, uids: false, xids: true, indexes }
    }

    fn name(&self) -> String {
        let Published { scale, seed, has_short_names, uids, xids, .. } = *self;
        let names = if has_short_names { "-short" } else { "" };
        let (uids, xids) = (if uids { "-uids" } else { "" }, if xids { "" } else { "-no-xids" });
        format!("published-{scale}-{seed}{names}{uids}{xids}")
    }

    fn generated(&self) -> PublishedFilms {
        let Published { scale, seed, uids, xids, .. } = *self;
        let short = self.has_short_names;
        let names = if short { PredicateNames::Short } else { PredicateNames::Freebase };
        PublishedFilms { scale, seed, names, uids, xids }
    }

    /// How many films there are.
    pub(super) fn film_count(&self) -> u64 {
        u64::from(self.generated().counts().films)
    }

    /// The folder of the files.
    pub(super) fn files(&self, data: &Path) -> Result<PathBuf> {
        data::once(data, &format!("films-{}", self.name()), |folder| {
            self.generated().write_files(folder).map(|_| ())
        })
    }

    /// The text of the schema.
    pub(super) fn schema(&self, files: &Path) -> Result<String> {
        let path = files.join("films.schema");
        let text = fs::read_to_string(&path).map_err(|error| io_error(&path, &error))?;
        Ok(match self.indexes {
            Indexes::All => text,
            Indexes::ExactAndYear => text
                .replace("@index(hash, term, trigram, fulltext)", "@index(exact)")
                .replace("@index(hash, term)", "@index(exact)")
                .replace("@index(hash)", "@index(exact)")
                .replace("@index(fulltext) ", "")
                .replace("@index(int) ", ""),
        })
    }
}

/// What a load did.
pub(super) struct Loaded {
    pub(super) summary: Summary,
    /// From opening the files until all of it, its indexes too, was visible.
    pub(super) seconds: f64,
}

/// Loads files into a new folder as `millrace load --schema` does.
pub(super) fn load(files: &[&Path], schema: &str, folder: &Path) -> Result<Loaded> {
    let _small = SmallPages::begin();
    let schema = DqlSchema::parse(schema)?;
    let database = Database::open(folder, settings())?;
    let graph = database.ensure_graph(&database.settings().dql.graph)?;
    let began = std::time::Instant::now();
    let reading = Reading { declared: Some(schema.declared()), ..Reading::default() };
    let input = input_of_files(files, &reading)?;
    let summary = graph.load(input, LoadOptions::default(), &mut |_| ControlFlow::Continue(()))?;
    let limits = RequestLimits::within(u64::MAX, database.settings());
    graph.define_dql(&schema, &summary.undeclared, &limits)?;
    let seconds = began.elapsed().as_secs_f64();
    // The checkpoint of the load must not fall into a run.
    database.checkpoint()?;
    database.close();
    Ok(Loaded { summary, seconds })
}
