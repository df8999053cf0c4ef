//! The tables on a terminal.

use std::fmt::Write;

use super::super::outcome::{Experiment, Measurement};
use super::{Head, LEGEND, columns, crash_figures, crash_heads, run_figures, run_heads};

/// How wide a column is.
const WIDTH: usize = 13;

/// The whole report as text.
pub(in super::super) fn text(experiment: &Experiment) -> String {
    let mut text = String::new();
    let machine = ("machine", experiment.machine.to_string());
    for (name, value) in experiment.conditions.iter().chain([&machine]) {
        let _ = writeln!(text, "{name:<12} {value}");
    }
    for line in tables(experiment) {
        text.push_str(&line);
    }
    for line in LEGEND {
        let _ = writeln!(text, "{line}");
    }
    for note in &experiment.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// The tables: closed model, open model, crashes, errors, thresholds.
fn tables(experiment: &Experiment) -> Vec<String> {
    let variants = &experiment.variants;
    let mut tables = Vec::new();
    let runs = variants.iter().map(|measurement| measurement.closed.len()).max().unwrap_or(0);
    for number in 0..runs {
        let of_variant = |measurement: &Measurement| {
            let run = measurement.closed.get(number)?;
            Some((measurement.variant.name().to_owned(), run_figures(run)))
        };
        let rows: Vec<_> = variants.iter().filter_map(of_variant).collect();
        let users = variants.iter().find_map(|measurement| {
            let run = measurement.closed.get(number)?;
            Some(format!("{} users, {} requests each", run.users, run.requests))
        });
        tables.push(table(&users.unwrap_or_default(), &run_heads(), &rows));
    }
    let open = variants.iter().filter_map(|measurement| {
        let open = measurement.open.as_ref()?;
        let p99 = crate::load::latency::percentile(&open.outcome.latencies, 99.0);
        let figures = vec![open.rate_max, Some(p99), Some(open.steps.len() as f64)];
        Some((measurement.variant.name().to_owned(), figures))
    });
    let open: Vec<_> = open.collect();
    if !open.is_empty() {
        let heads = [("kept/s", 0), ("p99 ms", 2), ("rates tried", 0)];
        let heads = heads.map(|(name, digits)| Head::of(name, digits));
        tables.push(table("open model", &heads, &open));
    }
    let crashes = variants.iter().filter_map(|measurement| {
        let figures = crash_figures(&measurement.crashes()?).map(Some).to_vec();
        Some((measurement.variant.name().to_owned(), figures))
    });
    let crashes: Vec<_> = crashes.collect();
    if !crashes.is_empty() {
        tables.push(table("kill -9", &crash_heads(), &crashes));
    }
    tables.push(errors(variants));
    tables.push(judgements(experiment));
    tables
}

fn table(title: &str, heads: &[Head], rows: &[(String, Vec<Option<f64>>)]) -> String {
    let columns = columns(rows, heads);
    let mut text = format!("\n{title}\n{:<12}", "");
    for (_, Head { name, .. }) in &columns {
        let _ = write!(text, "{name:>WIDTH$}");
    }
    text.push('\n');
    for (name, row) in rows {
        let mut line = format!("{name:<12}");
        for (at, Head { digits, .. }) in &columns {
            match row.get(*at).copied().flatten() {
                Some(value) => {
                    let _ = write!(line, "{value:>WIDTH$.digits$}");
                }
                None => {
                    let _ = write!(line, "{:>WIDTH$}", "-");
                }
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn errors(variants: &[Measurement]) -> String {
    let mut text = String::new();
    for measurement in variants {
        let open = measurement.open.iter().map(|open| &open.outcome);
        let outcomes = measurement.closed.iter().map(|run| &run.outcome).chain(open);
        for (code, error) in outcomes.flat_map(|outcome| &outcome.errors) {
            let (name, count) = (measurement.variant.name(), error.count);
            let _ = writeln!(text, "error {name} {code}: {count}, such as: {}", error.first);
        }
    }
    match text.is_empty() {
        true => text,
        false => format!("\n{text}"),
    }
}

fn judgements(experiment: &Experiment) -> String {
    let mut text = "\n".to_owned();
    for judgement in &experiment.judgements {
        let word = if judgement.met { "met" } else { "BROKEN" };
        let (name, wanted, found) = (judgement.name, judgement.wanted, judgement.found);
        let _ = writeln!(text, "{name:<40} {wanted:>10.2} found {found:.2}: {word}");
    }
    text.push('\n');
    text
}
