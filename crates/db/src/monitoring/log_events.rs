//! The list of log events: every event of every crate, its level and its fields.
//!
//! The reference page is made of it, and a test compares it with the source. An event is an instance of
//! something that an operator may have to act on, or asks for afterwards; nothing is logged for each
//! request. No field holds a value of a graph, of a query or of a client's secret; texts of queries
//! stand here without their literals.

/// How severe an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something was lost or is refused, and the operator must act.
    Error,
    /// Something is slower, or less, than it should be.
    Warn,
    /// Normal operation.
    Info,
}

/// One event of the log.
#[derive(Clone, Copy, Debug)]
pub struct LogEvent {
    /// Its name.
    pub name: &'static str,
    /// How severe it is.
    pub severity: Severity,
    /// When it happens, and the operator's remedy.
    pub about: &'static str,
    /// Its fields, each with its description.
    pub fields: &'static [(&'static str, &'static str)],
}

use Severity::{Error, Info, Warn};

const fn event(
    name: &'static str,
    severity: Severity,
    about: &'static str,
    fields: &'static [(&'static str, &'static str)],
) -> LogEvent {
    LogEvent { name, severity, about, fields }
}

/// Every event, by name.
#[rustfmt::skip]
pub const LOG_EVENTS: &[LogEvent] = &[
    event("accept-failed", Warn,
        "The system refuses new connections, usually because the process may open no more files. The server tries \
         again by itself; raise `ulimit -n` or lower `connections.max`. At most one line in ten seconds.",
        &[("error", "the error of the system"), ("others", "failures since the last line")]),
    event("alter-failed", Warn,
        "A change of the schema that a client of Dgraph asked to run in the background failed, and the schema is as \
         before. The client was answered when it began: mend what the error names, and alter again.",
        &[("error", "why it failed")]),
    event("background-failed", Error,
        "Work in the background failed: a checkpoint, a file of the commit log, the commit log itself. It is retried \
         where that makes sense, and logged again when the reason changes or after it has succeeded.",
        &[("task", "the task that failed"), ("error", "the error, with the file")]),
    event("checkpoint", Info,
        "Changes in memory were written to segments, and the commit log was cut.",
        &[("position", "the last commit in segments"), ("took_ms", "how long it took"),
          ("written_bytes", "bytes of segments written meanwhile"), ("log_bytes", "bytes left in the commit log")]),
    event("connections-cut", Warn,
        "Connections were still open when the server had to end; they were closed.", &[]),
    event("connections-lowered", Warn,
        "The process may not open as many files as `connections.max` connections need, so there are fewer. Raise \
         `ulimit -n` (`LimitNOFILE` of a unit).",
        &[("wanted", "the setting"), ("connections_max", "the bound on connections"),
          ("files_max", "files that the process may open")]),
    event("damage", Error,
        "Stored data does not match its checksum. Requests that need it fail, others go on. Run \
         `millrace check`, then restore a \
         backup or run `millrace repair`. Each place is logged once.",
        &[("error", "the file, the position in it, and the error")]),
    event("failed", Error,
        "The command ends for this reason. In the text form it is the plain line `millrace: …`.",
        &[("error", "the error, its place and the remedy"), ("exit_code", "the exit code, see exit-codes.md")]),
    event("graph-not-emptied", Warn,
        "A graph was being emptied when the process ended, and what was left to do failed at the start. The graph is empty or \
         missing; it is tried again by the next request that needs it.",
        &[("graph", "the graph"), ("error", "why it failed")]),
    event("graph-unreachable", Warn,
        "The data folder has a graph whose name stands for another one, by the settings `gremlin.graph` and \
         `cypher.graph`, or for none: no request reaches it. Start with `--set gremlin.graph=NAME` to export it, or to \
         drop it.",
        &[("graph", "the graph's name"), ("instead", "the graph that the name stands for; empty: none")]),
    event("lines-dropped", Warn,
        "Standard error was too slow, and lines were dropped here.",
        &[("lines", "how many")]),
    event("listening", Info,
        "Clients may connect.",
        &[("protocol", "`lua` or `gremlin`"), ("address", "address and port")]),
    event("manifest-fallback", Warn,
        "The newest manifest is damaged, so the one before it was opened with the commit log \
         behind it. No data is lost; the disk may be failing.",
        &[("used", "the manifest that was opened"), ("error", "the error in the newer one")]),
    event("panic", Error,
        "A bug in Millrace. The affected request is answered with an error, and others go on. \
         Please report it.",
        &[("thread", "the thread"), ("place", "file and line of the source"), ("message", "the message of the panic")]),
    event("print", Info,
        "A line that a Lua script printed.", &[("text", "the line")]),
    event("queue-dead-letter", Warn,
        "Messages of a queue cannot be applied, and were published as dead letters, whose headers say why. At most one \
         line in ten seconds.",
        &[("queue", "the NAME of the settings"), ("error", "the kind of the last error"),
          ("reason", "its text, cut; quoted texts and numbers of a message that was read are `?`"),
          ("others", "other dead letters since the last line")]),
    event("queue-goes-on", Info,
        "A queue that waited goes on.", &[("queue", "the NAME of the settings")]),
    event("queue-stopped", Error,
        "A message of a queue cannot be applied, and there is no `dead-letter`: the queue is not consumed any more, and \
         the message is still in it. Set `dead-letter`, or remove the message, and start the server again.",
        &[("queue", "the NAME of the settings"), ("problem", "the reason, and the remedy")]),
    event("queue-waits", Warn,
        "A queue cannot go on: no broker, no queue, a refused login, a full disk. It tries again, at most half a minute \
         apart, and is logged again when the reason changes or after it went on.",
        &[("queue", "the NAME of the settings"), ("problem", "the reason")]),
    event("read-only", Error,
        "Writes are refused from now on, and `/health` and `/health/ready` say so; reads go on.",
        &[("why", "the reason, and the remedy")]),
    event("read-write", Info,
        "Writes are accepted again.", &[("after_ms", "how long they were refused")]),
    event("recovered", Info,
        "The data folder is open: all committed data is there.",
        &[("replayed", "records of the commit log that were applied"), ("position", "the last commit"),
          ("log_bytes", "bytes of the commit log"), ("took_ms", "how long opening took")]),
    event("refused-login", Warn,
        "A login was refused. At most one line a second; all are counted.",
        &[("peer", "the address of the client"), ("user", "the name of the user, or `unknown`"),
          ("error", "why"), ("others", "refused logins since the last line")]),
    event("setting", Info,
        "A setting that is not its default, at the start.",
        &[("name", "the setting"), ("value", "its value"), ("origin", "the file, `environment`, or the flag")]),
    event("slow-query", Warn,
        "A query took at least `log.slow-ms`. Phases are in milliseconds; the rest of the total is \
         the time of the language itself.",
        &[("language", "`cypher`, `gremlin` or `lua`"), ("graph", "the graph"),
          ("text", "the query, literals replaced by `?`, cut; `COMMIT` where a client of Bolt or HTTP ends its transaction"),
          ("outcome", "`done`, or the kind of the error, as `bad-query`"), ("took_ms", "from its arrival to its last byte"),
          ("wait_ms", "waiting for a thread"), ("parse_ms", "reading the text"), ("plan_ms", "making plans"),
          ("run_ms", "running plans"), ("commit_ms", "validating and queueing the commit"),
          ("sync_ms", "waiting until the commit is on disk and visible"), ("send_ms", "sending results to the client"),
          ("rows", "rows of results"), ("bytes", "the most bytes that its plans held at once"),
          ("runs", "plans that were run"), ("operators", "the costliest operators: name, milliseconds, rows")]),
    event("slow-sync", Warn,
        "Writing the commit log and syncing it took long: the disk is slow or busy, and commits waited. At most one line \
         in ten seconds.",
        &[("took_ms", "how long this one took"), ("others", "slow ones since the last line")]),
    event("started", Info,
        "A server begins; the data folder is opened next.",
        &[("version", "the version of Millrace"), ("data", "the data folder"), ("process", "its process id")]),
    event("stopped", Info,
        "All requests have ended and everything committed is on disk.", &[("took_ms", "since `stopping`")]),
    event("stopping", Info,
        "The server accepts no more requests, and waits `http.drain-ms` for those under way.",
        &[("requests", "requests under way")]),
    event("too-many-connections", Warn,
        "A connection was refused because `connections.max` was reached. At most one line in ten \
         seconds.",
        &[("connections_max", "the bound on connections"), ("others", "refused ones since the last line")]),
    event("unclean-end", Warn,
        "The process that had the data folder open ended without closing it: it was killed, or the machine stopped. \
         `recovered` reports the recovery.",
        &[("holder", "the process that had it")]),
];

