//! Records of a CSV file as RageDB reads it: fields trimmed, empty lines and lines that begin with
//! `#` passed over, a quoted field with its separators and line ends.

use std::io::{BufRead, BufReader, Read};

use millrace_model::{Error, ErrorKind, Result};

/// Reads records.
pub(crate) struct Records {
    lines: BufReader<Box<dyn Read>>,
    separator: char,
    line: usize,
}

/// Bytes of one record.
const RECORD_BYTES_MAX: u64 = 16 << 20;

impl Records {
    /// The records of a file.
    pub(crate) fn new(file: Box<dyn Read>, separator: char) -> Records {
        Records { lines: BufReader::new(file), separator, line: 0 }
    }

    /// The line the last record began in, from 1.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// The next record's fields; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<String>>> {
        loop {
            let mut text = String::new();
            if !self.read_line(&mut text)? {
                return Ok(None);
            }
            let first = self.line;
            while is_open(&text) {
                if !self.read_line(&mut text)? {
                    return Err(bad(format!("line {first}: a quote is not closed")));
                }
            }
            let record = text.trim_end_matches(['\n', '\r']);
            if record.trim().is_empty() || record.starts_with('#') {
                continue;
            }
            return Ok(Some(fields(record, self.separator)));
        }
    }

    fn read_line(&mut self, text: &mut String) -> Result<bool> {
        let room = RECORD_BYTES_MAX.saturating_sub(text.len() as u64);
        let read = self.lines.by_ref().take(room).read_line(text);
        let read = read.map_err(|error| bad(format!("line {}: {error}", self.line + 1)))?;
        if RECORD_BYTES_MAX <= text.len() as u64 {
            return Err(bad(format!("line {} is too long", self.line + 1)));
        }
        self.line += usize::from(read != 0);
        Ok(read != 0)
    }
}

fn bad(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}

/// Whether a quote of the record is not closed yet.
fn is_open(text: &str) -> bool {
    text.matches('"').count() % 2 == 1
}

fn fields(record: &str, separator: char) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    for character in record.chars() {
        match character {
            '"' => {
                quoted = !quoted;
                field.push('"');
            }
            other if other == separator && !quoted => {
                fields.push(finished(&field));
                field.clear();
            }
            other => field.push(other),
        }
    }
    fields.push(finished(&field));
    fields
}

/// A field without its blanks and quotes.
fn finished(field: &str) -> String {
    let field = field.trim();
    match field.strip_prefix('"').and_then(|field| field.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_trimmed_and_quotes_kept_together() {
        let text = "a, b ,\"c\"\"d\"\n\n# no record\n1,\"x,\ny\",\n";
        let mut records = Records::new(Box::new(text.as_bytes()), ',');
        assert_eq!(records.next().unwrap().unwrap(), ["a", "b", "c\"d"]);
        assert_eq!(records.next().unwrap().unwrap(), ["1", "x,\ny", ""]);
        assert_eq!(records.line(), 5);
        assert_eq!(records.next().unwrap(), None);
        let mut open = Records::new(Box::new("\"a".as_bytes()), ',');
        assert_eq!(open.next().unwrap_err().kind, ErrorKind::BadInput);
    }
}
