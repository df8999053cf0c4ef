//! Results as a table, as JSON or as CSV.
//!
//! Results arrive as JSON text, line by line, and stay text: a number is shown with all of the digits that it came with. A
//! table is for people, so control characters are shown as escapes and long values are cut; JSON and CSV are
//! for programs, and whole.

mod counters;
mod elements;
mod grid;
mod json;
mod profile;

use std::io;

use millrace_model::Result;

use crate::answer::{Columns, Line, Summary};
use crate::arguments::Format;
use grid::{Grid, ROWS_MAX, csv, grid, named_grid, table, table_end};

pub(super) use profile::rows as profile_rows;

/// The beginning of a profile as JSON, which a traversal of Gremlin may have as its only result.
const PROFILE_BEGINS: &str = "{\"dur\":";

/// The text of results that took so long.
pub(crate) fn shown(results: &str, took_ms: f64, format: Format) -> Result<String> {
    Ok(match format {
        Format::Json => format!("{results}\n"),
        Format::Csv => csv(&grid(results, format)?),
        Format::Table => {
            let grid = grid(results, format)?;
            table(&grid) + &table_end(grid.rows.len(), took_ms)
        }
    })
}

/// Shows an answer as its lines come. JSON leaves at once; a table once its rows, or the first of many, are there; CSV
/// at the end, since its first line names the columns of all rows.
pub(crate) struct Printer<'a> {
    out: &'a mut dyn io::Write,
    format: Format,
    /// Whether elements are nodes and relationships.
    in_cypher: bool,
    columns: Columns,
    /// Whether a line of JSON was begun.
    has_begun: bool,
    /// Rows that have not been shown.
    rows: Vec<String>,
    count: usize,
    is_table_shown: bool,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(out: &'a mut dyn io::Write, format: Format, in_cypher: bool) -> Printer<'a> {
        let (columns, rows) = (Columns { is_list: true, ..Columns::default() }, Vec::new());
        let (has_begun, is_table_shown) = (false, false);
        Printer { out, format, in_cypher, columns, has_begun, rows, count: 0, is_table_shown }
    }

    /// The names of the columns, where they have such.
    fn names(&self) -> &[String] {
        self.columns.names.as_deref().unwrap_or_default()
    }

    /// Takes a line; the inner error is that of the output.
    pub(crate) fn line(&mut self, line: Line) -> Result<io::Result<()>> {
        match line {
            Line::Columns(columns) => {
                self.columns = columns;
                Ok(Ok(()))
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
            self.begin_json()?;
            if self.count != 0 {
                self.out.write_all(b",")?;
            }
            self.count += 1;
            self.out.write_all(row.as_bytes())?;
        }
        self.out.flush()
    }

    fn begin_json(&mut self) -> io::Result<()> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        if is_first && self.columns.is_list { self.out.write_all(b"[") } else { Ok(()) }
    }

    fn grid(&self) -> Result<Grid> {
        match &self.columns.names {
            Some(names) => named_grid(&self.rows, names, self.format),
            None => grid(&format!("[{}]", self.rows.join(",")), self.format),
        }
    }

    /// The table of the rows; the text of a plan as it is, and the profile of a traversal as its steps.
    fn table(&self) -> Result<String> {
        match self.rows.as_slice() {
            [only] if self.columns.is_plan => Ok(lines(&grid::plain(only)?)),
            [only] if self.columns.names.is_none() && only.starts_with(PROFILE_BEGINS) => {
                // A map of these keys may be something else.
                match profile::rows(only, &[]) {
                    Ok(steps) => Ok(table(&grid(&steps, self.format)?)),
                    Err(_) => Ok(table(&self.grid()?)),
                }
            }
            _ => Ok(table(&self.grid()?)),
        }
    }

    fn show_table(&mut self) -> Result<io::Result<()>> {
        self.is_table_shown = true;
        let text = self.table()?;
        Ok(self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()))
    }

    /// All rows have come.
    pub(crate) fn end(mut self, summary: &Summary) -> Result<io::Result<()>> {
        if let Some(profile) = &summary.profile {
            let steps = profile::rows(profile, self.names())?;
            let wrote = counters::text(&summary.counters, self.in_cypher);
            let wrote = wrote.filter(|_| self.format == Format::Table);
            let wrote = wrote.map_or_else(String::new, |wrote| format!("{wrote}\n"));
            return Ok(self.last(&(shown(&steps, summary.elapsed_ms, self.format)? + &wrote)));
        }
        let text = match self.format {
            Format::Json => {
                if let Err(error) = self.begin_json() {
                    return Ok(Err(error));
                }
                (if self.columns.is_list { "]\n" } else { "\n" }).to_owned()
            }
            Format::Csv => csv(&self.grid()?),
            Format::Table => {
                if !self.is_table_shown
                    && let Err(error) = self.show_table()?
                {
                    return Ok(Err(error));
                }
                self.under_table(summary)
            }
        };
        Ok(self.last(&text))
    }

    /// What was written and how long it took. A statement without columns has no rows to count.
    fn under_table(&self, summary: &Summary) -> String {
        let Summary { rows, elapsed_ms, counters, .. } = summary;
        let wrote = counters::text(counters, self.in_cypher);
        let is_write = self.columns.names.as_ref().is_some_and(Vec::is_empty);
        match (wrote, is_write) {
            _ if self.columns.is_plan => format!("({elapsed_ms:.1} ms)\n"),
            (Some(wrote), true) => format!("{wrote}\n({elapsed_ms:.1} ms)\n"),
            (None, true) => format!("(no changes, {elapsed_ms:.1} ms)\n"),
            (wrote, false) => {
                let count = usize::try_from(*rows).unwrap_or(usize::MAX);
                let wrote = wrote.map_or_else(String::new, |wrote| format!("{wrote}\n"));
                table_end(count, *elapsed_ms) + &wrote
            }
        }
    }

    fn last(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush())
    }

    /// No more rows come, because of an error: what was begun ends its line.
    pub(crate) fn break_off(mut self) -> io::Result<()> {
        if self.has_begun { self.last("\n") } else { Ok(()) }
    }
}

