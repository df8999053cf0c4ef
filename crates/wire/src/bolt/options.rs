//! The options of a transaction, and how much of a result is wanted: the maps that several requests have.
//!
//! An option that is not known is passed over, as drivers send new ones to old servers; one that is known and cannot
//! be honoured is refused.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase, Result, Value};

use super::notification::Wanted;
use super::packstream::{Reader, Writer, decode, optional_text};
use super::version::Version;
use crate::limits::BOOKMARKS_MAX;

/// Options of BEGIN, and of RUN outside of a transaction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransactionOptions {
    /// Commits that it must see.
    pub bookmarks: Vec<Arc<str>>,
    /// Milliseconds that it may take.
    pub timeout_ms: Option<u64>,
    /// What its client notes about it.
    pub metadata: Vec<(Arc<str>, Value)>,
    /// Whether it may not write.
    pub is_read_only: bool,
    /// The name of its database.
    pub database: Option<Arc<str>>,
    /// Which notifications its client wants.
    pub notifications: Wanted,
}

/// Characters of a name that a message repeats.
const DATABASE_SHOWN_CHARS: usize = 80;

/// How much of a result is wanted, of which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// How many records; `None`: all that are left.
    pub records: Option<u64>,
    /// The number of the result; `None`: that of the last RUN.
    pub query: Option<i64>,
}

/// An option that is there but wrong.
fn bad(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail).in_phase(Phase::Parse)
}

impl TransactionOptions {
    pub(super) fn read(reader: &mut Reader<'_>, version: Version) -> Result<TransactionOptions> {
        let mut options = TransactionOptions::default();
        for _ in 0..reader.map("the options of a transaction")? {
            match reader.string("the name of an option")? {
                "bookmarks" => options.bookmarks = bookmarks(reader)?,
                "tx_timeout" => options.timeout_ms = timeout(reader)?,
                "tx_metadata" => {
                    let count = reader.map("tx_metadata")?;
                    options.metadata = super::packstream::pairs(reader, count)?;
                }
                "mode" => options.is_read_only = is_read_mode(reader)?,
                "db" => options.database = optional_text(reader, "db")?,
                "imp_user" => refuse_impersonation(reader)?,
                name if options.notifications.read_option(name, reader)? => {}
                _ => reader.skip()?,
            }
        }
        match &options.database {
            Some(name) if !version.has_amounts() => Err(database_before_4(name, version)),
            Some(_) | None => Ok(options),
        }
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) -> Result<()> {
        let TransactionOptions { bookmarks, timeout_ms, metadata, is_read_only, database, .. } =
            self;
        let present = [
            !bookmarks.is_empty(),
            timeout_ms.is_some(),
            !metadata.is_empty(),
            *is_read_only,
            database.is_some(),
        ];
        writer.map(present.into_iter().filter(|own| *own).count())?;
        if !bookmarks.is_empty() {
            writer.string("bookmarks")?;
            writer.list(bookmarks.len())?;
            bookmarks.iter().try_for_each(|bookmark| writer.string(bookmark))?;
        }
        if let Some(millis) = timeout_ms {
            writer.string("tx_timeout")?;
            writer.int(i64::try_from(*millis).unwrap_or(i64::MAX));
        }
        if !metadata.is_empty() {
            writer.string("tx_metadata")?;
            writer.named_values(metadata)?;
        }
        if *is_read_only {
            writer.string("mode")?;
            writer.string("r")?;
        }
        if let Some(database) = database {
            writer.string("db")?;
            writer.string(database)?;
        }
        Ok(())
    }
}

impl Amount {
    /// All of the last result.
    pub const ALL: Amount = Amount { records: None, query: None };

    pub(super) fn read(reader: &mut Reader<'_>, version: Version) -> Result<Amount> {
        if !version.has_amounts() {
            return Ok(Amount::ALL);
        }
        let mut amount = None;
        let mut query = None;
        for _ in 0..reader.map("the options of a result")? {
            match reader.string("the name of an option")? {
                "n" => amount = Some(reader.int("n")?),
                "qid" => query = Some(reader.int("qid")?).filter(|query| *query != -1),
                _ => reader.skip()?,
            }
        }
        let records = match amount {
            None => return Err(bad("`n` is missing: a number of records, or -1 for all".into())),
            Some(-1) => None,
            Some(count) => match u64::try_from(count) {
                Ok(count) if 0 < count => Some(count),
                Ok(_) | Err(_) => {
                    return Err(bad(format!("`n` is {count}: it is above 0, or -1 for all")));
                }
            },
        };
        Ok(Amount { records, query })
    }

    pub(super) fn write(self, writer: &mut Writer<'_>) -> Result<()> {
        writer.map(1 + usize::from(self.query.is_some()))?;
        writer.string("n")?;
        writer.int(self.records.map_or(-1, |count| i64::try_from(count).unwrap_or(i64::MAX)));
        if let Some(query) = self.query {
            writer.string("qid")?;
            writer.int(query);
        }
        Ok(())
    }
}

/// A database other than the default one is named by clients of 4.0 and later; the words are those of the drivers.
fn database_before_4(name: &str, version: Version) -> Error {
    let shown: String = name.chars().take(DATABASE_SHOWN_CHARS).collect();
    let detail = format!(
        "Database name parameter for selecting database is not supported in Bolt Protocol {version}. \
         Database name {shown:?}"
    );
    let error = Error { kind: ErrorKind::Unsupported, ..bad(detail) };
    error.with_help("name none, or use a driver that speaks Bolt 4.0 or later")
}

/// A list of bookmarks, or null.
pub(super) fn bookmarks(reader: &mut Reader<'_>) -> Result<Vec<Arc<str>>> {
    let found: Value = decode(reader)?;
    let wrong = || bad("`bookmarks` is a list of strings".to_owned());
    let values = match &found {
        Value::Null => return Ok(Vec::new()),
        Value::List(values) => values,
        _ => return Err(wrong()),
    };
    if BOOKMARKS_MAX < values.len() {
        let detail = format!("a transaction waits for at most {BOOKMARKS_MAX} bookmarks");
        return Err(Error { kind: ErrorKind::LimitReached, ..bad(detail) });
    }
    let text = |value: &Value| match value {
        Value::String(text) => Ok(Arc::clone(text)),
        _ => Err(wrong()),
    };
    values.iter().map(text).collect()
}

/// Milliseconds; null, and 0 in newer drivers, say that the server decides.
fn timeout(reader: &mut Reader<'_>) -> Result<Option<u64>> {
    match decode::<Value>(reader)? {
        Value::Null | Value::I64(0) => Ok(None),
        Value::I64(millis) if 0 < millis => Ok(Some(millis as u64)),
        other => {
            let found = other.as_int().map_or(other.type_name().to_owned(), |int| int.to_string());
            Err(bad(format!("`tx_timeout` is {found}: it is a number of milliseconds")))
        }
    }
}

fn is_read_mode(reader: &mut Reader<'_>) -> Result<bool> {
    match optional_text(reader, "mode")?.as_deref() {
        Some("r") => Ok(true),
        Some("w") | None => Ok(false),
        Some(other) => Err(bad(format!("`mode` is `{other}`: it is r or w"))),
    }
}

pub(super) fn refuse_impersonation(reader: &mut Reader<'_>) -> Result<()> {
    match optional_text(reader, "imp_user")? {
        None => Ok(()),
        Some(_) => {
            let error = bad("`imp_user`: to act as another user is not supported".to_owned());
            Err(Error { kind: ErrorKind::Unsupported, ..error }.with_help("log in as that user"))
        }
    }
}
