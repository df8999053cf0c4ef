//! Rows and columns of results, as a table for people and as CSV for programs.

use std::collections::HashMap;
use std::fmt::Write;

use millrace_model::Result;
use serde_json::value::RawValue;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::elements;
use super::json::{Pairs, read};
use crate::arguments::Format;

/// Rows of a table.
pub(super) const ROWS_MAX: usize = 1_000;

/// Columns of the screen that a value of a table takes.
const VALUE_COLUMNS_MAX: usize = 80;

/// Rows and columns; a value that a row does not have is `None`.
pub(super) struct Grid {
    columns: Vec<String>,
    /// Where the columns are, by name.
    column_indices: HashMap<String, usize>,
    pub(super) rows: Vec<Vec<Option<String>>>,
    /// Columns of numbers, which are shown to the right.
    is_number: Vec<bool>,
}

/// The grid of a list of results, or of one result that is no list.
pub(super) fn grid(results: &str, format: Format) -> Result<Grid> {
    let rows: Vec<&RawValue> = match results.trim_start().starts_with('[') {
        true => read(results)?,
        false => vec![read(results)?],
    };
    let mut grid = Grid::of_columns(&[]);
    for row in rows {
        grid.add(pairs_of(row)?, (format, plain))?;
    }
    Ok(grid.whole())
}

/// The grid of rows with named columns; in a `table` elements are written as Cypher writes them.
pub(super) fn named_grid(rows: &[String], names: &[String], format: Format) -> Result<Grid> {
    let mut grid = Grid::of_columns(names);
    let shown = if format == Format::Table { elements::text } else { plain };
    for row in rows {
        let Pairs(pairs) = read(row)?;
        let pairs = pairs.into_iter().map(|(name, value)| (name, value.get())).collect();
        grid.add(pairs, (format, shown))?;
    }
    Ok(grid.whole())
}

impl Grid {
    fn of_columns(names: &[String]) -> Grid {
        let is_number = vec![true; names.len()];
        let column_indices =
            names.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect();
        Grid { columns: names.to_vec(), column_indices, rows: Vec::new(), is_number }
    }

    fn whole(mut self) -> Grid {
        let width = self.columns.len();
        self.rows.iter_mut().for_each(|row| row.resize(width, None));
        if self.rows.is_empty() {
            self.is_number.fill(false);
        }
        self
    }

    /// Adds a row; `shown` makes the text of a value from its JSON. In CSV a null has none, as `null` is a text.
    fn add(
        &mut self,
        pairs: Vec<(String, &str)>,
        (format, shown): (Format, fn(&str) -> Result<String>),
    ) -> Result<()> {
        let mut values = vec![None; self.columns.len()];
        for (column, text) in pairs {
            let place = *self.column_indices.entry(column).or_insert_with_key(|column| {
                self.columns.push(column.clone());
                self.is_number.push(true);
                values.push(None);
                self.columns.len() - 1
            });
            self.is_number[place] &= text
                .starts_with(|letter: char| letter.is_ascii_digit() || letter == '-')
                || text == "null";
            values[place] = match (format, text) {
                (Format::Csv, "null") => None,
                _ => Some(shown(text)?),
            };
        }
        self.rows.push(values);
        Ok(())
    }
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
pub(super) fn only_value(property: &RawValue) -> Result<&str> {
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
pub(super) fn plain(text: &str) -> Result<String> {
    if text.starts_with('"') { read(text) } else { Ok(text.to_owned()) }
}

/// A header and rows.
pub(super) fn csv(grid: &Grid) -> String {
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

/// A table for people: control characters are shown as escapes, and long values are cut.
pub(super) fn table(grid: &Grid) -> String {
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

/// What stands under a table.
pub(super) fn table_end(count: usize, took_ms: f64) -> String {
    let mut text = String::new();
    if ROWS_MAX < count {
        text.push_str(&format!("… the first {ROWS_MAX} rows; :format json and csv show all\n"));
    }
    let word = if count == 1 { "row" } else { "rows" };
    text.push_str(&format!("({count} {word}, {took_ms:.1} ms)\n"));
    text
}
