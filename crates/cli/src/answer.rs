//! The lines of an answer to a query, as a server sends them and as a folder that is open here gives them.

use std::collections::BTreeMap;

use millrace_model::{Error, ErrorKind, Result, TextPosition};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Which address is meant.
pub(crate) const ADMINISTRATION: &str =
    "--url takes the admin address, such as http://127.0.0.1:7280";

/// A line.
#[derive(Debug)]
pub(crate) enum Line {
    /// The first.
    Columns(Columns),
    /// Rows, each as JSON text: a value, or an object where there are several columns.
    Rows(Vec<String>),
    /// The last.
    Summary(Summary),
}

/// What the rows of an answer are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Columns {
    /// The names of the columns, where a language has such; else a row is one value.
    pub(crate) names: Option<Vec<String>>,
    /// Whether rows are entries of a list; else the only row is the answer itself.
    pub(crate) is_list: bool,
    /// Whether the only row is the text of a plan.
    pub(crate) is_plan: bool,
}

/// What came of a query.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub(crate) rows: u64,
    pub(crate) elapsed_ms: f64,
    /// The profile as JSON text, if it was asked for.
    pub(crate) profile: Option<String>,
    /// What was written: counters above 0.
    pub(crate) counters: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct AnyLine<'a> {
    columns: Option<Vec<String>>,
    #[serde(default)]
    is_list: bool,
    #[serde(default)]
    is_named: bool,
    #[serde(default)]
    is_plan: bool,
    #[serde(borrow)]
    rows: Option<Vec<Vec<&'a RawValue>>>,
    #[serde(borrow)]
    summary: Option<SummaryLine<'a>>,
    error: Option<ErrorLine>,
}

#[derive(Deserialize)]
struct SummaryLine<'a> {
    rows: u64,
    elapsed_ms: f64,
    #[serde(borrow)]
    profile: Option<&'a RawValue>,
    #[serde(default)]
    counters: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct ErrorLine {
    kind: String,
    message: String,
    help: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

/// Reads lines one after the other.
#[derive(Default)]
pub(crate) struct Lines {
    columns: Vec<String>,
    is_named: bool,
    /// Whether the last line has come.
    pub(crate) is_whole: bool,
}

impl Lines {
    /// The next line; the error that a line is.
    pub(crate) fn read(&mut self, text: &str) -> Result<Line> {
        let line: AnyLine<'_> = read(text)?;
        if let Some(error) = line.error {
            self.is_whole = true;
            return Err(error.into());
        }
        if let Some(SummaryLine { rows, elapsed_ms, profile, counters }) = line.summary {
            self.is_whole = true;
            let profile = profile.map(|profile| profile.get().to_owned());
            return Ok(Line::Summary(Summary { rows, elapsed_ms, profile, counters }));
        }
        if let Some(names) = line.columns {
            (self.columns, self.is_named) = (names, line.is_named);
            let names = self.is_named.then(|| self.columns.clone());
            let (is_list, is_plan) = (line.is_list, line.is_plan);
            return Ok(Line::Columns(Columns { names, is_list, is_plan }));
        }
        let rows = line.rows.unwrap_or_default();
        Ok(Line::Rows(rows.iter().map(|row| self.row(row)).collect()))
    }

    fn row(&self, cells: &[&RawValue]) -> String {
        if let ([_], [cell], false) = (self.columns.as_slice(), cells, self.is_named) {
            return cell.get().to_owned();
        }
        let pairs = self.columns.iter().zip(cells).map(|(name, cell)| {
            format!("{}:{}", serde_json::Value::from(name.as_str()), cell.get())
        });
        format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
    }
}

/// An answer without its last line.
pub(crate) fn truncated() -> Error {
    Error::new(ErrorKind::Unavailable, "the answer ended before its last line")
        .with_help("the result is incomplete: run the query again")
}

impl From<ErrorLine> for Error {
    fn from(line: ErrorLine) -> Error {
        let position =
            line.line.zip(line.column).map(|(line, column)| TextPosition { line, column });
        Error {
            position,
            help: line.help.map(String::into_boxed_str),
            ..Error::new(kind_of(&line.kind), line.message)
        }
    }
}

/// The error that a server answered with.
pub(crate) fn refused(status: u16, body: &str) -> Error {
    match serde_json::from_str(body) {
        Ok(AnyLine { error: Some(error), .. }) => error.into(),
        _ => {
            let detail = format!("the server answered {status}: {}", said(body));
            Error::new(ErrorKind::Unavailable, detail).with_help(ADMINISTRATION)
        }
    }
}

/// The text of an error: of administration, or of another port of a server.
pub(crate) fn said(body: &str) -> String {
    let object: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    let text = |name: &str| object["error"][name].as_str();
    let others = [&object, &object["message"], &object["errors"][0]["message"]];
    match (text("message"), text("help")) {
        (Some(message), Some(help)) => format!("{message} ({help})"),
        (Some(message), None) => message.to_owned(),
        (None, _) => match others.iter().find_map(|own| own.as_str()) {
            Some(message) => message.to_owned(),
            None => body.trim().to_owned(),
        },
    }
}

/// JSON that a server sent.
pub(crate) fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        Error::new(ErrorKind::Unavailable, format!("the server's answer cannot be read: {error}"))
            .with_help("is it a Millrace server of this version?")
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_values_or_objects_and_numbers_keep_their_digits() {
        let mut lines = Lines::default();
        let columns = |names: &str| format!("{{\"columns\":{names},\"is_list\":true}}");
        let rows = r#"{"rows":[[12345678901234567890,"x"],[1.10,null]]}"#;
        lines.read(&columns(r#"["a","b"]"#)).unwrap();
        let Ok(Line::Rows(read)) = lines.read(rows) else { panic!("rows") };
        assert_eq!(read, [r#"{"a":12345678901234567890,"b":"x"}"#, r#"{"a":1.10,"b":null}"#]);
        lines.read(&columns(r#"["value"]"#)).unwrap();
        let Ok(Line::Rows(read)) = lines.read(r#"{"rows":[[1.10]]}"#) else { panic!("rows") };
        assert_eq!(read, ["1.10"]);
        lines.read(r#"{"columns":["n"],"is_list":true,"is_named":true}"#).unwrap();
        let Ok(Line::Rows(read)) = lines.read(r#"{"rows":[[7]]}"#) else { panic!("rows") };
        assert_eq!(read, [r#"{"n":7}"#]);
        let summary = r#"{"summary":{"rows":0,"elapsed_ms":1,"counters":{"labels_added":2}}}"#;
        let Ok(Line::Summary(read)) = lines.read(summary) else { panic!("a summary") };
        assert_eq!(read.counters["labels_added"], 2);
        lines.is_whole = false;
        assert!(!lines.is_whole);
        let error = r#"{"error":{"kind":"cancelled","message":"m","line":2,"column":3}}"#;
        let error = lines.read(error).unwrap_err();
        assert_eq!(
            (error.kind, error.position.map(|at| at.column)),
            (ErrorKind::Cancelled, Some(3))
        );
        assert!(lines.is_whole);
        assert_eq!(lines.read("nonsense").unwrap_err().kind, ErrorKind::Unavailable);
    }
}
