//! The records of a CSV file as Neo4j's `LOAD CSV` reads them: a field may be quoted, and then contain separators and
//! line ends; `""` and `\"` are a quote in it. Empty lines are no records; an empty field without quotes is null.

use std::io::{BufRead, Read};
use std::sync::Arc;

use millrace_model::{Error, Result, Value};

use super::external;
use crate::limits::CSV_RECORD_BYTES_MAX;

/// Reads records.
pub(super) struct Records {
    text: Box<dyn BufRead + Send>,
    name: Arc<str>,
    separator: u8,
    /// The line that the last record began in, from 1, and the lines read.
    first_line: i64,
    lines: i64,
    record: Vec<u8>,
    field: Vec<u8>,
}

/// Where a field ended.
enum End {
    Separator,
    Record,
    /// In a quote that is not closed yet.
    Open,
}

impl Records {
    pub(super) fn new(text: Box<dyn BufRead + Send>, name: &Arc<str>, separator: u8) -> Records {
        let name = Arc::clone(name);
        let (record, field) = (Vec::new(), Vec::new());
        Records { text, name, separator, first_line: 0, lines: 0, record, field }
    }

    /// The line that the last record began in.
    pub(super) fn line(&self) -> i64 {
        self.first_line
    }

    /// The fields of the next record; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Vec<Value>>> {
        loop {
            self.record.clear();
            if !self.read_line()? {
                return Ok(None);
            }
            self.first_line = self.lines;
            if !trimmed(&self.record).is_empty() {
                break;
            }
        }
        let mut fields = Vec::new();
        let mut from = 0;
        loop {
            let (end, to) = self.field(from)?;
            match end {
                End::Open => {
                    if !self.read_line()? {
                        return Err(self.bad("a quote is not closed"));
                    }
                    continue;
                }
                End::Separator | End::Record => {}
            }
            let is_quoted = self.record.get(from) == Some(&b'"');
            fields.push(match self.field.is_empty() && !is_quoted {
                true => Value::Null,
                false => match std::str::from_utf8(&self.field) {
                    Ok(text) => Value::from(text),
                    Err(_) => return Err(self.bad("a field is not valid UTF-8")),
                },
            });
            if let End::Record = end {
                return Ok(Some(fields));
            }
            from = to;
        }
    }

    /// Reads the field that begins at an offset of the record; where it ended, and the offset behind.
    fn field(&mut self, from: usize) -> Result<(End, usize)> {
        self.field.clear();
        let record = trimmed(&self.record);
        if record.get(from) != Some(&b'"') {
            let rest = record.get(from..).unwrap_or_default();
            let length = rest.iter().position(|byte| *byte == self.separator);
            self.field.extend_from_slice(&rest[..length.unwrap_or(rest.len())]);
            return Ok(match length {
                Some(length) => (End::Separator, from + length + 1),
                None => (End::Record, record.len()),
            });
        }
        // Line ends count inside of a quote.
        let record = &self.record;
        let mut at = from + 1;
        loop {
            match (record.get(at), record.get(at + 1)) {
                (None, _) => return Ok((End::Open, at)),
                (Some(b'"'), Some(b'"')) => {
                    self.field.push(b'"');
                    at += 2;
                }
                (Some(b'\\'), Some(escaped @ (b'"' | b'\\'))) => {
                    self.field.push(*escaped);
                    at += 2;
                }
                (Some(b'"'), _) => break,
                (Some(byte), _) => {
                    self.field.push(*byte);
                    at += 1;
                }
            }
        }
        let behind = at + 1;
        match trimmed(record).get(behind) {
            None => Ok((End::Record, behind)),
            Some(byte) if *byte == self.separator => Ok((End::Separator, behind + 1)),
            Some(_) => {
                let help = "write a quote inside a quoted field twice";
                Err(self
                    .bad("there are characters after the closing quote of a field")
                    .with_help(help))
            }
        }
    }

    /// Appends a line to the record; false at the end of the file.
    fn read_line(&mut self) -> Result<bool> {
        let room = CSV_RECORD_BYTES_MAX.saturating_sub(self.record.len()) as u64;
        let read = self.text.by_ref().take(room).read_until(b'\n', &mut self.record);
        self.lines += 1;
        match read {
            Err(error) => Err(self.bad(&error.to_string())),
            Ok(_) if CSV_RECORD_BYTES_MAX <= self.record.len() => {
                Err(self.bad(&format!("a record has more than {CSV_RECORD_BYTES_MAX} bytes")))
            }
            Ok(bytes) => Ok(bytes != 0),
        }
    }

    fn bad(&self, what: &str) -> Error {
        external(format!("{}: line {}: {what}", self.name, self.first_line.max(1)))
    }
}

/// A record without its line end.
fn trimmed(record: &[u8]) -> &[u8] {
    let record = record.strip_suffix(b"\n").unwrap_or(record);
    record.strip_suffix(b"\r").unwrap_or(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &'static str, separator: u8) -> (Vec<(i64, Vec<Value>)>, Option<String>) {
        let mut records = Records::new(Box::new(text.as_bytes()), &"/a.csv".into(), separator);
        let mut found = Vec::new();
        loop {
            match records.next() {
                Ok(Some(fields)) => found.push((records.line(), fields)),
                Ok(None) => return (found, None),
                Err(error) => return (found, Some(error.detail)),
            }
        }
    }

    #[test]
    fn fields_are_texts_or_null_with_quotes_over_lines() {
        let text = "a,b\r\n\n1,\"x,\ny\",\n\"\",\"q\"\"r\",\"\\\"s\\\\\"\nlast";
        let (found, error) = records(text, b',');
        let text = Value::from;
        assert_eq!(error, None);
        assert_eq!(
            found,
            [
                (1, vec![text("a"), text("b")]),
                (3, vec![text("1"), text("x,\ny"), Value::Null]),
                (5, vec![text(""), text("q\"r"), text("\"s\\")]),
                (6, vec![text("last")]),
            ]
        );
        assert_eq!(records("a;b\tc", b'\t').0, [(1, vec![text("a;b"), text("c")])]);
    }

    #[test]
    fn a_bad_record_gives_its_file_and_line() {
        for (text, wanted) in [
            ("a\n\"b\nc", "/a.csv: line 2: a quote is not closed"),
            ("a\nb\n\"c\"d", "/a.csv: line 3: there are characters after"),
        ] {
            let error = records(text, b',').1.expect("an error");
            assert!(error.starts_with(wanted), "{error}");
        }
    }
}
