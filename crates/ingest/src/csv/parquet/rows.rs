//! A file as a stream of lines: its rows, row group by row group, a few at once.

use super::columns::{Column, columns_of};
use super::guard::Guard;
use super::leaf::{Field, LeafReader};
use crate::csv::value::FieldType;
use crate::limits::{PARQUET_ROWS, PARQUET_TEXT_BYTES};
use millrace_model::{MemoryBudget, Reservation};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Bytes of the footer's content in memory, for each in the file.
const FOOTER_FACTOR: u64 = 16;

/// Bytes of a place in a list: two levels, a value and its copy.
const PLACE_BYTES: u64 = 24;

/// What a page may take beyond the stated size of its column: some writers count without the headers.
const PAGE_SLACK_BYTES: u64 = 64 << 10;

/// An opened file.
pub(super) struct Rows {
    reader: SerializedFileReader<File>,
    pub(super) columns: Vec<Column>,
    /// Columns of labels, which have their own form of lists.
    pub(super) label_columns: Vec<usize>,
    pub(super) line_breaks: bool,
    budget: MemoryBudget,
    _footer: Reservation,
    /// The memory of the row group.
    group_memory: Option<Reservation>,
    /// The next row group.
    group: usize,
    leaves: Vec<Option<LeafReader>>,
    /// Rows of the row group that are not read, and rows that are read and not written.
    unread: u64,
    unwritten: usize,
    row: u64,
    out: Vec<u8>,
    at: usize,
}

impl Rows {
    /// Opens a file and reads its footer.
    pub(super) fn open(
        mut file: File,
        is_left_out: &dyn Fn(&str) -> bool,
        budget: &MemoryBudget,
    ) -> Result<Rows, String> {
        let footer_bytes = footer_bytes(&mut file)?;
        let footer = budget.reserve(FOOTER_FACTOR * footer_bytes).map_err(|error| {
            format!(
                "its footer takes {footer_bytes} bytes, and unpacked more than there is: {error}"
            )
        })?;
        let opened = contained(|| {
            let reader = SerializedFileReader::new(file).map_err(|error| damaged(&error))?;
            let schema = reader.metadata().file_metadata().schema_descr_ptr();
            Ok((columns_of(&schema, is_left_out)?, reader))
        });
        let (columns, reader) = opened?;
        Ok(Rows {
            reader,
            columns,
            label_columns: Vec::new(),
            line_breaks: true,
            budget: budget.clone(),
            _footer: footer,
            group_memory: None,
            group: 0,
            leaves: Vec::new(),
            unread: 0,
            unwritten: 0,
            row: 0,
            out: Vec::new(),
            at: 0,
        })
    }

    /// Puts a line before the rows.
    pub(super) fn begin(&mut self, line: &str) {
        self.out.extend_from_slice(line.as_bytes());
        self.out.push(b'\n');
    }

    /// Writes more rows; false at the end.
    fn produce(&mut self) -> Result<bool, String> {
        self.out.clear();
        self.at = 0;
        while self.unwritten == 0 {
            if self.unread == 0 && !self.next_group()? {
                return Ok(false);
            }
            let rows = usize::try_from(self.unread).unwrap_or(usize::MAX).min(PARQUET_ROWS);
            for (leaf, column) in self.leaves.iter_mut().zip(&self.columns) {
                let Some(leaf) = leaf else { continue };
                leaf.fill(rows)
                    .map_err(|error| format!("'{}': {}", column.name, damaged(&error)))?;
            }
            (self.unread, self.unwritten) = (self.unread - rows as u64, rows);
        }
        let (mut text, mut ends) = (String::new(), Vec::new());
        while self.unwritten != 0 && self.out.len() < PARQUET_TEXT_BYTES {
            self.row += 1;
            self.unwritten -= 1;
            self.write_row(&mut text, &mut ends)?;
        }
        Ok(true)
    }

