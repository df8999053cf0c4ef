//! One page that needs nothing else: figures, and charts over time.

use std::fmt::Write;

use super::super::settings::Settings;
use super::{conditions, figures, percentile};
use crate::load::chart::{Line, chart};
use crate::load::page::{errors, escaped, judgements, page};
use crate::load::{Measured, Second};
use crate::machine::Machine;

/// The page.
pub(in super::super) fn html(settings: &Settings, measured: &Measured) -> String {
    let title = format!("Gremlin load on {}", settings.address.url);
    let content = charts(&measured.outcome.seconds) + &tables(settings, measured);
    page(&title, &content)
}

fn charts(seconds: &[Second]) -> String {
    let counts =
        |of: fn(&Second) -> u64| seconds.iter().map(|second| Some(of(second) as f64)).collect();
    let latency = |percent: f64| {
        let of = |second: &Second| {
            let some = 0 < second.latencies.count();
            some.then(|| percentile(&second.latencies, percent))
        };
        seconds.iter().map(of).collect()
    };
    let line = |name: &'static str, colour, values| Line { name: name.into(), colour, values };
    let rates = [
        line("requests due", "#9aa7b4", counts(|second| second.requests)),
        line("answers", "#1565c0", counts(|second| second.answered)),
        line("errors", "#c62828", counts(|second| second.errors)),
    ];
    let active = [line("active requests", "#6a1b9a", counts(|second| second.active))];
    let latencies = [
        line("p50", "#2e7d32", latency(50.0)),
        line("p95", "#f9a825", latency(95.0)),
        line("p99", "#ef6c00", latency(99.0)),
        line("max", "#c62828", latency(100.0)),
    ];
    [
        chart("Responses per second", "", &rates),
        chart("Active requests", "", &active),
        chart("Latency of requests due in each second", "ms", &latencies),
    ]
    .concat()
}

fn tables(settings: &Settings, measured: &Measured) -> String {
    let mut page = String::from("<section><h2>Figures</h2><table>\n");
    if let Some(rate) = measured.rate_max {
        let _ =
            writeln!(page, "<tr><td>highest rate met</td><td class=\"n\">{rate:.1} 1/s</td></tr>");
    }
    for (name, value, unit) in figures(&measured.outcome) {
        let digits = if unit.is_empty() { 0 } else { 2 };
        let name = escaped(&name);
        let _ =
            writeln!(page, "<tr><td>{name}</td><td class=\"n\">{value:.digits$} {unit}</td></tr>");
    }
    page.push_str("</table></section>\n");
    page.push_str(&judged(measured));
    let _ = writeln!(page, "<section><h2>Conditions</h2><table>");
    let client = ("client", Machine::here().to_string());
    for (name, value) in conditions(settings).into_iter().chain([client]) {
        let _ = writeln!(page, "<tr><td>{name}</td><td>{}</td></tr>", escaped(&value));
    }
    page.push_str(
        "</table><p>A latency is the time from when a request was due until the last frame of its answer \
         came, so a stall counts for every request that waited for it. The warm-up is left out.</p></section>\n",
    );
    page
}

fn judged(measured: &Measured) -> String {
    let mut page = judgements(&measured.judgements) + &errors(&measured.outcome.errors);
    if !measured.steps.is_empty() {
        page.push_str("<section><h2>Rates that were tried</h2><ol>\n");
        for step in &measured.steps {
            let _ = writeln!(page, "<li>{}</li>", step.line());
        }
        page.push_str(
            "</ol><p>The charts are of the highest rate that met all thresholds.</p></section>\n",
        );
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gremlin::arguments::Arguments;
    use crate::load::{ErrorCount, Outcome};
    use std::time::Duration;

    #[test]
    fn the_page_has_its_charts_and_asks_no_other_host_for_anything() {
        let arguments =
            Arguments { url: "ws://example.org:1/gremlin".into(), ..Arguments::default() };
        let settings = Settings::of(&arguments).unwrap();
        let mut outcome = Outcome { seconds: vec![Second::default(); 3], ..Outcome::default() };
        outcome.seconds[1].latencies.record(Duration::from_millis(7));
        let first = "<script src='http://evil'>".to_owned();
        outcome.errors.insert("500".into(), ErrorCount { count: 3, first });
        let judgements = settings.thresholds.judge(&outcome);
        let measured = Measured::of(outcome, judgements);
        let page = html(&settings, &measured);
        assert_eq!(page.matches("<svg").count(), 3);
        for title in ["Responses per second", "Active requests", "Latency of requests"] {
            assert!(page.contains(title), "{title}");
        }
        for outside in ["<script", "src=", "href=", "@import", "url("] {
            let found = page.replace("src='http://evil'", "").contains(outside);
            assert!(!found, "{outside}");
        }
        assert!(page.contains("&lt;script"));
    }
}
