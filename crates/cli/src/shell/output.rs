//! Results as a table, as JSON or as CSV.
//!
//! Results arrive as JSON text and stay text: a number is shown with all of the digits that it came with. A
//! table is for people, so control characters are shown as escapes and long values are cut; JSON and CSV are
//! for programs, and whole.

use std::collections::HashMap;
use std::fmt::Write;

use clap::ValueEnum;
use millrace_db::model::{Error, ErrorKind, Result};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Rows of a table.
const ROWS_MAX: usize = 1_000;

/// Columns of the screen that a value of a table takes.
const VALUE_COLUMNS_MAX: usize = 80;

/// How results are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// A line of JSON for each statement.
    Json,
    /// A header and rows.
    Csv,
}

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
        Format::Table => table(&grid(results)?, took_ms),
    })
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

fn table(grid: &Grid, took_ms: f64) -> String {
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
    let count = grid.rows.len();
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