    fn write_row(
        &mut self,
        text: &mut String,
        ends: &mut Vec<Option<usize>>,
    ) -> Result<(), String> {
        for (at, leaf) in self.leaves.iter_mut().enumerate() {
            if at != 0 {
                self.out.push(b',');
            }
            let Some(leaf) = leaf else { continue };
            let column = &self.columns[at];
            let failed =
                |detail: &str| format!("row {}: the column '{}' {detail}", self.row, column.name);
            let field = leaf.next(text, ends).map_err(|detail| failed(&detail))?;
            let list = match field {
                Field::Absent => continue,
                Field::One => None,
                Field::List if self.label_columns.contains(&at) => {
                    Some(labels(text, ends).map_err(|detail| failed(&detail))?)
                }
                Field::List => Some(json(text, ends)),
            };
            let content = list.as_deref().unwrap_or(text);
            if !self.line_breaks && content.contains(['\n', '\r']) {
                return Err(failed(
                    "holds a line break, which a load in batches does not take: load the file as one commit",
                ));
            }
            let is_text = column.kind.is_some_and(|kind| kind.array || kind == FieldType::TEXT);
            push_field(content, is_text, &mut self.out);
        }
        self.out.push(b'\n');
        Ok(())
    }

    /// Begins the next row group with rows, in memory taken for it; false if there is none.
    fn next_group(&mut self) -> Result<bool, String> {
        self.leaves.clear();
        self.group_memory = None;
        let count = self.reader.num_row_groups();
        while self.group < count {
            let number = self.group;
            self.group += 1;
            let group = self.reader.get_row_group(number).map_err(|error| damaged(&error))?;
            let rows = u64::try_from(group.metadata().num_rows());
            let rows =
                rows.map_err(|_| "a row group has fewer than no rows: damaged".to_owned())?;
            if rows == 0 {
                continue;
            }
            let (mut bytes, mut guards) = (0u64, Vec::new());
            for column in &self.columns {
                let Some(leaf) = &column.leaf else {
                    guards.push(None);
                    continue;
                };
                let chunk = group.metadata().column(leaf.number);
                let stated = |size: i64| u64::try_from(size).map_err(|_| "negative sizes: damaged");
                let unpacked = stated(chunk.uncompressed_size().max(chunk.compressed_size()))?;
                let bytes_left = unpacked.saturating_mul(2).saturating_add(PAGE_SLACK_BYTES);
                let values_left = stated(chunk.num_values())?;
                bytes = bytes.saturating_add(unpacked);
                if leaf.descriptor.max_rep_level() != 0 {
                    bytes = bytes.saturating_add(values_left.saturating_mul(PLACE_BYTES));
                }
                guards.push(Some((leaf, values_left, bytes_left)));
            }
            let taken = self.budget.reserve(bytes).map_err(|error| {
                format!(
                    "row group {} of {count} takes {bytes} bytes: {error}; write smaller row groups (pyarrow: \
                     row_group_size=100000), or raise memory.max",
                    number + 1
                )
            })?;
            self.group_memory = Some(taken);
            for guard in guards {
                let Some((leaf, values_left, bytes_left)) = guard else {
                    self.leaves.push(None);
                    continue;
                };
                let pages = group.get_column_page_reader(leaf.number);
                let pages = pages.map_err(|error| damaged(&error))?;
                let guard = Guard { pages, values_left, bytes_left };
                self.leaves.push(Some(LeafReader::new(leaf, Box::new(guard))));
            }
            self.unread = rows;
            return Ok(true);
        }
        Ok(false)
    }
}

impl Read for Rows {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.out.len() {
            let more = contained(|| self.produce());
            if !more.map_err(io::Error::other)? {
                return Ok(0);
            }
        }
        let count = buffer.len().min(self.out.len() - self.at);
        buffer[..count].copy_from_slice(&self.out[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// Bytes of the footer, which a file must end with.
fn footer_bytes(file: &mut File) -> Result<u64, String> {
    let failed = |error: io::Error| error.to_string();
    let size = file.seek(SeekFrom::End(0)).map_err(failed)?;
    let mut end = [0; 8];
    if size < 12 {
        return Err("this is no Parquet: it is too short".into());
    }
    file.seek(SeekFrom::End(-8)).map_err(failed)?;
    file.read_exact(&mut end).map_err(failed)?;
    let [a, b, c, d, magic @ ..] = end;
    let bytes = u64::from(u32::from_le_bytes([a, b, c, d]));
    match &magic {
        b"PAR1" if bytes <= size - 12 => Ok(bytes),
        b"PAR1" => Err("the file is damaged: its footer is longer than the file".into()),
        b"PARE" => Err("this Parquet is encrypted: write it without encryption".into()),
        _ => Err("this Parquet has no footer: is it complete?".into()),
    }
}

/// Runs the library, which is not free of panics on damaged files; nothing of a failed file is read again.
fn contained<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Err("the file is damaged: the reader of Parquet gave up on it".into()))
}

fn damaged(error: &parquet::errors::ParquetError) -> String {
    format!("the file is damaged, or has a form that is not read: {error}")
}

/// The elements of a list, each in its text.
fn elements<'t>(text: &'t str, ends: &[Option<usize>]) -> impl Iterator<Item = Option<&'t str>> {
    let mut begin = 0;
    ends.iter().map(move |end| {
        let end = (*end)?;
        Some(&text[std::mem::replace(&mut begin, end)..end])
    })
}

