//! The table on a terminal.

use std::fmt::Write;

use super::super::settings::Settings;
use super::{conditions, figures};
use crate::load::Measured;

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
