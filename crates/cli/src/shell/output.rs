//! Results as a table, as JSON or as CSV.
//!
//! Results arrive as JSON text, line by line, and stay text: a number is shown with all of the digits that it came with. A
//! table is for people, so control characters are shown as escapes and long values are cut; JSON and CSV are
//! for programs, and whole.

use std::collections::HashMap;
use std::fmt::Write;
use std::io;

use millrace_model::{Error, ErrorKind, Result};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::answer::Line;
use crate::arguments::Format;

/// Rows of a table.
const ROWS_MAX: usize = 1_000;

/// Columns of the screen that a value of a table takes.
const VALUE_COLUMNS_MAX: usize = 80;

/// Rows and columns; a value that a row does not have is `None`.
struct Grid {
    columns: Vec<String>,
    rows: Vec<Vec<Option<String>>>,
    /// Columns of numbers, which are shown to the right.
    is_number: Vec<bool>,
}

/// The text of results that took so long.
pub(crate) fn shown(results: &str, took_ms: f64, format: Format) -> Result<String> {
    Ok(match format {
        Format::Json => format!("{results}\n"),
        Format::Csv => csv(&grid(results)?),
        Format::Table => {
            let grid = grid(results)?;
            table(&grid) + &table_end(grid.rows.len(), took_ms)
        }
    })
}

/// Shows an answer as its lines come. JSON leaves at once; a table once its rows, or the first of many, are there; CSV
/// at the end, since its first line names the columns of all rows.
pub(crate) struct Printer<'a> {
    out: &'a mut dyn io::Write,
    format: Format,
    is_list: bool,
    has_begun: bool,
    /// Rows that have not been shown.
    rows: Vec<String>,
    count: usize,
    is_table_shown: bool,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(out: &'a mut dyn io::Write, format: Format) -> Printer<'a> {
        let (rows, is_list, has_begun) = (Vec::new(), true, false);
        Printer { out, format, is_list, has_begun, rows, count: 0, is_table_shown: false }
    }

    /// Takes a line; the inner error is that of the output.
    pub(crate) fn line(&mut self, line: Line) -> Result<io::Result<()>> {
        match line {
            Line::Columns { is_list } => {
                (self.is_list, self.has_begun) = (is_list, true);
                let begins = is_list && self.format == Format::Json;
                Ok(if begins { self.out.write_all(b"[") } else { Ok(()) })
            }
            Line::Rows(rows) => self.add(rows),
            Line::Summary(_) => Ok(Ok(())),
        }
    }

    fn add(&mut self, rows: Vec<String>) -> Result<io::Result<()>> {
        match self.format {
            Format::Json => Ok(self.write_json(&rows)),
            Format::Csv => {
                self.rows.extend(rows);
                Ok(Ok(()))
            }
            Format::Table => {
                self.count += rows.len();
                let room = ROWS_MAX.saturating_sub(self.rows.len());
                self.rows.extend(rows.into_iter().take(room));
                let is_full = ROWS_MAX < self.count && !self.is_table_shown;
                if is_full { self.show_table() } else { Ok(Ok(())) }
            }
        }
    }

    fn write_json(&mut self, rows: &[String]) -> io::Result<()> {
        for row in rows {
            if self.count != 0 {
                self.out.write_all(b",")?;
            }
            self.count += 1;
            self.out.write_all(row.as_bytes())?;
        }
        self.out.flush()
    }

    fn grid(&self) -> Result<Grid> {
        grid(&format!("[{}]", self.rows.join(",")))
    }

    fn show_table(&mut self) -> Result<io::Result<()>> {
        self.is_table_shown = true;
        let text = table(&self.grid()?);
        Ok(self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()))
    }

    /// All rows have come.
    pub(crate) fn end(mut self, rows: u64, took_ms: f64) -> Result<io::Result<()>> {
        let text = match self.format {
            Format::Json if self.is_list => "]\n".to_owned(),
            Format::Json => "\n".to_owned(),
            Format::Csv => csv(&self.grid()?),
            Format::Table => {
                if !self.is_table_shown
                    && let Err(error) = self.show_table()?
                {
                    return Ok(Err(error));
                }
                table_end(usize::try_from(rows).unwrap_or(usize::MAX), took_ms)
            }
        };
        Ok(self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()))
    }

    /// No more rows come, because of an error: what was begun ends its line.
    pub(crate) fn break_off(self) -> io::Result<()> {
        if self.has_begun && self.format == Format::Json {
            self.out.write_all(b"\n").and_then(|()| self.out.flush())
        } else {
            Ok(())
        }
    }
}

/// Keys and values of an object, in their order.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        Error::new(ErrorKind::Bug, format!("the results are not valid JSON: {error}"))
    })
}

