//! The table on a terminal.

use std::fmt::Write;

use super::super::arguments::Settings;
use super::super::find_max::{Measured, Step};
use super::{conditions, figures};

/// The whole report as text.
pub(in super::super) fn text(settings: &Settings, measured: &Measured) -> String {
    let mut text = String::new();
    for (name, value) in conditions(settings) {
        let _ = writeln!(text, "{name:<22} {value}");
    }
    text.push('\n');
    if let Some(rate) = measured.rate_max {
        let _ = writeln!(text, "{:<22} {rate:>14.1} 1/s", "highest rate met");
    }
    for (name, value, unit) in figures(&measured.outcome) {
        let digits = if unit.is_empty() { 0 } else { 2 };
        let _ = writeln!(text, "{}", format!("{name:<22} {value:>14.digits$} {unit}").trim_end());
    }
    for (code, error) in &measured.outcome.errors {
        let _ = writeln!(text, "error {code:<16} {:>14} such as: {}", error.count, error.first);
    }
    for judgement in &measured.judgements {
        let word = if judgement.met { "met" } else { "BROKEN" };
        let (name, wanted, found) = (judgement.name, judgement.wanted, judgement.found);
        let _ = writeln!(text, "{name:<22} {wanted:>14} found {found:.2}: {word}");
    }
    text
}

/// A run of a search, as it ends.
pub(in super::super) fn step_line(step: &Step) -> String {
    let Step { rate, answered_per_second, p99_ms, errors, met } = step;
    let word = if *met { "met" } else { "BROKEN" };
    format!(
        "{rate:.1}/s asked, {answered_per_second:.1}/s answered, p99 {p99_ms:.2} ms, {errors} errors: {word}"
    )
}
