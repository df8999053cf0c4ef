//! The answer to a query as lines of JSON (`application/x-ndjson`), and the answer to a check.
//!
//! ```text
//!   {"columns":["value"],"is_list":true}        first; `"is_named":true` where the columns have names
//!   {"rows":[[1],[{"id":7,…}]]}                 any number of times
//!   {"summary":{"rows":2,"elapsed_ms":0.4,"is_truncated":false}}   last, or
//!   {"error":{"kind":…,"message":…}}                         last
//! ```
//!
//! An answer whose last line is neither a summary nor an error was cut off on its way. A line never holds a line
//! end of its own: strings escape theirs.

use millrace_model::{DetachedElements, Error, Profile, Result, TextPosition, Value};
use serde_json::value::RawValue;

use crate::gremlin::Datum;
use crate::gremlin::graphson::{Version, write};
use crate::json::{to_json, write_string, write_value};

/// The content type of an answer.
pub const NDJSON: &str = "application/x-ndjson";

/// One value of a row: elements with their properties, numbers without types and with all of their digits.
pub fn cell(value: &Value, elements: &DetachedElements) -> Result<String> {
    write(&Datum::of(value, elements), Version::Untyped)
}

/// A profile as a tree: the operators with their times and counts, each with those inside it.
pub fn profile_tree(profile: &Profile) -> Result<String> {
    write(&Datum::TraversalMetrics(Box::new(profile.clone())), Version::Untyped)
}

/// The entries of a JSON list, or the one value that a text is; whether it is a list. A text that is no JSON is a
/// string: a script may write its answer itself.
pub fn cells_of_json(text: &str) -> (Vec<String>, bool) {
    let on_one_line = |value: &RawValue| value.get().replace(['\n', '\r'], " ");
    match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(entries) => (entries.into_iter().map(on_one_line).collect(), true),
        Err(_) => match serde_json::from_str::<&RawValue>(text) {
            Ok(value) => (vec![on_one_line(value)], false),
            Err(_) => {
                let mut string = String::new();
                write_string(&mut string, text);
                (vec![string], false)
            }
        },
    }
}

/// What the rows of an answer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowForm {
    /// The only row is the answer itself, and no entry of a list.
    Single,
    /// A row is one value without a name.
    Values,
    /// A row has values by the names of the columns.
    Named,
    /// The only row is the text of a plan.
    Plan,
}

/// The first line.
pub fn columns_line(columns: &[&str], form: RowForm) -> String {
    let mut line = String::from("{\"columns\":[");
    for (index, column) in columns.iter().enumerate() {
        line.push_str(if index == 0 { "" } else { "," });
        write_string(&mut line, column);
    }
    line.push_str(match form {
        RowForm::Single => "],\"is_list\":false}\n",
        RowForm::Values => "],\"is_list\":true}\n",
        RowForm::Named => "],\"is_list\":true,\"is_named\":true}\n",
        RowForm::Plan => "],\"is_list\":true,\"is_plan\":true}\n",
    });
    line
}

/// A line of rows under way.
#[derive(Debug, Default)]
pub struct RowsLine(String);

impl RowsLine {
    /// Adds a row: its cells, with commas between them.
    pub fn push(&mut self, cells: &str) {
        self.0.push_str(if self.0.is_empty() { "{\"rows\":[[" } else { ",[" });
        self.0.push_str(cells);
        self.0.push(']');
    }

    /// Its bytes so far.
    pub fn byte_size(&self) -> usize {
        self.0.len()
    }

    /// The line; `None`: it has no rows.
    pub fn finish(mut self) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        self.0.push_str("]}\n");
        Some(self.0)
    }
}

/// What came of a query that ended well.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Rows that were sent.
    pub rows: u64,
    /// Milliseconds from its beginning until its last row.
    pub elapsed_ms: f64,
    /// Whether there were more rows than were asked for.
    pub is_truncated: bool,
    /// What the query wrote: names and numbers above 0.
    pub counters: Vec<(&'static str, u64)>,
    /// The profile, as JSON, if it was asked for.
    pub profile: Option<String>,
}

impl Summary {
    /// The last line.
    pub fn line(&self) -> String {
        let Summary { rows, elapsed_ms, is_truncated, counters, profile } = self;
        let mut line = format!(
            "{{\"summary\":{{\"rows\":{rows},\"elapsed_ms\":{elapsed_ms:.3},\"is_truncated\":{is_truncated}"
        );
        if !counters.is_empty() {
            let pairs: Vec<String> =
                counters.iter().map(|(name, count)| format!("\"{name}\":{count}")).collect();
            line.push_str(",\"counters\":{");
            line.push_str(&pairs.join(","));
            line.push('}');
        }
        if let Some(profile) = profile {
            line.push_str(",\"profile\":");
            line.push_str(profile);
        }
        line.push_str("}}\n");
        line
    }
}

/// The last line of an answer that failed.
pub fn error_line(error: &Error, text: &str) -> String {
    let mut line = error_object(error, Some(text));
    line.push('\n');
    line
}

/// `{"error": {…}}`; `text` is the text that the position is in.
pub(super) fn error_object(error: &Error, text: Option<&str>) -> String {
    let mut object = String::from("{\"error\": ");
    let mut pairs = vec![(Value::from("kind"), Value::from(error.kind.word()))];
    pairs.extend(problem(error, text));
    write_value(&mut object, &Value::map(pairs));
    object.push('}');
    object
}

