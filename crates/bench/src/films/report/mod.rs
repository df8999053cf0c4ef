//! The outcome of the experiment, for a person on a terminal ([`text`]), for programs ([`json`]) and as a page with charts
//! ([`html`]).

mod html;
mod json;
mod text;
pub(super) mod words;

pub(super) use html::html;
pub(super) use json::json;
pub(super) use text::text;

use super::outcome::{Experiment, Row};
use super::plan::Conditions;

/// A column of a table: its name, the digits behind the point, and the figure of a row.
struct Column {
    name: &'static str,
    digits: usize,
    figure: fn(&Row) -> Option<f64>,
}

const COLUMNS: [Column; 9] = [
    Column { name: "answers/s", digits: 0, figure: |row| Some(row.figures.rate) },
    Column { name: "× first", digits: 3, figure: |row| Some(row.of_reference) },
    Column { name: "mean ms", digits: 3, figure: |row| Some(row.figures.mean) },
    Column { name: "p50 ms", digits: 3, figure: |row| Some(row.figures.p50) },
    Column { name: "p95 ms", digits: 3, figure: |row| Some(row.figures.p95) },
    Column { name: "p99 ms", digits: 3, figure: |row| Some(row.figures.p99) },
    Column { name: "server us", digits: 1, figure: |row| row.figures.server },
    Column { name: "client us", digits: 1, figure: |row| row.figures.client },
    Column { name: "bytes", digits: 0, figure: |row| Some(row.figures.bytes) },
];

/// How the columns are to be read.
const LEGEND: [&str; 3] = [
    "× first: the rate as a multiple of that of the first line, which is an answer without a query, in turn with it",
    "latencies are from when a request was sent until its answer was read whole; all figures are medians of the runs",
    "server us, client us: processor time of an answer in microseconds, of all servers together and of the client",
];

/// The rows of the same conditions and target, in their order.
fn tables(rows: &[Row]) -> Vec<(String, &[Row])> {
    let same = |row: &Row, next: &Row| {
        (row.conditions, row.target_number) == (next.conditions, next.target_number)
    };
    let title = |rows: &[Row]| match rows.first() {
        Some(first) => format!("{}, {}", first.target, words::shown(&first.conditions)),
        None => String::new(),
    };
    rows.chunk_by(same).map(|rows| (title(rows), rows)).collect()
}

/// What is varied in a chart: its name, and its value under some conditions.
struct Axis {
    name: &'static str,
    value: fn(&Conditions) -> Option<usize>,
}

const AXES: [Axis; 3] = [
    Axis { name: "connections", value: |conditions| Some(conditions.connections) },
    Axis { name: "processors", value: |conditions| conditions.cores },
    Axis { name: "endpoints", value: |conditions| Some(conditions.endpoints) },
];

impl Axis {
    /// The values that it has while all else is as usual; fewer than two make no chart.
    fn values(&self, experiment: &Experiment) -> Vec<usize> {
        let is_along = |row: &&Row| self.is_along(&row.conditions, &experiment.usual);
        let rows = experiment.rows.iter().filter(is_along);
        let mut values: Vec<usize> = rows.filter_map(|row| (self.value)(&row.conditions)).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Whether all else is as usual.
    fn is_along(&self, conditions: &Conditions, usual: &Conditions) -> bool {
        AXES.iter()
            .filter(|other| other.name != self.name)
            .all(|other| (other.value)(conditions) == (other.value)(usual))
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::{Figures, Subject};
    use super::super::queries::{By, Query};
    use super::super::target::Protocol;
    use super::*;
    use crate::machine::Machine;

    fn sample() -> Experiment {
        let usual = Conditions { cores: Some(2), endpoints: 1, connections: 50 };
        let mut rows = Vec::new();
        for conditions in
            [Conditions { cores: Some(1), ..usual }, Conditions { connections: 10, ..usual }, usual]
        {
            for subject in [Subject::Reference, Subject::Query(Query::Actor, By::Uid)] {
                let rate = 100.0 * conditions.connections as f64;
                let figures = Figures { rate, p95: 2.5, server: Some(18.25), ..Figures::default() };
                rows.push(Row {
                    target: "Mill<race>".to_owned(),
                    target_number: 0,
                    protocol: Protocol::Http,
                    subject,
                    conditions,
                    of_reference: 0.75,
                    runs: vec![figures.clone(); 2],
                    figures,
                });
            }
        }
        let machine =
            Machine { processor: "A".into(), cores: 2, memory_mib: 1, system: "linux".into() };
        let notes = vec!["a note".to_owned()];
        Experiment { machine, conditions: vec![("films", "few".into())], rows, notes, usual }
    }

    #[test]
    fn the_text_has_a_table_for_each_of_the_conditions() {
        let text = text(&sample());
        assert!(text.contains("Mill<race>, 50 connections, 1 endpoint, 1 processor\n"), "{text}");
        assert!(text.contains("Mill<race>, 10 connections, 1 endpoint, 2 processors\n"), "{text}");
        let line = text.lines().find(|line| line.starts_with("actor by uid")).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[3..5], ["5000", "0.750"]);
        assert_eq!(words[9..], ["18.2", "-", "0"]);
        assert!(text.contains("a note") && text.contains("× first:"));
    }

    #[test]
    fn the_json_has_every_run_and_what_was_not_measured_is_null() {
        let json: serde_json::Value = serde_json::from_str(&json(&sample())).unwrap();
        let row = &json["rows"][3];
        assert_eq!((&row["query"], &row["by"]), (&"actor".into(), &"uid".into()));
        assert_eq!((&row["connections"], &row["cores"]), (&10.into(), &2.into()));
        assert_eq!(row["median"]["server_cpu_us"], 18.25);
        assert!(row["median"]["client_cpu_us"].is_null());
        assert_eq!(row["runs"].as_array().unwrap().len(), 2);
        assert_eq!(json["rows"][2]["query"], "/health");
    }

    #[test]
    fn the_page_has_a_chart_for_what_was_varied_and_no_markup_from_outside() {
        let page = html(&sample());
        assert_eq!(
            page.matches("<svg").count(),
            4,
            "rates and latencies by connections and processors"
        );
        assert!(page.contains(">10</text>") && page.contains("by processors"), "{page}");
        assert!(page.contains("Mill&lt;race&gt;") && !page.contains("Mill<race>"));
        for outside in ["<script", "src=", "href=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
