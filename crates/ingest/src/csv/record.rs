//! Lines to records, one line at a time: so a quote that is never closed costs its own line and not
//! the rest of the file, and every record knows its line. A line without a quote, so nearly every
//! one, is its own text, cut at the delimiters. Every byte of a line is part of a field, or the row
//! is bad: nothing behind a closing quote or a lone carriage return is passed over.

use super::dialect::Dialect;
use crate::error::Fault;
use crate::limits::ROW_PARTS_MAX;
use std::str::Utf8Error;

/// Reads the records of a block.
pub(super) struct RecordReader {
    dialect: Dialect,
    text: Vec<u8>,
    ends: Vec<usize>,
    /// Which fields stand in quotes.
    quoted: Vec<bool>,
    next_line: u64,
}

/// A record's fields.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    /// The line it starts on.
    pub(super) line: u64,
    text: &'a str,
    ends: &'a [usize],
    /// Bytes between two fields.
    gap: usize,
    /// Which fields stand in quotes; none where this is shorter.
    quoted: &'a [bool],
    dialect: &'a Dialect,
}

impl<'a> Record<'a> {
    /// How many fields there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The field at a place; nothing, if it says that there is no value.
    #[inline]
    pub(super) fn field(&self, at: usize) -> &'a str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] + self.gap };
        let field = &self.text[start..self.ends[at]];
        match &self.dialect.null {
            Some(null) if null.as_str() == field && !self.is_quoted(at) => "",
            _ => field,
        }
    }

    #[inline]
    fn is_quoted(&self, at: usize) -> bool {
        self.quoted.get(at).is_some_and(|quoted| *quoted)
    }

    /// Whether the field at a place holds nothing, not even an empty text in quotes.
    #[inline]
    pub(super) fn is_absent(&self, at: usize) -> bool {
        let is_text = self.is_quoted(at) && !self.dialect.ignore_empty_strings;
        self.field(at).is_empty() && !is_text
    }

    /// All fields.
    pub(super) fn fields(self) -> impl Iterator<Item = &'a str> + Clone {
        (0..self.len()).map(move |at| self.field(at))
    }
}

/// The lines of each record of a block, good or bad, as they stand there, with the number of the
/// first. The block's last line must have its end.
pub(crate) fn lines_of_records(
    dialect: Dialect,
    first_line: u64,
    mut rest: &[u8],
) -> impl Iterator<Item = (u64, &[u8])> {
    let mut reader = RecordReader::new(dialect, first_line);
    std::iter::from_fn(move || {
        reader.pass_blank_lines(&mut rest);
        let (line, lines) = (reader.next_line, rest);
        // Whether it is a good one is not asked.
        let _record = reader.next(&mut rest)?;
        Some((line, &lines[..lines.len() - rest.len()]))
    })
}

/// A record, or the line that has none.
type Next<'a> = Option<Result<Record<'a>, (u64, Fault)>>;

impl RecordReader {
    /// Starts at a line of a file.
    pub(super) fn new(dialect: Dialect, first_line: u64) -> Self {
        let (text, ends, quoted) = (Vec::new(), vec![0; 64], Vec::new());
        Self { dialect, text, ends, quoted, next_line: first_line }
    }

    /// The next record of `rest`; the last line of `rest` must have its end. Blank lines and comments
    /// are passed over.
    pub(super) fn next<'r, 'b: 'r>(&'r mut self, rest: &mut &'b [u8]) -> Next<'r> {
        self.pass_blank_lines(rest);
        if rest.is_empty() {
            return None;
        }
        let (line, record) = (self.next_line, *rest);
        if let Some((text, fields)) = self.cut(rest) {
            let text = str::from_utf8(text).map_err(|error| (line, self.not_text(text, error)));
            return Some(text.map(|text| Record {
                line,
                text,
                ends: &self.ends[..fields],
                gap: 1,
                quoted: &[],
                dialect: &self.dialect,
            }));
        }
        let read = self.read(rest);
        let record = &record[..record.len() - rest.len()];
        Some(
            read.and_then(|fields| self.uncut(line, record, fields)).map_err(|fault| (line, fault)),
        )
    }

    fn pass_blank_lines(&mut self, rest: &mut &[u8]) {
        loop {
            match rest {
                [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] => {
                    *rest = after;
                    self.next_line += 1;
                }
                [byte, ..] if Some(*byte) == self.dialect.comment => self.pass_line(rest),
                _ => return,
            }
        }
    }

