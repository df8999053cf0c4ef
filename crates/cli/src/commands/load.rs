//! `millrace load`: files into a data folder, into a running server, or only read.
//!
//! What a reader would get wrong: into a folder a load is one commit, so there is nothing to go on
//! with when it is killed: the folder is as it was. Only a server takes batches.

use std::ops::ControlFlow;
use std::path::PathBuf;

use millrace_db::Database;
use millrace_db::ingest::load::{LoadOptions, LoadPath, Summary};
use millrace_db::ingest::source::Source;
use millrace_db::loads::input_of;
use millrace_db::model::Result;
use millrace_db::small_pages::SmallPages;

use crate::arguments::{Load, ProgressKind};
use crate::commands::{load_online, rejects::RejectFiles};
use crate::config;
use crate::exit::Failure;
use crate::progress::{Shower, summary_line};

/// Bad rows that are named at the end; the rest is counted.
pub(crate) const BAD_ROWS_SHOWN_MAX: usize = 20;

pub(crate) fn run(arguments: &Load) -> std::result::Result<(), Failure> {
    let rejects = RejectFiles::of(arguments)?;
    if let Some(url) = arguments.url.as_ref().filter(|_| !arguments.dry_run) {
        return load_online::run(url, arguments, &rejects);
    }
    let settings = config::read(&arguments.settings)?.settings;
    let _small = SmallPages::begin();
    let database = match &arguments.data {
        Some(data) if !arguments.dry_run => Database::open(data, settings)?,
        _ => Database::in_memory(settings)?,
    };
    let wanted = Wanted {
        format: arguments.format.as_deref(),
        bad_rows_max: arguments.max_bad,
        progress: arguments.progress,
        // A signal ends the process; what was loaded until then is not there.
        is_told_to_stop: &|| false,
    };
    let result = load_files(&database, &arguments.graph, &arguments.files, &wanted);
    database.close();
    let summary = result?;
    for row in summary.rejects.iter().take(BAD_ROWS_SHOWN_MAX) {
        eprintln!("left out: {row}");
    }
    rejects.write(&summary.rejects, &summary.more_rejects)?;
    println!("{}", summary_line(&arguments.graph, &summary));
    if arguments.dry_run {
        println!("nothing was stored: this was a dry run, as into an empty graph");
    }
    Ok(())
}

/// How files are loaded.
pub(crate) struct Wanted<'a> {
    pub(crate) format: Option<&'a str>,
    pub(crate) bad_rows_max: u64,
    pub(crate) progress: ProgressKind,
    pub(crate) is_told_to_stop: &'a dyn Fn() -> bool,
}

/// Loads files as one commit into a graph that is made if it is not there.
pub(crate) fn load_files(
    database: &Database,
    graph: &str,
    paths: &[PathBuf],
    wanted: &Wanted<'_>,
) -> Result<Summary> {
    let sources = paths.iter().map(|path| Ok(Source::file(path)?)).collect::<Result<_>>()?;
    let input = input_of(sources, wanted.format)?;
    let options = LoadOptions { bad_rows_max: wanted.bad_rows_max, path: LoadPath::Bulk };
    let is_new = !database.graphs().iter().any(|known| known == graph);
    let graph = database.ensure_graph(graph)?;
    let mut shower = Shower::new(graph.name(), wanted.progress);
    let result = graph.load(input, options, &mut |progress| {
        shower.show(progress);
        match (wanted.is_told_to_stop)() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    shower.finish(result.as_ref().ok());
    if result.is_err() && is_new {
        // The load's own error is the one to tell; an empty graph left behind would do no harm.
        let _left = database.drop_graph(graph.name());
    }
    result
}
