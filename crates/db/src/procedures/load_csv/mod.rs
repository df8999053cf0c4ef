//! `dbms.loadCsv`: the rows of a CSV file of the folder for scripts, piece by piece, as `LOAD CSV` has them.
//!
//! - `url`: where the file is, by its URL.
//! - `records`: the fields of each record, and the line that it begins in.

mod records;
pub(super) mod url;

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, RowStream, Yielded};
use millrace_ingest::source::plain;
use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::{Signature, ValueType};
use millrace_store::non_blocking;

use crate::resources::script_files;
use records::Records;

/// See the file.
pub(super) struct LoadCsv {
    /// The folder of the setting `scripts.csv-folder`; empty: none.
    pub(super) folder: String,
}

impl Procedure for LoadCsv {
    fn signature(&self) -> Signature {
        let description =
            "The rows of a CSV file of the folder for scripts, as `LOAD CSV` reads it.";
        Signature::reading("dbms.loadCsv", description)
            .argument("url", ValueType::Text)
            .optional("withHeaders", ValueType::Boolean)
            .optional("fieldTerminator", ValueType::Text)
            .yields("row", ValueType::Any)
            .yields("file", ValueType::Text)
            .yields("line", ValueType::Integer)
    }

    fn call(&self, arguments: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        Yielded::of_streams(self, arguments, len, context)
    }

    fn streams(&self) -> bool {
        true
    }

    fn open(&self, arguments: Arguments<'_>, _context: &Context) -> Result<Box<dyn RowStream>> {
        non_blocking::would_block()?;
        let path = url::path_in_folder(&arguments.must_text(0)?)?;
        let separator = match arguments.text(2)? {
            Some(text) => separator(&text)?,
            None => b',',
        };
        let name: Arc<str> = format!("/{path}").into();
        let text = open(&self.folder, &path)?;
        let mut records = Records::new(text, &name, separator);
        let headers = match arguments.value(1) {
            Value::Bool(true) => Some(headers_of(&mut records)?),
            _ => None,
        };
        Ok(Box::new(Rows { records, headers, name }))
    }
}

/// The text of a file of the folder, unpacked.
pub(super) fn open(folder: &str, path: &str) -> Result<Box<dyn BufRead + Send>> {
    if folder.is_empty() {
        let detail = "queries read files of the folder scripts.csv-folder, which is not set";
        let help = "set scripts.csv-folder to the folder with the files, or send rows as a parameter and UNWIND it";
        return Err(external(detail.to_owned()).with_help(help));
    }
    let file = script_files::open(Path::new(folder), path)
        .map_err(|error| Error { name: Some("ExternalResourceFailed"), ..error })?;
    plain(file).map_err(|error| external(format!("/{path}: {error}")))
}

/// The rows of one file.
struct Rows {
    records: Records,
    headers: Option<Vec<Value>>,
    name: Arc<str>,
}

impl RowStream for Rows {
    fn next(&mut self, rows_max: usize, _context: &Context) -> Result<Option<Vec<Column>>> {
        let (mut rows, mut lines) = (Vec::new(), Vec::new());
        while rows.len() < rows_max
            && let Some(fields) = self.records.next()?
        {
            rows.push(match &self.headers {
                None => Value::list(fields),
                Some(headers) => {
                    let fields = fields.into_iter().map(Some).chain(std::iter::repeat(None));
                    let pairs = headers.iter().cloned().zip(fields);
                    Value::map(pairs.map(|(key, field)| (key, field.unwrap_or_default())).collect())
                }
            });
            lines.push(Value::I64(self.records.line()));
        }
        if rows.is_empty() {
            return Ok(None);
        }
        let names = std::iter::repeat_n(Value::String(Arc::clone(&self.name)), rows.len());
        let columns =
            [Column::from_values(rows), Column::from_values(names), Column::from_values(lines)];
        Ok(Some(columns.into()))
    }
}

/// The keys of the maps that rows become.
fn headers_of(records: &mut Records) -> Result<Vec<Value>> {
    let fields = records.next()?.unwrap_or_default();
    Ok(fields
        .into_iter()
        .map(|field| if field.is_null() { Value::from("") } else { field })
        .collect())
}

/// A byte between fields.
fn separator(text: &str) -> Result<u8> {
    match text.as_bytes() {
        [byte] if !matches!(byte, b'"' | b'\n' | b'\r' | b'\\') => Ok(*byte),
        _ => {
            let detail = format!("`{text}` cannot separate fields");
            let error = Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue");
            Err(error.with_help("FIELDTERMINATOR takes one ASCII character, such as ';' or '\\t'"))
        }
    }
}

/// An error of a file.
pub(super) fn external(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail).with_name("ExternalResourceFailed")
}