fn grid(results: &str) -> Result<Grid> {
    let rows: Vec<&RawValue> = match results.trim_start().starts_with('[') {
        true => read(results)?,
        false => vec![read(results)?],
    };
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut grid = Grid { columns: Vec::new(), rows: Vec::new(), is_number: Vec::new() };
    for row in rows {
        let mut values = vec![None; grid.columns.len()];
        for (column, text) in pairs_of(row)? {
            let place = *places.entry(column).or_insert_with_key(|column| {
                grid.columns.push(column.clone());
                grid.is_number.push(true);
                values.push(None);
                grid.columns.len() - 1
            });
            grid.is_number[place] &= text
                .starts_with(|letter: char| letter.is_ascii_digit() || letter == '-')
                || text == "null";
            values[place] = Some(plain(text)?);
        }
        grid.rows.push(values);
    }
    let width = grid.columns.len();
    grid.rows.iter_mut().for_each(|row| row.resize(width, None));
    Ok(grid)
}

/// One result as columns: of an element its id, label, ends and properties; of a map its entries; of what a
/// traversal did the steps, in one column each.
fn pairs_of(row: &RawValue) -> Result<Vec<(String, &str)>> {
    let text = row.get();
    if !text.starts_with('{') {
        return Ok(vec![("value".to_owned(), text)]);
    }
    let Pairs(pairs) = read(text)?;
    let kind = pairs.iter().find(|(key, _)| key == "type").map(|(_, value)| value.get());
    if !matches!(kind, Some("\"vertex\"" | "\"edge\"")) {
        return Ok(pairs.into_iter().map(|(key, value)| (key, value.get())).collect());
    }
    let mut columns = Vec::new();
    for (key, value) in pairs {
        match key.as_str() {
            "id" | "label" => columns.push((key, value.get())),
            "outV" => columns.push(("from".to_owned(), value.get())),
            "inV" => columns.push(("to".to_owned(), value.get())),
            "properties" => {
                let Pairs(properties) = read(value.get())?;
                for (key, property) in properties {
                    columns.push((key, only_value(property)?));
                }
            }
            _ => {}
        }
    }
    Ok(columns)
}

/// The value of a property with one value; several stay as they are.
fn only_value(property: &RawValue) -> Result<&str> {
    let text = property.get();
    let one: &str = match text.starts_with('[') {
        true => match read::<Vec<&RawValue>>(text)?.as_slice() {
            [one] => one.get(),
            _ => return Ok(text),
        },
        false => text,
    };
    if one.starts_with('{') {
        let Pairs(pairs) = read(one)?;
        let value = pairs.iter().find(|(key, _)| key == "value");
        return Ok(value.map_or(one, |(_, value)| value.get()));
    }
    Ok(one)
}

/// A text without its quotes; everything else as JSON.
fn plain(text: &str) -> Result<String> {
    if text.starts_with('"') { read(text) } else { Ok(text.to_owned()) }
}

fn csv(grid: &Grid) -> String {
    let mut text = String::new();
    let quoted = |text: &mut String, value: &str| match value.contains(['"', ',', '\n', '\r']) {
        true => {
            text.push('"');
            text.push_str(&value.replace('"', "\"\""));
            text.push('"');
        }
        false => text.push_str(value),
    };
    for (at, column) in grid.columns.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { "," });
        quoted(&mut text, column);
    }
    if !grid.columns.is_empty() {
        text.push_str("\r\n");
    }
    for row in &grid.rows {
        for (at, value) in row.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { "," });
            match value.as_deref() {
                // Empty, and no value at all, are two things.
                Some("") => text.push_str("\"\""),
                Some(value) => quoted(&mut text, value),
                None => {}
            }
        }
        text.push_str("\r\n");
    }
    text
}

/// A value as a cell shows it: on one line, of a bounded width, without what moves the cursor.
fn cell(value: &str) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for letter in value.chars() {
        let is_plain = !letter.is_control() && letter.width().is_some();
        let shown = if is_plain { letter.to_string() } else { letter.escape_default().to_string() };
        width += shown.width();
        if VALUE_COLUMNS_MAX < width {
            text.push('…');
            break;
        }
        text.push_str(&shown);
    }
    text
}