    /// The record that was read last, if its lines are text. Its fields alone do not prove that: the
    /// halves of an invalid byte sequence may form one character when the delimiter between them is
    /// removed.
    fn uncut(&self, line: u64, record: &[u8], fields: usize) -> Result<Record<'_>, Fault> {
        let ends = &self.ends[..fields];
        let text = &self.text[..ends.last().copied().unwrap_or(0)];
        str::from_utf8(record).map_err(|error| self.not_text(record, error))?;
        let text = str::from_utf8(text).map_err(|error| self.not_text(record, error))?;
        Ok(Record { line, text, ends, gap: 0, quoted: &self.quoted, dialect: &self.dialect })
    }

    /// Cuts the next line at its delimiters, if nothing in it is more than that.
    fn cut<'r>(&mut self, rest: &mut &'r [u8]) -> Option<(&'r [u8], usize)> {
        let at = memchr::memchr3(self.dialect.quote, b'\r', b'\n', rest)?;
        let (text, after) = rest.split_at(at);
        let after = match after {
            [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] => after,
            _ => return None,
        };
        let ends = memchr::memchr_iter(self.dialect.delimiter, text).chain([text.len()]);
        let mut fields = 0;
        for end in ends {
            *self.ends.get_mut(fields)? = end;
            fields += 1;
        }
        *rest = after;
        self.next_line += 1;
        Some((text, fields))
    }

    /// Reads the fields of a record that has quotes or carriage returns; says how many there are.
    /// A faulty record is passed over up to the end of its line.
    fn read(&mut self, rest: &mut &[u8]) -> Result<usize, Fault> {
        self.text.clear();
        self.quoted.clear();
        let mut fields = 0;
        loop {
            if fields == ROW_PARTS_MAX {
                self.pass_line(rest);
                let detail = format!("expected at most {ROW_PARTS_MAX} fields");
                return Err(Fault::new(fields, detail));
            }
            let is_quoted = rest.first() == Some(&self.dialect.quote);
            let read = match is_quoted {
                true => self.read_quoted(rest),
                false => self.read_plain(rest),
            };
            let is_last = read.and_then(|()| self.read_end(rest)).map_err(|detail| {
                self.pass_line(rest);
                Fault::new(fields, detail)
            })?;
            if self.ends.len() <= fields {
                self.ends.resize(fields * 2 + 1, 0);
            }
            self.ends[fields] = self.text.len();
            self.quoted.push(is_quoted);
            fields += 1;
            if is_last {
                return Ok(fields);
            }
        }
    }

    /// A field without quotes, up to its delimiter or line end.
    fn read_plain(&mut self, rest: &mut &[u8]) -> Result<(), &'static str> {
        let end = memchr::memchr3(self.dialect.delimiter, b'\r', b'\n', rest).unwrap_or(rest.len());
        self.text.extend_from_slice(&rest[..end]);
        *rest = &rest[end..];
        Ok(())
    }

    /// A field in quotes, up to behind the closing one.
    fn read_quoted(&mut self, rest: &mut &[u8]) -> Result<(), &'static str> {
        let mut inside = &rest[1..];
        loop {
            let end = memchr::memchr(self.dialect.quote, inside);
            let part = &inside[..end.unwrap_or(inside.len())];
            let line_ends = memchr::memchr_iter(b'\n', part).count() as u64;
            let multiline = self.dialect.multiline;
            let Some(end) = end.filter(|_| multiline || line_ends == 0) else {
                if multiline {
                    // The start of the next record is unknown.
                    self.next_line += line_ends;
                    *rest = &[];
                    return Err("expected '\"' to close this field, found the end of the file");
                }
                return Err(
                    "expected '\"' to close this field on its line (multi-line fields must \
                            be asked for)",
                );
            };
            self.next_line += line_ends;
            self.text.extend_from_slice(part);
            inside = &inside[end + 1..];
            *rest = inside;
            match inside {
                [quote, after @ ..] if *quote == self.dialect.quote => {
                    self.text.push(*quote);
                    inside = after;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Reads the delimiter or line end behind a field; true if it ends the record.
    fn read_end(&mut self, rest: &mut &[u8]) -> Result<bool, &'static str> {
        match *rest {
            [byte, after @ ..] if *byte == self.dialect.delimiter => {
                *rest = after;
                Ok(false)
            }
            [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] => {
                self.next_line += 1;
                *rest = after;
                Ok(true)
            }
            [] => Ok(true),
            [b'\r', ..] => Err("a carriage return stands alone here: end lines with a line feed, \
                                or put the text in quotes"),
            [..] => {
                Err("there is text after the closing quote of this field: write a quote inside \
                        a quoted field twice")
            }
        }
    }

    /// Skips the rest of a faulty record's line.
    fn pass_line(&mut self, rest: &mut &[u8]) {
        if let Some(end) = memchr::memchr(b'\n', rest) {
            *rest = &rest[end + 1..];
            self.next_line += 1;
        } else {
            *rest = &[];
        }
    }

    /// The fault of a record with bytes that are no text, at their field.
    #[cold]
    fn not_text(&self, record: &[u8], error: Utf8Error) -> Fault {
        let before = &record[..error.valid_up_to()];
        let (mut at, mut is_quoted, mut is_start) = (0, false, true);
        for byte in before {
            let is_quote = *byte == self.dialect.quote && (is_start || is_quoted);
            is_quoted ^= is_quote;
            is_start = *byte == self.dialect.delimiter && !is_quoted;
            at += usize::from(is_start);
        }
        Fault::new(at, "expected UTF-8 text, found other bytes: convert the file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All records as `line: field|field`, faults as `line!field: detail`.
    fn read(text: &str, multiline: bool) -> Vec<String> {
        read_bytes(text.as_bytes(), multiline)
    }

    fn read_bytes(mut rest: &[u8], multiline: bool) -> Vec<String> {
        let dialect = Dialect { multiline, ..Dialect::default() };
        let mut reader = RecordReader::new(dialect, 1);
        let mut seen = Vec::new();
        while let Some(next) = reader.next(&mut rest) {
            seen.push(match next {
                Ok(record) => {
                    let fields: Vec<_> = record.fields().collect();
                    format!("{}: {}", record.line, fields.join("|"))
                }
                Err((line, fault)) => format!("{line}!{}: {}", fault.at, fault.detail),
            });
        }
        seen
    }

    #[test]
    fn quotes_blank_lines_and_both_line_ends() {
        let text = "a,\"b,\"\"c\"\"\",\r\n\n\r\n\"\",5\" disk\n";
        assert_eq!(read(text, false), ["1: a|b,\"c\"|", "4: |5\" disk"]);
    }

    #[test]
    fn a_line_is_cut_as_it_is_read() {
        let parts = ["", "a", "b c", "\u{e9}", "'", "1.5"];
        let mut random = 7_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % below
        };
        for _ in 0..2_000 {
            let fields: Vec<&str> = (0..1 + next(5)).map(|_| parts[next(parts.len())]).collect();
            let end = ["\n", "\r\n"][next(2)];
            let plain = fields.join(",") + end;
            // An empty field in quotes behind it makes the same line one to be read.
            let quoted = fields.join(",") + ",\"\"" + end;
            let (plain, quoted) = (read(&plain, false), read(&quoted, false));
            let (Some(plain), Some(quoted)) = (plain.first(), quoted.first()) else { continue };
            assert_eq!(format!("{plain}|"), *quoted);
        }
    }

    #[test]
    fn an_open_quote_costs_its_own_line() {
        let text = "1,\"open\n2,fine\n";
        let open = "1!1: expected '\"' to close this field on its line (multi-line fields must be asked for)";
        assert_eq!(read(text, false), [open, "2: 2|fine"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_named_by_their_field_also_where_they_would_join_to_some() {
        let fault = |line, at| {
            format!("{line}!{at}: expected UTF-8 text, found other bytes: convert the file")
        };
        // Both of one character, in two fields, in one beside quotes, and on two lines of one.
        let text = b"x\n1,\xd7,\xbe,\n2,\xd7,\xbe,\"\"\n3,\"\xd7\",\xbe\n4,5\n\"a\",\"b\n\xbe\"\n";
        let plain = ["1: x".into(), fault(2, 1), fault(3, 1), fault(4, 1), "5: 4|5".into()];
        assert_eq!(read_bytes(text, true), [&plain[..], &[fault(6, 1)]].concat());
    }

    #[test]
    fn multi_line_fields_are_read_when_asked_for() {
        let text = "1,\"two\nlines\"\n3,x\n";
        assert_eq!(read(text, true), ["1: 1|two\nlines", "3: 3|x"]);
    }

    #[test]
    fn a_record_may_have_very_many_fields() {
        let text = ",".repeat(1000) + "\n";
        assert_eq!(read(&text, false)[0].matches('|').count(), 1000);
    }

    #[test]
    fn a_lone_carriage_return_is_a_bad_row_and_text_inside_quotes() {
        let fault = |line, at| {
            format!(
                "{line}!{at}: a carriage return stands alone here: end lines with a line feed, or \
                 put the text in quotes"
            )
        };
        let text = "1,a\r2,b\r\n1,\"a\"\r2,b\n\r1,x\n1\r\r\n1,\"a\rb\"\r\n";
        let expected =
            [fault(1, 1), fault(2, 1), fault(3, 0), fault(4, 0), "5: 1|a\rb".to_string()];
        assert_eq!(read(text, false), expected);
        assert_eq!(read(text, true), expected);
    }

    #[test]
    fn text_behind_a_closing_quote_is_a_bad_row() {
        let fault = |line, at| {
            format!(
                "{line}!{at}: there is text after the closing quote of this field: write a quote \
                 inside a quoted field twice"
            )
        };
        let text = "1,\"a \"b\" c\"\n2,\"x\"y\n\"3\" ,z\n4,\"\"\"\"\n";
        for multiline in [false, true] {
            let seen = read(text, multiline);
            assert_eq!(seen, [fault(1, 1), fault(2, 1), fault(3, 0), "4: 4|\"".to_string()]);
        }
    }
}