/// A text of several lines without what moves the cursor otherwise.
fn lines(text: &str) -> String {
    let line = |line: &str| {
        let plain = |letter: char| match letter.is_control() {
            true => letter.escape_default().to_string(),
            false => letter.to_string(),
        };
        line.chars().map(plain).collect::<String>() + "\n"
    };
    text.lines().map(line).collect()
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
        printed_of(format, (is_list, None), lines, ends)
    }

    fn own(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn summary(rows: u64, counters: &[(&str, u64)]) -> Summary {
        let counters = counters.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        Summary { rows, elapsed_ms: 1.25, profile: None, counters }
    }

    /// The same, perhaps with named columns.
    fn printed_of(
        format: Format,
        (is_list, names): (bool, Option<&[&str]>),
        lines: Vec<Vec<&str>>,
        ends: bool,
    ) -> String {
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out, format, true);
        let count = lines.iter().map(Vec::len).sum::<usize>() as u64;
        let columns = Columns { is_list, names: names.map(own), is_plan: false };
        printer.line(Line::Columns(columns)).unwrap().unwrap();
        for rows in lines {
            let rows = rows.into_iter().map(str::to_owned).collect();
            printer.line(Line::Rows(rows)).unwrap().unwrap();
        }
        match ends {
            true => printer.end(&summary(count, &[])).unwrap().unwrap(),
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
    fn columns_with_names_are_shown_whether_or_not_there_are_rows() {
        let of =
            |format, lines: Vec<Vec<&str>>| printed_of(format, (true, Some(&["n"])), lines, true);
        let one = || vec![vec![r#"{"n":1917}"#]];
        assert_eq!(of(Format::Csv, one()), "n\r\n1917\r\n");
        assert_eq!(of(Format::Json, one()), "[{\"n\":1917}]\n");
        assert_eq!(of(Format::Table, one()), "    n\n------\n 1917\n(1 row, 1.2 ms)\n");
        assert_eq!(of(Format::Csv, vec![]), "n\r\n");
        assert_eq!(of(Format::Table, vec![]), " n\n---\n(0 rows, 1.2 ms)\n");
        // A map with these keys is no element.
        let map = r#"{"type":"vertex","id":1}"#;
        let names: &[&str] = &["type", "id"];
        let csv = printed_of(Format::Csv, (true, Some(names)), vec![vec![map]], true);
        assert_eq!(csv, "type,id\r\nvertex,1\r\n");
    }

    #[test]
    fn a_plan_is_lines_and_a_write_says_what_it_did() {
        let text = |columns: Columns, rows: &[&str], summary: &Summary| {
            let mut out = Vec::new();
            let mut printer = Printer::new(&mut out, Format::Table, true);
            printer.line(Line::Columns(columns)).unwrap().unwrap();
            printer.line(Line::Rows(own(rows))).unwrap().unwrap();
            printer.end(summary).unwrap().unwrap();
            String::from_utf8(out).unwrap()
        };
        let plan = Columns { is_list: true, is_plan: true, names: None };
        let shown = text(plan, &[r#""Scan (P) n\nProject\u001b n\n""#], &summary(1, &[]));
        assert_eq!(shown, "Scan (P) n\nProject\\u{1b} n\n(1.2 ms)\n");
        let write = |counters| {
            text(
                Columns { is_list: true, is_plan: false, names: Some(vec![]) },
                &[],
                &summary(0, counters),
            )
        };
        let created = [("vertices_created", 1), ("labels_added", 1)];
        assert_eq!(write(&created), "1 node created, 1 label added\n(1.2 ms)\n");
        assert_eq!(write(&[]), "(no changes, 1.2 ms)\n");
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
            "a,b,c\r\n\"x,\"\"y\"\"\n\",\"\",\r\n,,\"[1,\"\"2\"\"]\"\r\n",
        );
    }

    #[test]
    fn a_null_of_csv_is_no_text() {
        check(r#"[{"s":"null","n":null,"e":""}]"#, Format::Csv, "s,n,e\r\nnull,,\"\"\r\n");
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