/// A list as an array of JSON, all elements as texts.
fn json(text: &str, ends: &[Option<usize>]) -> String {
    let all: Vec<serde_json::Value> = elements(text, ends).map(serde_json::Value::from).collect();
    serde_json::Value::from(all).to_string()
}

/// A list of labels as one field.
fn labels(text: &str, ends: &[Option<usize>]) -> Result<String, String> {
    let all: Vec<&str> = elements(text, ends).flatten().collect();
    match all.iter().find(|label| label.contains(';')) {
        Some(_) => Err("holds a label with ';' in it".into()),
        None => Ok(all.join(";")),
    }
}

fn push_field(content: &str, is_text: bool, out: &mut Vec<u8>) {
    if !is_text {
        return out.extend_from_slice(content.as_bytes());
    }
    out.push(b'"');
    for byte in content.bytes() {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// A name as a field of a header.
pub(super) fn header_field(name: &str) -> String {
    let mut field = Vec::new();
    push_field(name, true, &mut field);
    String::from_utf8_lossy(&field).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::data_type::Int64Type;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;

    /// A row group of one list of numbers that are all the same: few bytes in the file.
    fn file_of_one_list(length: usize) -> File {
        let schema = "message m { optional group l (LIST) { repeated group list { \
                      required int64 element; } } }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let mut file = tempfile::tempfile().unwrap();
        let properties = Arc::new(WriterProperties::default());
        let copy = file.try_clone().unwrap();
        let mut writer = SerializedFileWriter::new(copy, schema, properties).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let mut repetitions = vec![1; length];
        repetitions[0] = 0;
        let (values, definitions) = (vec![7; length], vec![2; length]);
        let typed = column.typed::<Int64Type>();
        typed.write_batch(&values, Some(&definitions), Some(&repetitions)).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
        file.rewind().unwrap();
        file
    }

    fn text(rows: &mut Rows) -> Result<String, String> {
        let mut text = String::new();
        rows.read_to_string(&mut text).map(|_| text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_row_group_takes_its_memory_or_is_refused_with_its_number() {
        let length = 100_000;
        let file = file_of_one_list(length);
        assert!(file.metadata().unwrap().len() < 10_000);
        let budget = MemoryBudget::new(16 << 20);
        let mut rows = Rows::open(file, &|_| false, &budget).unwrap();
        let at_rest = budget.used();
        let list = text(&mut rows).unwrap();
        assert_eq!(list.matches('7').count(), length);
        assert_eq!(budget.used(), at_rest, "the memory of the row group is given back");
        drop(rows);
        assert_eq!(budget.used(), 0);
        let budget = MemoryBudget::new(1 << 20);
        let mut rows = Rows::open(file_of_one_list(length), &|_| false, &budget).unwrap();
        let refused = text(&mut rows).unwrap_err();
        assert!(refused.starts_with("row group 1 of 1 takes 2"), "{refused}");
        assert!(refused.contains("write smaller row groups"), "{refused}");
    }

    #[test]
    fn pages_that_hold_more_than_the_footer_states_are_refused() {
        let reader = SerializedFileReader::new(file_of_one_list(1000)).unwrap();
        let group = reader.get_row_group(0).unwrap();
        for (values_left, bytes_left, fits) in
            [(1000, 1 << 20, true), (999, 1 << 20, false), (1000, 4, false)]
        {
            let pages = group.get_column_page_reader(0).unwrap();
            let guard = Guard { pages, values_left, bytes_left };
            let pages: Result<Vec<_>, _> = guard.collect();
            assert_eq!(pages.is_ok(), fits, "{values_left} {bytes_left}");
        }
    }
}
