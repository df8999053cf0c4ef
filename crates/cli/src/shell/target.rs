//! What a shell asks: a running server, or a data folder that it opens itself.
//!
//! Both answer with the same results and the same errors, since the server's `/query` is the function that the
//! folder is asked by.

use std::path::Path;
use std::time::Instant;

use millrace_db::model::{Error, ErrorKind, Result, TextPosition};
use millrace_db::{Database, Settings};
use millrace_server::query::{self, Query};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::http::{self, Url};
use super::interrupt::Interrupt;

/// What is asked.
pub(crate) enum Target {
    Server(Url),
    Folder(Box<Database>),
}

/// Results and how long they took.
pub(crate) struct Answer {
    /// JSON text.
    pub(crate) results: String,
    pub(crate) took_ms: f64,
}

#[derive(Deserialize)]
struct Done<'a> {
    #[serde(borrow)]
    results: &'a RawValue,
    took_ms: f64,
}

#[derive(Deserialize)]
struct Refused {
    error: RefusedError,
}

#[derive(Deserialize)]
struct RefusedError {
    kind: String,
    message: String,
    help: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Deserialize)]
struct Targets {
    graphs: Vec<String>,
}

impl Target {
    /// The server of a URL.
    pub(crate) fn server(url: &str) -> Result<Target> {
        Url::parse(url).map(Target::Server)
    }

    /// The database of a folder that is there.
    pub(crate) fn folder(folder: &Path, settings: Settings) -> Result<Target> {
        if !folder.is_dir() {
            let detail = format!("there is no data folder {}", folder.display());
            let help = "millrace serve --data DIR makes one";
            return Err(Error::new(ErrorKind::NotFound, detail).with_help(help));
        }
        Ok(Target::Folder(Box::new(Database::open(folder, settings)?)))
    }

    /// The names of graphs.
    pub(crate) fn graphs(&self, interrupt: &Interrupt) -> Result<Vec<String>> {
        match self {
            Target::Folder(database) => Ok(query::graphs(database)),
            Target::Server(url) => {
                let reply = http::send(url, ("GET", "/query"), "", interrupt)?;
                match reply.status {
                    200 => Ok(read::<Targets>(&reply.body)?.graphs),
                    status => Err(refused(status, &reply.body)),
                }
            }
        }
    }

    /// Runs a query to its end; an interrupt cancels it.
    pub(crate) fn ask(&self, query: &Query, interrupt: &Interrupt) -> Result<Answer> {
        match self {
            Target::Folder(database) => {
                let began = Instant::now();
                let limits = query.language.limits(database.settings());
                let cancel = limits.cancel.clone();
                let _watched = interrupt.watch(move || cancel.cancel());
                let results = query::run(database, query, limits)?;
                Ok(Answer { results, took_ms: began.elapsed().as_secs_f64() * 1_000.0 })
            }
            Target::Server(url) => {
                let body = serde_json::json!({
                    "language": query.language.name(), "graph": query.graph, "text": query.text
                });
                let reply = http::send(url, ("POST", "/query"), &body.to_string(), interrupt)?;
                match reply.status {
                    200 => {
                        let Done { results, took_ms } = read(&reply.body)?;
                        Ok(Answer { results: results.get().to_owned(), took_ms })
                    }
                    status => Err(refused(status, &reply.body)),
                }
            }
        }
    }

    /// Ends what was opened.
    pub(crate) fn close(self) {
        if let Target::Folder(database) = self {
            database.close();
        }
    }
}

fn read<'a, T: Deserialize<'a>>(body: &'a str) -> Result<T> {
    serde_json::from_str(body).map_err(|error| {
        Error::new(ErrorKind::Unavailable, format!("the server's answer cannot be read: {error}"))
            .with_help("is it Millrace, of this version?")
    })
}

/// The error that a server answered with.
fn refused(status: u16, body: &str) -> Error {
    let Ok(Refused { error }) = serde_json::from_str(body) else {
        let detail = format!("the server answered {status}: {}", body.trim());
        let help = "--url is the address of administration, such as http://127.0.0.1:7280";
        return Error::new(ErrorKind::Unavailable, detail).with_help(help);
    };
    let position = error.line.zip(error.column).map(|(line, column)| TextPosition { line, column });
    Error { position, help: error.help, ..Error::new(kind_of(&error.kind), error.message) }
}

/// The kinds that a caller of the program can distinguish by its exit code.
fn kind_of(word: &str) -> ErrorKind {
    match word {
        "not-found" => ErrorKind::NotFound,
        "forbidden" => ErrorKind::Forbidden,
        "cancelled" => ErrorKind::Cancelled,
        "conflict" => ErrorKind::Conflict,
        "limit-reached" => ErrorKind::LimitReached,
        "deadline-exceeded" => ErrorKind::DeadlineExceeded,
        "unavailable" => ErrorKind::Unavailable,
        "unsupported" => ErrorKind::Unsupported,
        "read-only" | "io" => ErrorKind::Io,
        "corrupt" => ErrorKind::Corrupt,
        "bug" => ErrorKind::Bug,
        _ => ErrorKind::BadQuery,
    }
}