impl Severity {
    /// The word for it, as `log.level` has it.
    pub fn word(self) -> &'static str {
        match self {
            Error => "error",
            Warn => "warn",
            Info => "info",
        }
    }
}

/// The reference page, as Markdown.
pub fn reference_page() -> String {
    let mut page = String::from(
        "# The log\n\nGenerated from the list of events; do not edit. The log goes to standard error: a line for each event, \
         with time (UTC),\nlevel, name and fields. `log.format` makes it text or JSON, `log.level` hides less severe events. \
         Requests are not logged\none by one, and no line holds a value of a graph or a \
         password.\n\n\
         ```text\n2026-11-25T15:44:00.123Z WARN  slow-sync took_ms=412 others=0\n\
         {\"time\":\"2026-11-25T15:44:00.123Z\",\"level\":\"warn\",\"event\":\"slow-sync\",\"took_ms\":412,\"others\":0}\n```\n\n\
         `serve` logs from `info` on; other commands (`demo`, `load`, `shell --data`) from `warn` on, unless \
         `log.level` is\nset. Lines that standard error does not take in time are dropped and counted, so that a blocked \
         terminal stops no commit.\n",
    );
    for LogEvent { name, severity, about, fields } in LOG_EVENTS {
        page.push_str(&format!("\n## `{name}` ({})\n\n{about}\n", severity.word()));
        if !fields.is_empty() {
            page.push_str("\n| field | content |\n| --- | --- |\n");
        }
        for (field, about) in *fields {
            page.push_str(&format!("| `{field}` | {about} |\n"));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::LOG_EVENTS;

    #[test]
    fn events_are_listed_by_name_each_once() {
        assert!(LOG_EVENTS.is_sorted_by(|one, next| one.name < next.name));
    }
}