fn table(grid: &Grid) -> String {
    let cells: Vec<Vec<String>> = grid
        .rows
        .iter()
        .take(ROWS_MAX)
        .map(|row| row.iter().map(|value| cell(value.as_deref().unwrap_or_default())).collect())
        .collect();
    let heads: Vec<String> = grid.columns.iter().map(|column| cell(column)).collect();
    let widths: Vec<usize> = heads
        .iter()
        .enumerate()
        .map(|(at, head)| {
            let cells = cells.iter().map(|row| row[at].width());
            cells.chain([head.width()]).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    let line = |text: &mut String, cells: &[String]| {
        for (at, cell) in cells.iter().enumerate() {
            let room = " ".repeat(widths[at].saturating_sub(cell.width()));
            let (left, right) =
                if grid.is_number[at] { (room.as_str(), "") } else { ("", room.as_str()) };
            let bar = if at == 0 { "" } else { "|" };
            // Writing into a text cannot fail.
            let _written = write!(text, "{bar} {left}{cell}{right} ");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    };
    if !heads.is_empty() {
        line(&mut text, &heads);
        let rules: Vec<String> = widths.iter().map(|width| "-".repeat(width + 2)).collect();
        text.push_str(&rules.join("+"));
        text.push('\n');
    }
    cells.iter().for_each(|row| line(&mut text, row));
    text
}

fn table_end(count: usize, took_ms: f64) -> String {
    let mut text = String::new();
    if ROWS_MAX < count {
        text.push_str(&format!("… the first {ROWS_MAX} rows; :format json and csv show all\n"));
    }
    let word = if count == 1 { "row" } else { "rows" };
    text.push_str(&format!("({count} {word}, {took_ms:.1} ms)\n"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(results: &str, format: Format, wanted: &str) {
        assert_eq!(shown(results, 1.25, format).unwrap(), wanted, "{results}");
    }

    #[test]
    fn a_table_has_a_column_for_each_key_and_numbers_to_the_right() {
        check(
            r#"[{"id":1,"label":"P","type":"vertex","properties":{"name":[{"id":"x","value":"ann"}]}},{"id":22,"label":"P","type":"vertex"}]"#,
            Format::Table,
            " id | label | name\n----+-------+------\n  1 | P     | ann\n 22 | P     |\n(2 rows, 1.2 ms)\n",
        );
        check("42", Format::Table, " value\n-------\n    42\n(1 row, 1.2 ms)\n");
        check("[]", Format::Table, "(0 rows, 1.2 ms)\n");
        check(
            r#"[{"outV":1,"inV":2,"id":7,"label":"L","type":"edge","properties":{"w":0.5}}]"#,
            Format::Csv,
            "from,to,id,label,w\r\n1,2,7,L,0.5\r\n",
        );
    }

    /// What a printer writes of an answer of these rows.
    fn printed(format: Format, is_list: bool, lines: Vec<Vec<&str>>, ends: bool) -> String {
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out, format);
        let count = lines.iter().map(Vec::len).sum::<usize>() as u64;
        printer.line(Line::Columns { is_list }).unwrap().unwrap();
        for rows in lines {
            let rows = rows.into_iter().map(str::to_owned).collect();
            printer.line(Line::Rows(rows)).unwrap().unwrap();
        }
        match ends {
            true => printer.end(count, 1.25).unwrap().unwrap(),
            false => printer.break_off().unwrap(),
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn rows_are_printed_as_they_come() {
        let lines = || vec![vec!["1", "2"], vec!["{\"a\":3}"]];
        assert_eq!(printed(Format::Json, true, lines(), true), "[1,2,{\"a\":3}]\n");
        assert_eq!(printed(Format::Json, true, lines(), false), "[1,2,{\"a\":3}\n");
        assert_eq!(printed(Format::Json, true, vec![], true), "[]\n");
        assert_eq!(printed(Format::Json, false, vec![vec!["7"]], true), "7\n");
        assert_eq!(printed(Format::Csv, true, lines(), true), "value,a\r\n1,\r\n2,\r\n,3\r\n");
        assert_eq!(printed(Format::Csv, true, lines(), false), "");
        let table = printed(Format::Table, false, vec![vec!["42"]], true);
        assert_eq!(table, " value\n-------\n    42\n(1 row, 1.2 ms)\n");
        let many = vec![vec!["1"; ROWS_MAX], vec!["2"; 5]];
        let table = printed(Format::Table, true, many.clone(), true);
        assert!(table.contains("(1005 rows, 1.2 ms)"), "{table}");
        assert_eq!(table.lines().count(), ROWS_MAX + 4);
        let begun = printed(Format::Table, true, many, false);
        assert_eq!(begun.lines().count(), ROWS_MAX + 2, "the first rows are shown before the end");
    }

    #[test]
    fn a_number_keeps_all_of_its_digits() {
        let big = "[123456789012345678901234567890,1.10]";
        check(big, Format::Json, &format!("{big}\n"));
        check(big, Format::Csv, "value\r\n123456789012345678901234567890\r\n1.10\r\n");
    }

    #[test]
    fn csv_quotes_what_it_has_to() {
        check(
            r#"[{"a":"x,\"y\"\n","b":""},{"b":null,"c":[1,"2"]}]"#,
            Format::Csv,
            "a,b,c\r\n\"x,\"\"y\"\"\n\",\"\",\r\n,null,\"[1,\"\"2\"\"]\"\r\n",
        );
    }

    #[test]
    fn what_moves_the_cursor_is_shown_as_an_escape_and_a_long_value_is_cut() {
        let table = shown(r#"["a\u001b[2Jb\nc"]"#, 0.0, Format::Table).unwrap();
        assert!(table.contains(r"a\u{1b}[2Jb\nc"), "{table}");
        let long = format!("[\"{}\"]", "ä".repeat(200));
        let table = shown(&long, 0.0, Format::Table).unwrap();
        assert!(table.contains('…') && !table.contains(&"ä".repeat(81)), "{table}");
        let wide = shown(r#"[{"a":"ドラマ","b":1},{"a":"x","b":2}]"#, 0.0, Format::Table).unwrap();
        assert!(wide.contains(" x      | 2"), "{wide}");
    }
}