/// Message, help and position of an error.
fn problem(error: &Error, text: Option<&str>) -> Vec<(Value, Value)> {
    let number = |number: u64| Value::I64(i64::try_from(number).unwrap_or(i64::MAX));
    let mut pairs = vec![(Value::from("message"), Value::from(error.detail.as_ref()))];
    if let Some(help) = &error.help {
        pairs.push((Value::from("help"), Value::from(help.as_ref())));
    }
    if let Some(position) = error.position {
        if let Some(text) = text {
            pairs.push((Value::from("offset"), number(offset_of(text, position))));
        }
        pairs.push((Value::from("line"), number(position.line.into())));
        pairs.push((Value::from("column"), number(position.column.into())));
    }
    pairs
}

/// The characters of a text before a position; a column beyond its line is the line's end.
pub fn offset_of(text: &str, position: TextPosition) -> u64 {
    let before = usize::try_from(position.line.saturating_sub(1)).unwrap_or(usize::MAX);
    let mut offset = 0;
    for (number, line) in text.split('\n').enumerate() {
        let length = line.chars().count() as u64;
        if number == before {
            return offset + length.min(u64::from(position.column.saturating_sub(1)));
        }
        offset += length + 1;
    }
    offset.saturating_sub(1)
}

/// A proposal of a completion: a word, its kind, what there is to say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal<'a> {
    /// The word.
    pub text: &'a str,
    /// Its kind.
    pub kind: &'static str,
    /// Arguments, or use.
    pub detail: &'a str,
}

/// The answer to a check.
pub fn check_answer(text: &str, errors: &[Error], completions: &[Proposal<'_>]) -> String {
    let errors = errors.iter().map(|error| Value::map(problem(error, Some(text)))).collect();
    let completions = completions.iter().map(|Proposal { text, kind, detail }| {
        Value::map(vec![
            (Value::from("text"), Value::from(*text)),
            (Value::from("kind"), Value::from(*kind)),
            (Value::from("detail"), Value::from(*detail)),
        ])
    });
    to_json(&Value::map(vec![
        (Value::from("errors"), Value::list(errors)),
        (Value::from("completions"), Value::list(completions.collect())),
    ]))
}

#[cfg(test)]
mod tests {
    use millrace_model::ErrorKind;

    use super::*;

    #[test]
    fn every_line_is_one_object_of_json() {
        let mut rows = RowsLine::default();
        assert!(RowsLine::default().finish().is_none());
        let text = cell(&Value::from("a\n\"b\""), &DetachedElements::default()).unwrap();
        rows.push(&text);
        rows.push("7");
        let error =
            Error::new(ErrorKind::BadQuery, "no\nstep").at(TextPosition { line: 2, column: 3 });
        let counters = vec![("vertices_created", 1), ("properties_set", 2)];
        let profile = Some("{}".into());
        let summary = Summary { rows: 2, elapsed_ms: 1.5, is_truncated: true, counters, profile };
        for (line, wanted) in [
            (
                columns_line(&["value", "\"x\""], RowForm::Named),
                r#"{"columns":["value","\"x\""],"is_list":true,"is_named":true}"#,
            ),
            (columns_line(&["value"], RowForm::Single), r#"{"columns":["value"],"is_list":false}"#),
            (
                columns_line(&["plan"], RowForm::Plan),
                r#"{"columns":["plan"],"is_list":true,"is_plan":true}"#,
            ),
            (rows.finish().unwrap(), r#"{"rows":[["a\n\"b\""],[7]]}"#),
            (
                summary.line(),
                r#"{"summary":{"rows":2,"elapsed_ms":1.500,"is_truncated":true,"counters":{"vertices_created":1,"properties_set":2},"profile":{}}}"#,
            ),
            (
                error_line(&error, "ä\nöäü"),
                r#"{"error": {"kind": "bad-query", "message": "no\nstep", "offset": 4, "line": 2, "column": 3}}"#,
            ),
        ] {
            assert_eq!(line.strip_suffix('\n'), Some(wanted));
            assert!(!wanted.contains('\n') && serde_json::from_str::<&RawValue>(wanted).is_ok());
        }
    }

    #[test]
    fn an_offset_counts_characters() {
        let at = |line, column| offset_of("äb\r\nc", TextPosition { line, column });
        assert_eq!((at(1, 1), at(1, 2), at(2, 1), at(2, 2)), (0, 1, 4, 5));
        assert_eq!((at(2, 99), at(9, 9), at(0, 0)), (5, 5, 0));
    }

    #[test]
    fn an_answer_that_a_script_wrote_is_entries_or_one_value() {
        let read = |text: &str| cells_of_json(text);
        assert_eq!(
            read("[1, [2,\n3], 12345678901234567890]"),
            (vec!["1".into(), "[2, 3]".into(), "12345678901234567890".into()], true)
        );
        assert_eq!(read("{\"a\": 1}"), (vec!["{\"a\": 1}".into()], false));
        assert_eq!(read("]}\n"), (vec!["\"]}\\n\"".into()], false));
    }
}
