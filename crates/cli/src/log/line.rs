//! An event as a line: when, how severe, its name, its fields.
//!
//! ```text
//!   2026-11-25T15:44:00.123Z WARN  slow-sync took_ms=412 others=0
//!   {"time":"2026-11-25T15:44:00.123Z","level":"warn","event":"slow-sync","took_ms":412,"others":0}
//! ```

use std::fmt::{Debug, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use millrace_model::temporal::Date;
use serde_json::{Map, Value};
use tracing::Level;
use tracing::field::{Field, Visit};

/// How lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
}

/// The fields of an event, in their order.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<(&'static str, Value)>);

impl Fields {
    /// One field.
    pub(super) fn one(name: &'static str, value: Value) -> Fields {
        Fields(vec![(name, value)])
    }

    /// A printed line of a script, for the user of the command.
    pub(super) fn print(&self) -> String {
        let text = self.0.first().and_then(|(_, text)| text.as_str()).unwrap_or_default();
        format!("lua: {text}\n")
    }
}

impl Format {
    /// The one of a setting's word; the table of settings lets no third one through.
    pub(super) fn of(word: &str) -> Format {
        if word == "json" { Format::Json } else { Format::Text }
    }

    /// The line of an event that happens now.
    pub(super) fn line(self, level: &Level, name: &str, fields: &Fields) -> String {
        self.line_at(SystemTime::now(), level, name, fields)
    }

    fn line_at(self, now: SystemTime, level: &Level, name: &str, fields: &Fields) -> String {
        let time = utc(now);
        match self {
            Format::Text => {
                let mut line = format!("{time} {level:<5} {name}");
                for (field, value) in &fields.0 {
                    line.push_str(&format!(" {field}={}", plain(value)));
                }
                line.push('\n');
                line
            }
            Format::Json => {
                let level = level.as_str().to_ascii_lowercase();
                let mut object = Map::new();
                let head = [("time", time), ("level", level), ("event", name.to_owned())];
                object.extend(head.map(|(key, text)| (key.to_owned(), Value::from(text))));
                let fields = fields.0.iter();
                object.extend(fields.map(|(field, value)| ((*field).to_owned(), value.clone())));
                format!("{}\n", Value::Object(object))
            }
        }
    }
}

/// A value of the text form: bare where that is clear, else quoted as JSON quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let is_clear = |letter: char| !letter.is_whitespace() && !letter.is_control();
            let is_bare = !text.is_empty()
                && text.chars().all(|letter| is_clear(letter) && !matches!(letter, '"' | '='));
            if is_bare { text.clone() } else { value.to_string() }
        }
        other => other.to_string(),
    }
}

/// A moment in UTC, to the millisecond.
fn utc(moment: SystemTime) -> String {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs();
    let date = i64::try_from(seconds / 86_400).ok().and_then(Date::from_days).unwrap_or(Date::MAX);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{date}T{hour:02}:{minute:02}:{second:02}.{:03}Z", since.subsec_millis())
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        // A string takes all that is written to it.
        let _full = write!(text, "{value:?}");
        self.0.push((field.name(), Value::from(text)));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name(), Value::from(value)));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.push((field.name(), Value::from(value)));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.push((field.name(), Value::from(value)));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.push((field.name(), Value::from(value)));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.push((field.name(), Value::from(value)));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn fields() -> Fields {
        let texts = [("folder", "a b"), ("why", "x=\"1\"\nnext"), ("file", "/data/seg-1")];
        let mut fields: Vec<_> =
            texts.map(|(name, text)| (name, Value::from(text))).into_iter().collect();
        fields.push(("took_ms", Value::from(12)));
        Fields(fields)
    }

    #[test]
    fn a_line_of_text_quotes_values_that_are_not_one_word() {
        let now = UNIX_EPOCH + Duration::from_millis(1_764_085_440_007);
        assert_eq!(
            Format::Text.line_at(now, &Level::INFO, "recovered", &fields()),
            "2025-11-25T15:44:00.007Z INFO  recovered folder=\"a b\" why=\"x=\\\"1\\\"\\nnext\" \
             file=/data/seg-1 took_ms=12\n"
        );
    }

    #[test]
    fn a_line_of_json_is_one_object_with_time_level_and_event_first() {
        let now = UNIX_EPOCH + Duration::from_millis(1_764_085_440_007);
        assert_eq!(
            Format::Json.line_at(now, &Level::WARN, "slow-sync", &fields()),
            "{\"time\":\"2025-11-25T15:44:00.007Z\",\"level\":\"warn\",\"event\":\"slow-sync\",\
             \"folder\":\"a b\",\"why\":\"x=\\\"1\\\"\\nnext\",\"file\":\"/data/seg-1\",\
             \"took_ms\":12}\n"
        );
    }
}
