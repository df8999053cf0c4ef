//! `millrace demo`: two graphs made, loaded, asked and served.
//!
//! A graph is loaded as one commit, so after a demo that was stopped half-way an empty graph means
//! "not loaded yet", and a second start goes on from there.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use millrace_db::ingest::generate::{Films, Likes};
use millrace_db::ingest::load::UnknownTypes;
use millrace_db::ingest::reading::Reading;
use millrace_db::{Database, Settings};
use millrace_model::{Error, ErrorKind, Result};
use millrace_server::wire::json::write_string;
use millrace_server::{Server, Signals};

use super::load::{Wanted, load_files};
use super::questions::{FILMS, LIKES, QUESTIONS};
use super::serve::announce;
use crate::arguments::{Demo, ProgressKind};
use crate::client::Client;
use crate::config;
use crate::exit::Failure;
use crate::log::{self, Usual};
use crate::memory;
use crate::progress::summary_line;
use crate::say;

const LIKES_SIZE: Likes = Likes { people: 20_000, items: 1_000, likes_a_person: 50, seed: 1 };

pub(crate) fn run(arguments: &Demo) -> std::result::Result<(), Failure> {
    let resolved = config::read_for_server(&arguments.settings, false)?;
    log::start(&resolved, Usual::Warnings);
    let mut settings = resolved.settings;
    // Unless something else is said, `g` is one of its graphs.
    if settings.gremlin.graph == Settings::default().gremlin.graph {
        settings.gremlin.graph = FILMS.to_owned();
    }
    let folder = arguments.data.join("data");
    let database = Arc::new(Database::open(&folder, settings)?);
    // First the port: a user must not wait for a load to hear that the port is taken.
    let (server, signals) = Server::start_obeying_signals(Arc::clone(&database))?;
    memory::give_back();
    announce(&folder, &server);
    let asked = fill(&database, &arguments.data.join("files"), &signals)
        .and_then(|()| url(&server, "admin").map_or(Ok(()), |url| ask_all(&url, &signals)));
    match asked {
        // A signal stopped it in the middle.
        _ if signals.has_arrived() => server.stop(),
        Err(error) => {
            server.stop();
            return Err(error.into());
        }
        Ok(()) if arguments.once => server.stop(),
        Ok(()) => {
            suggest(&server);
            server.run(signals);
        }
    }
    say!("stopped; the data is still in {}", arguments.data.display());
    Ok(())
}

fn fill(database: &Database, files: &Path, signals: &Signals) -> Result<()> {
    fill_one(database, FILMS, (files, signals), |folder| {
        let path = folder.join("films.rdf.gz");
        Films::default().write_file(&path)?;
        Ok(vec![path])
    })?;
    fill_one(database, LIKES, (files, signals), |folder| {
        let files = LIKES_SIZE.write_files(folder, false)?;
        Ok(files.paths().map(Path::to_owned).to_vec())
    })
}

/// Makes and loads a graph, unless it is there.
fn fill_one(
    database: &Database,
    name: &str,
    (files, signals): (&Path, &Signals),
    write: impl FnOnce(&Path) -> Result<Vec<PathBuf>>,
) -> Result<()> {
    database.ensure_graph(name)?;
    let size = database.graph_size(name)?;
    if 0 < size.vertices {
        let (vertices, edges) = (size.vertices, size.edges);
        say!("{name}: {vertices} vertices and {edges} edges, loaded already");
        return Ok(());
    }
    say!("{name}: generating files in {}", files.display());
    fs::create_dir_all(files)
        .map_err(|error| Error::new(ErrorKind::Io, format!("{}: {error}", files.display())))?;
    let paths = write(files)?;
    let wanted = Wanted {
        unknown_types: UnknownTypes::Refuse,
        reading: &Reading::default(),
        bad_rows_max: 0,
        progress: ProgressKind::Auto,
        is_stopped: &|| signals.has_arrived(),
    };
    let summary = load_files(database, name, &paths, &wanted)?;
    say!("{}", summary_line(name, &summary));
    Ok(())
}

fn ask_all(url: &str, signals: &Signals) -> Result<()> {
    let client = Client::new(url)?;
    for (number, question) in QUESTIONS.iter().enumerate() {
        if signals.has_arrived() {
            break;
        }
        say!("\n{}. {}", number + 1, with_names(question.words));
        for (language, text) in
            [("cypher", question.cypher), ("gremlin", question.gremlin), ("lua", question.script)]
        {
            let text = with_names(text);
            ask_one(language, &text, || client.ask(language, question.graph, &text))?;
        }
    }
    Ok(())
}

fn ask_one(language: &str, text: &str, ask: impl FnOnce() -> Result<String>) -> Result<()> {
    let began = Instant::now();
    let answer = ask()?;
    let took = began.elapsed();
    text.lines().for_each(|line| say!("   {language:<7} | {line}"));
    say!("   {answer}   in {:.1} ms", took.as_secs_f64() * 1_000.0);
    Ok(())
}

/// Names of the generated films in place of their stand-ins.
fn with_names(text: &str) -> String {
    let films = Films::default();
    text.replace("{director}", &films.busy_director())
        .replace("{actor}", &films.busy_actor())
        .replace("{director_id}", &films.busy_director_xid())
}

/// The URL of a listener, if it is on.
fn url(server: &Server, listener: &str) -> Option<String> {
    server.address(listener).map(|address| format!("http://{address}"))
}

fn suggest(server: &Server) {
    if let Some(page) = url(server, "admin") {
        say!("\nOpen {page}/ in a browser: the page has examples. Or from another terminal:");
        say!("  millrace shell --url {page} --graph {FILMS} --language cypher");
    }
    if let Some(address) = server.address("bolt") {
        say!("  any driver of Neo4j, at bolt://{address}, database {FILMS} or {LIKES}");
    }
    let mut text = String::new();
    write_string(&mut text, &with_names(QUESTIONS[1].gremlin).replace('\n', ""));
    if let Some(url) = url(server, "gremlin") {
        say!("  curl {url}/gremlin -d '{{\"gremlin\": {text}}}'");
    }
    if let Some(url) = url(server, "lua") {
        say!("  curl {url}/ro/{FILMS}/lua -d '{}'", with_names(QUESTIONS[1].script));
        say!("  curl {url}/db/{LIKES}/node/Person/person17/degree/out/LIKES");
    }
    say!("\nServing until Ctrl-C; the data is kept.");
}
