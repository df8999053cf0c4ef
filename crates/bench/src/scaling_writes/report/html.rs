//! One page that needs nothing else: charts over time, a line for each variant, and tables.

use std::fmt::Write;

use super::super::outcome::{Experiment, Measurement, Run};
use super::{Head, LEGEND, columns, crash_figures, crash_heads, run_figures, run_heads};
use crate::load::Second;
use crate::load::chart::{Line, chart};
use crate::load::latency::percentile;
use crate::load::page::{errors, escaped, figure_cell, judgements, page};

/// The page.
pub(in super::super) fn html(experiment: &Experiment) -> String {
    let variants = &experiment.variants;
    let mut content = String::new();
    let runs = variants.iter().map(|measurement| measurement.closed.len()).max().unwrap_or(0);
    for number in 0..runs {
        content.push_str(&closed(variants, number));
    }
    content.push_str(&open(variants));
    content.push_str(&crashes(variants));
    content.push_str(&judgements(&experiment.judgements));
    for outcome in variants.iter().flat_map(|measurement| &measurement.closed) {
        content.push_str(&errors(&outcome.outcome.errors));
    }
    content.push_str(&meanings(experiment));
    page("Writes that scale: five variants of a web app", &content)
}

/// The charts and the table of one number of users.
fn closed(variants: &[Measurement], number: usize) -> String {
    let runs: Vec<(&Measurement, &Run)> = variants
        .iter()
        .filter_map(|measurement| Some((measurement, measurement.closed.get(number)?)))
        .collect();
    let Some((_, first)) = runs.first() else { return String::new() };
    let title = format!("{} users, {} requests each", first.users, first.requests);
    let lines = |value: fn(&Second) -> Option<f64>| -> Vec<Line> {
        let line = |(measurement, run): &(&Measurement, &Run)| Line {
            name: measurement.variant.name().into(),
            colour: measurement.variant.colour(),
            values: run.outcome.seconds.iter().map(value).collect(),
        };
        runs.iter().map(line).collect()
    };
    let rates = lines(|second| Some(second.answered as f64));
    let p99 =
        lines(|second| (0 < second.latencies.count()).then(|| percentile(&second.latencies, 99.0)));
    let rows: Vec<_> = runs
        .iter()
        .map(|(measurement, run)| (measurement.variant.name().to_owned(), run_figures(run)))
        .collect();
    [
        chart(&format!("Responses per second, {title}"), "", &rates),
        chart(&format!("99th percentile of latency, {title}"), "ms", &p99),
        table(&title, &run_heads(), &rows),
    ]
    .concat()
}

fn open(variants: &[Measurement]) -> String {
    let mut page = String::new();
    for measurement in variants {
        let Some(open) = &measurement.open else { continue };
        let name = measurement.variant.name();
        let kept = match open.rate_max {
            Some(rate) => format!("{rate:.0} requests/s are kept"),
            None => "no rate that was tried is kept".to_owned(),
        };
        let _ = writeln!(page, "<h2>Open model, {name}: {kept}</h2><ol>");
        for step in &open.steps {
            let _ = writeln!(page, "<li>{}</li>", escaped(&step.line()));
        }
        page.push_str("</ol>\n");
    }
    match page.is_empty() {
        true => page,
        false => format!("<section>{page}</section>\n"),
    }
}

fn crashes(variants: &[Measurement]) -> String {
    let rows: Vec<_> = variants
        .iter()
        .filter_map(|measurement| {
            let figures = crash_figures(&measurement.crashes()?).map(Some).to_vec();
            Some((measurement.variant.name().to_owned(), figures))
        })
        .collect();
    match rows.is_empty() {
        true => String::new(),
        false => table("kill -9 of the app", &crash_heads(), &rows),
    }
}

fn table(title: &str, heads: &[Head], rows: &[(String, Vec<Option<f64>>)]) -> String {
    let columns = columns(rows, heads);
    let mut page = format!("<section><h2>{title}</h2><table class=\"wide\">\n<tr><th></th>");
    for (_, Head { name, .. }) in &columns {
        let _ = write!(page, "<th class=\"n\">{name}</th>");
    }
    page.push_str("</tr>\n");
    for (name, row) in rows {
        let _ = write!(page, "<tr><td>{name}</td>");
        for (at, Head { digits, .. }) in &columns {
            figure_cell(&mut page, row.get(*at).copied().flatten(), *digits);
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></section>\n");
    page
}

fn meanings(experiment: &Experiment) -> String {
    let mut page = String::from("<section><h2>Variants</h2><table>\n");
    for measurement in &experiment.variants {
        let (name, meaning) = (measurement.variant.name(), measurement.variant.meaning());
        let _ = writeln!(page, "<tr><td>{name}</td><td>{}</td></tr>", escaped(meaning));
    }
    page.push_str("</table></section>\n<section><h2>Conditions</h2><table>\n");
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
