//! `millrace load`: files into a data folder, into a running server, or only read.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use millrace_db::Database;
use millrace_db::ingest::load::{LoadOptions, LoadPath, Phase, Progress, Summary};
use millrace_db::ingest::source::Source;
use millrace_db::loads::input_of;
use millrace_db::model::{Error, ErrorKind, Result};

use crate::arguments::{Load, ProgressKind};
use crate::client::{Client, succeeded};
use crate::config;
use crate::exit::Failure;
use crate::progress::{Shower, summary_line};

/// Bad rows that are named at the end; the rest is counted.
const BAD_ROWS_SHOWN_MAX: usize = 20;

pub(crate) fn run(arguments: &Load) -> std::result::Result<(), Failure> {
    if let Some(url) = &arguments.url {
        return send(url, arguments).map_err(Failure::Server);
    }
    let settings = config::read(&arguments.settings)?.settings;
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

/// Sends the files to a server, as one load.
fn send(url: &str, arguments: &Load) -> Result<()> {
    let mut named = Vec::new();
    let mut body: Box<dyn Read> = Box::new(io::empty());
    let mut bytes_total = 0;
    for path in &arguments.files {
        let shown = path.display();
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Error::new(ErrorKind::NotFound, format!("{shown}: {error}")),
            _ => Error::new(ErrorKind::Io, format!("{shown}: {error}")),
        };
        let file = File::open(path).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains([',', ':']) {
            let detail = format!("{shown}: a name with a comma or a colon cannot be sent");
            return Err(Error::new(ErrorKind::BadInput, detail).with_help("rename the file"));
        }
        named.push(format!("{}:{bytes}", encoded(&name)));
        // What is announced is what is sent, also if the file grows meanwhile.
        body = Box::new(body.chain(file.take(bytes)));
        bytes_total += bytes;
    }
    let mut path = format!(
        "/load/{}?max-bad={}&files={}",
        encoded(&arguments.graph),
        arguments.max_bad,
        named.join(",")
    );
    if let Some(format) = &arguments.format {
        path.push_str(&format!("&format={}", encoded(format)));
    }
    let client = Client::new(url);
    client.ensure_graph(&encoded(&arguments.graph))?;
    let mut watched = Watched::new(body, bytes_total, arguments);
    let reply = client.send(&path, &mut watched);
    watched.shower.finish(None);
    println!("{}", succeeded(reply?)?);
    Ok(())
}

/// Counts what is read, and shows it.
struct Watched {
    body: Box<dyn Read>,
    progress: Progress,
    began: Instant,
    shower: Shower,
}

impl Watched {
    fn new(body: Box<dyn Read>, bytes_total: u64, arguments: &Load) -> Watched {
        let progress = Progress {
            phase: Phase::Reading,
            bytes: 0,
            bytes_total: Some(bytes_total),
            rows: 0,
            bad_rows: 0,
            vertices: 0,
            edges: 0,
            elapsed: Duration::ZERO,
        };
        let shower = Shower::new(&arguments.graph, arguments.progress);
        Watched { body, progress, began: Instant::now(), shower }
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.body.read(buffer)?;
        self.progress.bytes += bytes as u64;
        self.progress.elapsed = self.began.elapsed();
        self.shower.show(&self.progress);
        Ok(bytes)
    }
}

/// A name as it stands in a URL.
fn encoded(name: &str) -> String {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    name.bytes()
        .map(|byte| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}
