//! What a shell asks: a running server, or a data folder that it opens itself.
//!
//! Both answer with the same lines, since a server's `/query/{graph}` sends those that the folder gives.

use std::io::BufRead;
use std::path::Path;

use millrace_db::languages::Entry;
use millrace_db::{Database, RequestLimits, Settings};
use millrace_model::{Error, ErrorKind, Result, UNWRITABLE_FOLDER};
use millrace_server::query::{Answer, Query};
use serde::Deserialize;

use super::http::{self, Url};
use super::interrupt::Interrupt;
use crate::answer::{Line, Lines, Summary, read, refused, truncated};
use crate::client::encoded;

/// What is asked.
pub(crate) enum Target {
    Server(Url),
    Folder(Box<Database>),
}

/// A query.
#[derive(Clone, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) language: Entry,
    pub(crate) graph: &'a str,
    pub(crate) text: &'a str,
    /// Whether the profile is wanted in place of the rows.
    pub(crate) is_profiled: bool,
}

/// A word that may stand at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Proposed {
    pub(crate) text: String,
    pub(crate) detail: String,
}

#[derive(Deserialize)]
struct Targets {
    graphs: Vec<String>,
}

#[derive(Deserialize)]
struct Checked {
    completions: Vec<Proposed>,
}

/// Takes the lines of an answer before its last.
pub(crate) type OnLine<'a> = &'a mut dyn FnMut(Line) -> Result<()>;

impl Target {
    /// The server of a URL.
    pub(crate) fn server(url: &str) -> Result<Target> {
        Url::parse(url).map(Target::Server)
    }

    /// The database of a folder that is there.
    pub(crate) fn folder(folder: &Path, settings: Settings, read_only: bool) -> Result<Target> {
        if !folder.is_dir() {
            let detail = format!("there is no data folder {}", folder.display());
            let help = "millrace serve --data DIR makes one";
            return Err(Error::new(ErrorKind::NotFound, detail).with_help(help));
        }
        if read_only {
            return Ok(Target::Folder(Box::new(Database::open_to_read(folder, settings)?)));
        }
        let database = match Database::open(folder, settings.clone()) {
            Err(error) if error.name == Some(UNWRITABLE_FOLDER) => {
                eprintln!("note: {}; it is only read", error.detail);
                Database::open_to_read(folder, settings)?
            }
            opened => opened?,
        };
        Ok(Target::Folder(Box::new(database)))
    }

    /// The names of graphs.
    pub(crate) fn graphs(&self, interrupt: &Interrupt) -> Result<Vec<String>> {
        match self {
            Target::Folder(database) => Ok(database.query_graphs()),
            Target::Server(url) => {
                let reply = http::send(url, ("GET", "/query"), "", interrupt)?;
                match reply.status {
                    200 => Ok(read::<Targets>(&reply.body)?.graphs),
                    status => Err(refused(status, &reply.body)),
                }
            }
        }
    }

    /// Runs a query to its end, line by line; an interrupt cancels it.
    pub(crate) fn ask(
        &self,
        asked: &Asked<'_>,
        interrupt: &Interrupt,
        on_line: OnLine<'_>,
    ) -> Result<Summary> {
        match self {
            Target::Folder(database) => ask_folder(database, asked, interrupt, on_line),
            Target::Server(url) => ask_server(url, asked, interrupt, on_line),
        }
    }

    /// Words that may stand at an offset of a text, in characters.
    pub(crate) fn complete(
        &self,
        asked: &Asked<'_>,
        offset: usize,
        interrupt: &Interrupt,
    ) -> Result<Vec<Proposed>> {
        match self {
            Target::Folder(database) => {
                let graph = database.query_graph(asked.graph, true)?;
                let at = asked.text.char_indices().nth(offset).map(|(at, _)| at);
                let at = Some(at.unwrap_or(asked.text.len()));
                let checked = asked.language.check(database, &graph, asked.text, at)?;
                let proposed = checked.completions.into_iter();
                Ok(proposed.map(|own| Proposed { text: own.text, detail: own.detail }).collect())
            }
            Target::Server(url) => {
                let path = format!("/check/{}", encoded(asked.graph));
                let body = serde_json::json!({
                    "language": asked.language.name(), "text": asked.text, "offset": offset
                });
                let reply = http::send(url, ("POST", &path), &body.to_string(), interrupt)?;
                match reply.status {
                    200 => Ok(read::<Checked>(&reply.body)?.completions),
                    status => Err(refused(status, &reply.body)),
                }
            }
        }
    }

    /// Ends what was opened.
    pub(crate) fn close(&self) {
        if let Target::Folder(database) = self {
            database.close();
        }
    }
}

fn ask_folder(
    database: &Database,
    asked: &Asked<'_>,
    interrupt: &Interrupt,
    on_line: OnLine<'_>,
) -> Result<Summary> {
    let settings = database.settings();
    let limits = RequestLimits::within(settings.deadline_ms_of(asked.language.name()), settings);
    let cancel = limits.cancel.clone();
    let _watched = interrupt.watch(move || cancel.cancel());
    let query = Query {
        language: asked.language,
        graph: asked.graph.to_owned(),
        text: asked.text.into(),
        parameters: Vec::new(),
        is_read_only: false,
        is_profiled: asked.is_profiled,
        limits,
    };
    let mut answer = Answer::begin(database, query, None)?;
    let mut lines = Lines::default();
    loop {
        let chunk = answer.next(database);
        for text in chunk.lines.lines() {
            match lines.read(text)? {
                Line::Summary(summary) => return Ok(summary),
                line => on_line(line)?,
            }
        }
        if chunk.outcome.is_some() {
            return Err(truncated());
        }
    }
}

fn ask_server(
    url: &Url,
    asked: &Asked<'_>,
    interrupt: &Interrupt,
    on_line: OnLine<'_>,
) -> Result<Summary> {
    let body = serde_json::json!({
        "language": asked.language.name(), "text": asked.text, "profile": asked.is_profiled
    });
    let path = format!("/query/{}", encoded(asked.graph));
    let mut reply = http::open(url, ("POST", &path), &body.to_string(), interrupt)?;
    if reply.status != 200 {
        let status = reply.status;
        return Err(refused(status, &reply.whole()?));
    }
    let (mut lines, mut text) = (Lines::default(), String::new());
    loop {
        text.clear();
        let count = reply.body.read_line(&mut text).map_err(|error| reply.failed(&error))?;
        if count == 0 {
            return Err(reply.ended_early());
        }
        match lines.read(&text)? {
            Line::Summary(summary) => return Ok(summary),
            line => on_line(line)?,
        }
    }
}
