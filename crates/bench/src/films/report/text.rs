//! The tables on a terminal.

use std::fmt::Write;

use super::super::outcome::Experiment;
use super::{COLUMNS, Column, LEGEND, tables};

/// How wide a column is.
const WIDTH: usize = 11;

/// The whole report as text.
pub(in super::super) fn text(experiment: &Experiment) -> String {
    let mut text = String::new();
    let machine = ("machine", experiment.machine.to_string());
    for (name, value) in experiment.conditions.iter().chain([&machine]) {
        let _ = writeln!(text, "{name:<12} {value}");
    }
    let names = experiment.rows.iter().map(|row| row.name().chars().count());
    let name_width = names.max().unwrap_or(0) + 1;
    for (title, rows) in tables(&experiment.rows) {
        let _ = write!(text, "\n{title}\n{:name_width$}", "");
        for Column { name, .. } in &COLUMNS {
            let _ = write!(text, "{name:>WIDTH$}");
        }
        text.push('\n');
        for row in rows {
            let _ = write!(text, "{:<name_width$}", row.name());
            for Column { digits, figure, .. } in &COLUMNS {
                let shown = figure(row).map_or_else(|| "-".into(), |it| format!("{it:.digits$}"));
                let _ = write!(text, "{shown:>WIDTH$}");
            }
            text.push('\n');
        }
    }
    text.push('\n');
    for line in LEGEND.into_iter().chain(experiment.notes.iter().map(|note| &**note)) {
        let _ = writeln!(text, "{line}");
    }
    text
}
