//! One error for every boundary: its kind decides the caller's remedy, and its texts are for
//! people.
//!
//! `wire` maps kinds to each protocol's codes. Languages add the position in their text.

use std::fmt;

use super::violation::Violation;
use crate::base::ids::LogPosition;

/// The kind of an error, by the caller's remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The text or plan is wrong: mend the query.
    BadQuery,
    /// A value, file or request is wrong: mend the input.
    BadInput,
    /// The query raised an error itself: read its message.
    Failed,
    /// Known by name, and not supported.
    Unsupported,
    /// A declared rule (unique, required, type) forbids it.
    Constraint,
    /// Another transaction was first: run it again.
    Conflict,
    /// No such graph, element, file.
    NotFound,
    /// There is one of that name already.
    AlreadyExists,
    /// Over the memory, result or size limit that the message names.
    LimitReached,
    /// The deadline passed.
    DeadlineExceeded,
    /// It was cancelled.
    Cancelled,
    /// Not allowed here.
    Forbidden,
    /// Writes are stopped (disk nearly full, failed sync); reads go on.
    ReadOnly,
    /// It is unknown whether it was done: look, then run it again.
    OutcomeUnknown,
    /// Not now: in use, starting, stopping.
    Unavailable,
    /// Stored data is damaged; the message says where.
    Corrupt,
    /// Reading or writing failed below us.
    Io,
    /// A bug of ours.
    Bug,
}

/// The name of an [`ErrorKind::ReadOnly`] of a database that is open to be read only: no repeat cures
/// it.
pub const READ_ONLY_DATABASE: &str = "ForbiddenOnReadOnlyDatabase";

/// The name of an error by which a data folder cannot be opened for writing, though perhaps to read:
/// the file system is read-only, or the process has no right.
pub const UNWRITABLE_FOLDER: &str = "UnwritableFolder";

impl ErrorKind {
    /// Its word in logs, headers and messages.
    pub fn word(self) -> &'static str {
        match self {
            ErrorKind::BadQuery => "bad-query",
            ErrorKind::BadInput => "bad-input",
            ErrorKind::Failed => "failed",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::Constraint => "constraint",
            ErrorKind::Conflict => "conflict",
            ErrorKind::NotFound => "not-found",
            ErrorKind::AlreadyExists => "already-exists",
            ErrorKind::LimitReached => "limit-reached",
            ErrorKind::DeadlineExceeded => "deadline-exceeded",
            ErrorKind::Cancelled => "cancelled",
            ErrorKind::Forbidden => "forbidden",
            ErrorKind::ReadOnly => "read-only",
            ErrorKind::OutcomeUnknown => "outcome-unknown",
            ErrorKind::Unavailable => "unavailable",
            ErrorKind::Corrupt => "corrupt",
            ErrorKind::Io => "io",
            ErrorKind::Bug => "bug",
        }
    }
}

/// When it was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Reading text or bytes.
    Parse,
    /// Making the plan.
    Compile,
    /// Running it.
    Run,
    /// Committing.
    Commit,
}

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextPosition {
    /// Line.
    pub line: u32,
    /// Column, in characters.
    pub column: u32,
}

/// The write conflict behind a [`ErrorKind::Conflict`]. A transaction that runs again once the
/// winner is visible, with a ticket for the same key, does not lose it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteConflict {
    /// The commit that was first; 0 if it is still to come.
    pub winner: LogPosition,
    /// The contended key, as the store numbers it.
    pub key: u64,
}

/// An error with its kind, detail, position and remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind, which decides the caller's remedy.
    pub kind: ErrorKind,
    /// The fault and its place, for a person.
    pub detail: String,
    /// The remedy, if there is one.
    pub help: Option<Box<str>>,
    /// The name of the exact fault, for protocols that have codes for it.
    pub name: Option<&'static str>,
    /// When it was noticed.
    pub phase: Phase,
    /// Where in the text.
    pub position: Option<TextPosition>,
    /// The write conflict, where the store knows it.
    pub write_conflict: Option<Box<WriteConflict>>,
    /// The broken rule of the schema, by its parts, where the store knows it.
    pub violation: Option<Box<Violation>>,
}

/// A result with this error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error noticed while running.
    pub fn new(kind: ErrorKind, detail: impl Into<String>) -> Error {
        Error {
            kind,
            detail: detail.into(),
            help: None,
            name: None,
            phase: Phase::Run,
            position: None,
            write_conflict: None,
            violation: None,
        }
    }

    /// The same with a remedy.
    pub fn with_help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into().into_boxed_str());
        self
    }

    /// Whether it is a write to a database that is open to be read only.
    pub fn is_of_read_only_database(&self) -> bool {
        self.kind == ErrorKind::ReadOnly && self.name == Some(READ_ONLY_DATABASE)
    }

    /// The same with the name of the exact fault, for protocols that have codes for it.
    pub fn with_name(mut self, name: &'static str) -> Error {
        self.name = Some(name);
        self
    }

    /// The same, noticed in another phase.
    pub fn in_phase(mut self, phase: Phase) -> Error {
        self.phase = phase;
        self
    }

    /// The same, with the write conflict.
    pub fn with_write_conflict(mut self, lost: WriteConflict) -> Error {
        self.write_conflict = Some(Box::new(lost));
        self
    }

    /// The same, with the broken rule of the schema.
    pub fn with_violation(mut self, violation: Violation) -> Error {
        self.violation = Some(Box::new(violation));
        self
    }

    /// The same, at a place in the text.
    pub fn at(mut self, position: TextPosition) -> Error {
        self.position = Some(position);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(TextPosition { line, column }) = self.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.detail)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, " ({help})"))
    }
}

impl std::error::Error for Error {}
