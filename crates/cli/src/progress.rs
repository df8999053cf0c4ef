//! Progress on standard error: a bar on a terminal, lines otherwise, or JSON for programs.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use millrace_db::ingest::load::{Phase, Progress, Summary};
use millrace_db::loads::{phase_word, progress_pairs, summary_pairs};
use millrace_model::Value;
use millrace_server::wire::json::to_json;

use crate::arguments::ProgressKind;

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// How often a JSON object is written.
const JSON_EVERY: Duration = Duration::from_secs(1);

/// Shows how far something is.
pub(crate) struct Shower {
    what: String,
    style: Style,
}

enum Style {
    Bar(ProgressBar),
    Lines { last: Instant },
    Json { last: Option<Instant> },
    Nothing,
}

impl Shower {
    /// For anything that counts its steps.
    pub(crate) fn show_steps(&mut self, doing: &str, done: u64, total: u64) {
        let percent = (done * 100).checked_div(total).unwrap_or(100);
        match &mut self.style {
            Style::Bar(bar) => {
                bar.set_length(total);
                bar.set_position(done.min(total));
                bar.set_message(doing.to_owned());
            }
            Style::Lines { last } if LINE_EVERY <= last.elapsed() => {
                *last = Instant::now();
                eprintln!("{}: {doing}, {percent} %", self.what);
            }
            Style::Json { last } if last.is_none_or(|last| JSON_EVERY <= last.elapsed()) => {
                *last = Some(Instant::now());
                let pairs = vec![("done", whole(done)), ("total", whole(total))];
                eprintln!("{}", object("task", &self.what, doing, pairs));
            }
            Style::Lines { .. } | Style::Json { .. } | Style::Nothing => {}
        }
    }

    /// Ends the show of something that counts its steps.
    pub(crate) fn finish_steps(self) {
        match self.style {
            Style::Bar(bar) => bar.finish_and_clear(),
            Style::Json { .. } => eprintln!("{}", object("task", &self.what, "done", Vec::new())),
            Style::Lines { .. } | Style::Nothing => {}
        }
    }

    /// For a load or another task with the name `what`.
    pub(crate) fn new(what: &str, kind: ProgressKind) -> Shower {
        let style = match kind {
            ProgressKind::Auto if std::io::stderr().is_terminal() => Style::Bar(bar(what)),
            ProgressKind::Auto | ProgressKind::Plain => Style::Lines { last: Instant::now() },
            ProgressKind::Json => Style::Json { last: None },
            ProgressKind::None => Style::Nothing,
        };
        Shower { what: what.to_owned(), style }
    }

    /// Shows a step, if it is time.
    pub(crate) fn show(&mut self, progress: &Progress) {
        match &mut self.style {
            Style::Bar(bar) => {
                match progress.bytes_total {
                    Some(total) if 0 < total => {
                        bar.set_length(total);
                        bar.set_position(progress.bytes.min(total));
                    }
                    _ => bar.tick(),
                }
                bar.set_message(line(progress));
            }
            Style::Lines { last } if LINE_EVERY <= last.elapsed() => {
                *last = Instant::now();
                eprintln!("{}: {}", self.what, line(progress));
            }
            Style::Json { last } if last.is_none_or(|last| JSON_EVERY <= last.elapsed()) => {
                *last = Some(Instant::now());
                eprintln!(
                    "{}",
                    object(
                        "load",
                        &self.what,
                        phase_word(progress.phase),
                        progress_pairs(progress)
                    )
                );
            }
            Style::Lines { .. } | Style::Json { .. } | Style::Nothing => {}
        }
    }

    /// Ends the show: the bar goes, JSON gets a last object.
    pub(crate) fn finish(self, summary: Option<&Summary>) {
        match self.style {
            Style::Bar(bar) => bar.finish_and_clear(),
            Style::Json { .. } => {
                if let Some(summary) = summary {
                    eprintln!("{}", object("load", &self.what, "done", summary_pairs(summary)));
                }
            }
            Style::Lines { .. } | Style::Nothing => {}
        }
    }
}

fn bar(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent:>3} %  {msg}");
    let style = style.expect("the template is right").progress_chars("=> ");
    ProgressBar::new(0).with_style(style).with_prefix(what.to_owned())
}

fn line(progress: &Progress) -> String {
    let word = phase_word(progress.phase);
    let Progress { rows, vertices, edges, bad_rows, .. } = progress;
    let bad = if *bad_rows == 0 { String::new() } else { format!(", {bad_rows} bad") };
    match progress.phase {
        Phase::Reading => format!("{word}: {rows} rows{bad}, {:.0} a second", progress.rate()),
        Phase::Storing | Phase::Finishing => {
            format!("{word}: {vertices} nodes, {edges} relationships{bad}")
        }
    }
}

fn whole(count: u64) -> Value {
    Value::I64(i64::try_from(count).unwrap_or(i64::MAX))
}

fn object(
    kind: &'static str,
    what: &str,
    state: &str,
    pairs: Vec<(&'static str, Value)>,
) -> String {
    let head = [(kind, Value::from(what)), ("state", Value::from(state))];
    let pairs = head.into_iter().chain(pairs);
    to_json(&Value::map(pairs.map(|(name, value)| (Value::from(name), value)).collect()))
}

/// The result of a load, in one line for a person.
pub(crate) fn summary_line(what: &str, summary: &Summary) -> String {
    let Summary { vertices, edges, rows, bad_rows, .. } = summary;
    let bad =
        if *bad_rows == 0 { String::new() } else { format!(", {bad_rows} bad rows left out") };
    format!(
        "{what}: {vertices} nodes and {edges} relationships from {rows} rows in {:.1} s, {:.0} rows a \
         second{bad}{}",
        summary.elapsed.as_secs_f64(),
        summary.rate(),
        peak_memory().map_or_else(String::new, |mib| format!(", at most {mib} MiB of memory")),
    )
}

/// The most memory this process held, in MiB, where the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}
