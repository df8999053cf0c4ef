//! Errors of input, for every reader and writer; nothing that reads or writes enters here. A [`Fault`] knows its column, a [`BadRow`] also file and line; only the reader of a
//! whole block can turn the first into the second.

/// Something wrong inside one row: at a byte of a line of text, at a field of CSV.
pub use millrace_quads::Fault;
pub(crate) use millrace_quads::error::excerpt;

use millrace_model::ErrorKind;
use std::fmt;
use std::io;
use std::sync::Arc;

/// A row that can't be loaded, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// The file's name as the user gave it.
    pub file: Arc<str>,
    /// Line in the (unpacked) file, from 1.
    pub line: u64,
    /// Column from 1: characters for N-Quads, fields for CSV.
    pub column: u64,
    /// The message: the expected form, the text found, and the remedy.
    pub detail: String,
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.detail)
    }
}

/// Why a load stopped. Nothing of it has reached the graph, but for the batches of one in batches.
#[derive(Debug)]
pub enum LoadError {
    /// A file can't be opened, read or unpacked.
    File {
        /// The file's name as the user gave it.
        file: Arc<str>,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The files or options don't make a load: a header, a kind, a format.
    Input(String),
    /// More bad rows than allowed; this is the first beyond the allowance.
    BadRow(BadRow),
    /// The store refused: a constraint, a full disk, a conflict.
    Store(millrace_model::Error),
    /// Another client loads the same, or did meanwhile: try again later.
    Busy(String),
    /// The caller's progress callback asked to stop.
    Cancelled,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // An error of the system says what, and not what to do.
            Self::File { file, source } if source.raw_os_error().is_some() => match source.kind() {
                io::ErrorKind::NotFound => write!(
                    f,
                    "{file}: there is no such file: look for a misspelling, or write its folder before its name"
                ),
                io::ErrorKind::PermissionDenied => write!(
                    f,
                    "{file}: this user may not read or write it: change its permissions, or those of its folder"
                ),
                _ => write!(f, "{file}: {source}"),
            },
            Self::File { file, source } => write!(f, "{file}: {source}"),
            Self::Input(detail) | Self::Busy(detail) => f.write_str(detail),
            Self::BadRow(row) => row.fmt(f),
            Self::Store(error) => error.fmt(f),
            Self::Cancelled => {
                f.write_str("the load was cancelled: uncommitted rows were not stored")
            }
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::Store(error) => Some(error),
            Self::Input(_) | Self::Busy(_) | Self::BadRow(_) | Self::Cancelled => None,
        }
    }
}

impl From<millrace_model::Error> for LoadError {
    fn from(error: millrace_model::Error) -> Self {
        Self::Store(error)
    }
}

impl From<LoadError> for millrace_model::Error {
    fn from(error: LoadError) -> Self {
        let kind = match &error {
            LoadError::Store(inner) => return inner.clone(),
            LoadError::File { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                ErrorKind::NotFound
            }
            LoadError::File { .. } => ErrorKind::Io,
            LoadError::Input(_) | LoadError::BadRow(_) => ErrorKind::BadInput,
            LoadError::Busy(_) => ErrorKind::Unavailable,
            LoadError::Cancelled => ErrorKind::Cancelled,
        };
        millrace_model::Error::new(kind, error.to_string())
    }
}
