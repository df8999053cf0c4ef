//! The log of the program: events of every crate as lines on standard error, text or JSON.
//!
//! ```text
//!   tracing::warn!(name: "read-only", …) ──> Lines ──line──> queue ──> Writer ──> standard error
//! ```
//!
//! The thread that emits an event never waits for standard error. A stopped terminal, or a pipe that
//! nothing reads, must not stop commits; lines that find no room in the queue are dropped and counted.

mod line;
mod panics;
mod writer;

use std::sync::OnceLock;

use millrace_db::settings::{Origin, Resolved};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::exit::Failure;
use line::{Fields, Format};
use writer::Writer;

/// Prefix of the modules that log events; events of dependencies are dropped.
const TARGET: &str = "millrace";

/// The event of a line that a script prints.
const PRINT: &str = "print";

static LOG: OnceLock<Log> = OnceLock::new();

struct Log {
    format: Format,
    writer: Writer,
}

/// The level of a command's log unless `log.level` is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usual {
    /// The default of the setting: for a server.
    Setting,
    /// Warnings and errors: for a command other than `serve`.
    Warnings,
}

/// Begins to log as the settings say. Before it nothing is logged.
pub(crate) fn start(resolved: &Resolved, usual: Usual) {
    let format = Format::of(&resolved.settings.log.format);
    let is_set = resolved.find("log.level").is_some_and(|(_, origin)| *origin != Origin::Default);
    let level = match usual {
        Usual::Warnings if !is_set => Level::WARN,
        Usual::Warnings | Usual::Setting => level_of(&resolved.settings.log.level),
    };
    // Without a thread for it there is no log, and the command goes on.
    let Ok(writer) = Writer::start(format) else { return };
    if LOG.set(Log { format, writer: writer.clone() }).is_err() {
        return;
    }
    let shows_prints = usual == Usual::Warnings && !is_set;
    let lines = Lines { level, shows_prints, format, writer };
    // Only this function sets one, and once.
    if tracing::subscriber::set_global_default(lines).is_ok() {
        panics::log();
    }
}

/// Reports why the command fails: as an event of a log of JSON, as a plain line otherwise.
pub(crate) fn failed(failure: &Failure) {
    match LOG.get() {
        Some(log) if log.format == Format::Json => {
            let exit_code = failure.code();
            tracing::error!(name: "failed", error = %failure, exit_code);
            log.writer.flush();
        }
        log => {
            // Earlier events must come before the failure.
            log.into_iter().for_each(|log| log.writer.flush());
            eprintln!("millrace: {failure}");
        }
    }
}

/// Waits until earlier events are written, for a short time at most.
pub(crate) fn flush() {
    LOG.get().into_iter().for_each(|log| log.writer.flush());
}

fn level_of(word: &str) -> Level {
    match word {
        "error" => Level::ERROR,
        "warn" => Level::WARN,
        "debug" => Level::DEBUG,
        // The table of settings lets no other word through.
        _ => Level::INFO,
    }
}

/// Takes events and writes them as lines. There are no spans.
struct Lines {
    level: Level,
    /// Whether the output of scripts is shown at every level, for a user that watches the command.
    shows_prints: bool,
    format: Format,
    writer: Writer,
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let is_print = self.shows_prints && metadata.name() == PRINT;
        (is_print || *metadata.level() <= self.level) && metadata.target().starts_with(TARGET)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        let level = if self.shows_prints { self.level.max(Level::INFO) } else { self.level };
        Some(LevelFilter::from_level(level))
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let metadata = event.metadata();
        if self.shows_prints && self.format == Format::Text && metadata.name() == PRINT {
            self.writer.write(fields.print());
            return;
        }
        self.writer.write(self.format.line(metadata.level(), metadata.name(), &fields));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
