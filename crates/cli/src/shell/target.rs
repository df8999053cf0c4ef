//! What a shell asks: a running server, or a data folder that it opens itself.
//!
//! Both answer with the same lines, since a server's `/query/{graph}` sends those that the folder gives.

use std::io::BufRead;
use std::path::Path;

use millrace_db::languages::Entry;
use millrace_db::session::ExplicitTransaction;
use millrace_db::{Database, RequestLimits, Settings};
use millrace_model::{Error, ErrorKind, Result};
use millrace_server::query::{Answer, AnswerForm, Query};
use serde::{Deserialize, Serialize};

use super::http::{self, Url};
use super::interrupt::Interrupt;
use super::parameters::Parameters;
use crate::answer::{Line, Lines, Summary, read, refused, truncated};
use crate::client::encoded;
use crate::folder;

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
    pub(crate) parameters: &'a Parameters,
    pub(crate) mode: Mode,
}

/// What is wanted of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Its rows.
    Rows,
    /// Its profile in place of the rows.
    Profile,
    /// Its rows with types; it may not write.
    TypedRead,
}

/// A transaction of several statements. Dropped, it is rolled back: in a server after a while.
pub(crate) enum Transaction {
    Folder(Box<ExplicitTransaction>),
    /// Its number in the server.
    Server(u64),
}

#[derive(Deserialize)]
struct Begun {
    transaction: u64,
}

/// A word that may stand at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Proposed {
    pub(crate) text: String,
    pub(crate) detail: String,
}

/// The body of a query.
#[derive(Serialize)]
struct Body<'a> {
    language: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Parameters::is_empty")]
    typed_parameters: &'a Parameters,
    #[serde(skip_serializing_if = "Option::is_none")]
    access: Option<&'static str>,
    profile: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    types: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction: Option<u64>,
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

/// Whether a folder that is in use could be read all the same.
fn is_only_read(path: &Path, settings: &Settings, error: &Error) -> bool {
    error.kind == ErrorKind::Unavailable && folder::open_to_read(path, settings.clone()).is_ok()
}

impl Target {
    /// The server of a URL.
    pub(crate) fn server(url: &str) -> Result<Target> {
        Url::parse(url).map(Target::Server)
    }

    /// The database of a folder that is there.
    pub(crate) fn folder(path: &Path, settings: Settings, read_only: bool) -> Result<Target> {
        if read_only {
            return Ok(Target::Folder(Box::new(folder::open_to_read(path, settings)?)));
        }
        match folder::open(path, settings.clone()) {
            Err(error) if is_only_read(path, &settings, &error) => {
                Err(error.with_help("`--read-only` reads it as well, beside the other process"))
            }
            opened => Ok(Target::Folder(Box::new(opened?))),
        }
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

    /// Runs a query to its end, line by line; an interrupt cancels it. After an error its transaction is rolled back.
    pub(crate) fn ask(
        &self,
        asked: &Asked<'_>,
        transaction: Option<&mut Transaction>,
        interrupt: &Interrupt,
        on_line: OnLine<'_>,
    ) -> Result<Summary> {
        match (self, transaction) {
            (Target::Folder(database), None) => {
                ask_folder(database, asked, None, interrupt, on_line)
            }
            (Target::Folder(database), Some(Transaction::Folder(inner))) => {
                ask_folder(database, asked, Some(inner), interrupt, on_line)
            }
            (Target::Server(url), None) => ask_server(url, asked, None, interrupt, on_line),
            (Target::Server(url), Some(Transaction::Server(id))) => {
                ask_server(url, asked, Some(*id), interrupt, on_line)
            }
            (Target::Folder(_) | Target::Server(_), Some(_)) => Err(elsewhere()),
        }
    }

    /// Begins a transaction of several statements on a graph.
    pub(crate) fn begin(&self, graph: &str, interrupt: &Interrupt) -> Result<Transaction> {
        match self {
            Target::Folder(_) => {
                Ok(Transaction::Folder(Box::new(ExplicitTransaction::begin(false))))
            }
            Target::Server(url) => {
                let body = succeeded(url, ("POST", &transactions(graph, None)), interrupt)?;
                Ok(Transaction::Server(read::<Begun>(&body)?.transaction))
            }
        }
    }

    /// Commits a transaction; what it wrote is visible then.
    pub(crate) fn commit(
        &self,
        transaction: Transaction,
        graph: &str,
        interrupt: &Interrupt,
    ) -> Result<()> {
        match (self, transaction) {
            (Target::Folder(_), Transaction::Folder(inner)) => match inner.commit()? {
                Some(ticket) => ticket.wait().map(drop),
                None => Ok(()),
            },
            (Target::Server(url), Transaction::Server(id)) => {
                succeeded(url, ("POST", &transactions(graph, Some(id))), interrupt).map(drop)
            }
            (Target::Folder(_) | Target::Server(_), _) => Err(elsewhere()),
        }
    }

    /// Rolls a transaction back.
    pub(crate) fn roll_back(
        &self,
        transaction: Transaction,
        graph: &str,
        interrupt: &Interrupt,
    ) -> Result<()> {
        match (self, transaction) {
            (Target::Server(url), Transaction::Server(id)) => {
                succeeded(url, ("DELETE", &transactions(graph, Some(id))), interrupt).map(drop)
            }
            (Target::Folder(_) | Target::Server(_), transaction) => {
                drop(transaction);
                Ok(())
            }
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

/// The path of transactions on a graph, or of one of them.
fn transactions(graph: &str, id: Option<u64>) -> String {
    let all = format!("/transactions/{}", encoded(graph));
    id.map_or_else(|| all.clone(), |id| format!("{all}/{id}"))
}

/// The body of an answer that is a success.
fn succeeded(url: &Url, target: (&str, &str), interrupt: &Interrupt) -> Result<String> {
    let reply = http::send(url, target, "", interrupt)?;
    match reply.status {
        200..300 => Ok(reply.body),
        status => Err(refused(status, &reply.body)),
    }
}

fn elsewhere() -> Error {
    Error::new(ErrorKind::Bug, "the transaction is one of another target")
}

fn ask_folder(
    database: &Database,
    asked: &Asked<'_>,
    transaction: Option<&mut ExplicitTransaction>,
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
        parameters: asked.parameters.values()?,
        is_read_only: asked.mode == Mode::TypedRead,
        is_profiled: asked.mode == Mode::Profile,
        limits,
    };
    let form = AnswerForm { rows_max: None, has_types: asked.mode == Mode::TypedRead };
    let mut answer = match transaction {
        None => Answer::begin(database, query, form)?,
        Some(transaction) => Answer::within(database, transaction, query, form)?,
    };
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
    transaction: Option<u64>,
    interrupt: &Interrupt,
    on_line: OnLine<'_>,
) -> Result<Summary> {
    let body = Body {
        language: asked.language.name(),
        text: asked.text,
        typed_parameters: asked.parameters,
        access: (asked.mode == Mode::TypedRead).then_some("read"),
        profile: asked.mode == Mode::Profile,
        types: asked.mode == Mode::TypedRead,
        transaction,
    };
    let body = serde_json::to_string(&body)
        .map_err(|error| Error::new(ErrorKind::Bug, format!("a query is not JSON: {error}")))?;
    let path = format!("/query/{}", encoded(asked.graph));
    let mut reply = http::open(url, ("POST", &path), &body, interrupt)?;
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
