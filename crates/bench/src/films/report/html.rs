//! One page that needs nothing else: charts over what was varied, a line for each query, and tables.

use std::fmt::Write;

use super::super::outcome::{Experiment, Figures, Row, Subject};
use super::{AXES, Axis, COLUMNS, Column, LEGEND, tables};
use crate::load::chart::{Line, chart_over};
use crate::load::page::{escaped, figure_cell, page};

const COLOURS: [&str; 8] =
    ["#1565c0", "#c62828", "#2e7d32", "#ef6c00", "#6a1b9a", "#00838f", "#5d4037", "#9aa7b4"];

/// The page.
pub(in super::super) fn html(experiment: &Experiment) -> String {
    let mut content = String::new();
    for axis in &AXES {
        content.push_str(&charts(experiment, axis));
    }
    for (title, rows) in tables(&experiment.rows) {
        content.push_str(&table(&title, rows));
    }
    content.push_str(&conditions(experiment));
    page("Films: the films of an actor, the genres of a director's films", &content)
}

/// Rates and latencies over what is varied; empty if it has one value.
fn charts(experiment: &Experiment, axis: &Axis) -> String {
    let places = axis.values(experiment);
    if places.len() < 2 {
        return String::new();
    }
    let along = |row: &&Row| {
        let is_query = matches!(row.subject, Subject::Query(..));
        is_query && axis.is_along(&row.conditions, &experiment.usual)
    };
    let rows: Vec<&Row> = experiment.rows.iter().filter(along).collect();
    let has_targets = rows.iter().any(|row| row.target_number != 0);
    let name = |row: &Row| match has_targets {
        true => format!("{} ({})", row.name(), row.target),
        false => row.name(),
    };
    let mut named: Vec<String> = Vec::new();
    for row in &rows {
        let name = name(row);
        if !named.contains(&name) {
            named.push(name);
        }
    }
    let line = |subject: &String, what: &str, figure: fn(&Figures) -> f64| {
        let value = |place: &usize| {
            let is_it = |row: &&&Row| {
                (axis.value)(&row.conditions) == Some(*place) && name(row) == *subject
            };
            rows.iter().find(is_it).map(|row| figure(&row.figures))
        };
        let values: Vec<Option<f64>> = places.iter().map(value).collect();
        // A way to name nodes that was not varied has one value, which makes no line.
        let some = values.iter().flatten().count();
        (1 < some).then(|| (format!("{subject}{what}"), values))
    };
    let coloured =
        |lines: Vec<(String, Vec<Option<f64>>)>| -> Vec<Line> {
            let colours = COLOURS.iter().cycle();
            let line = |((name, values), colour): ((String, Vec<Option<f64>>), &&'static str)| {
                Line { name: name.into(), colour, values }
            };
            lines.into_iter().zip(colours).map(line).collect()
        };
    let rates = named.iter().filter_map(|subject| line(subject, "", |figures| figures.rate));
    let latencies = named.iter().flat_map(|subject| {
        let mean = line(subject, ", mean", |figures| figures.mean);
        [mean, line(subject, ", p95", |figures| figures.p95)].into_iter().flatten()
    });
    let (rates, latencies) = (coloured(rates.collect()), coloured(latencies.collect()));
    let shown: Vec<String> = places.iter().map(usize::to_string).collect();
    [
        chart_over(&format!("Answers per second, by {}", axis.name), "", &shown, &rates),
        chart_over(&format!("Latency, by {}", axis.name), "ms", &shown, &latencies),
    ]
    .concat()
}

fn table(title: &str, rows: &[Row]) -> String {
    let title = escaped(title);
    let mut page = format!("<section><h2>{title}</h2><table class=\"wide\">\n<tr><th></th>");
    for Column { name, .. } in &COLUMNS {
        let _ = write!(page, "<th class=\"n\">{name}</th>");
    }
    page.push_str("</tr>\n");
    for row in rows {
        let _ = write!(page, "<tr><td>{}</td>", escaped(&row.name()));
        for Column { digits, figure, .. } in &COLUMNS {
            figure_cell(&mut page, figure(row), *digits);
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></section>\n");
    page
}

fn conditions(experiment: &Experiment) -> String {
    let mut page = String::from("<section><h2>Conditions</h2><table>\n");
    let machine = ("machine", experiment.machine.to_string());
    for (name, value) in experiment.conditions.iter().chain([&machine]) {
        let _ = writeln!(page, "<tr><td>{name}</td><td>{}</td></tr>", escaped(value));
    }
    page.push_str("</table>\n");
    for line in LEGEND.into_iter().chain(experiment.notes.iter().map(|note| &**note)) {
        let _ = writeln!(page, "<p>{}</p>", escaped(line));
    }
    page.push_str("</section>\n");
    page
}
