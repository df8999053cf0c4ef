//! The table: a new setting is one field of its struct and one entry here.

use std::borrow::Cow;

use super::Settings;
use super::measures::Measure;

/// The type of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// `true` or `false`.
    Flag,
    /// A whole number between two bounds.
    Number {
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// A number with a unit, or in this unit, between two bounds.
    Measure {
        /// The unit of numbers without one.
        measure: Measure,
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// One of a few words.
    Word(&'static [&'static str]),
    /// The same up to a bound, or `off`.
    MeasureOrOff {
        /// The unit of numbers without one.
        measure: Measure,
        /// The greatest.
        max: u64,
    },
}

/// Switches off a setting that is otherwise a number.
const OFF: &str = "off";

/// A parsed value.
pub(super) enum SettingValue {
    Text(String),
    Flag(bool),
    Number(u64),
    NumberOrOff(Option<u64>),
}

/// One setting.
pub struct Setting {
    /// Its name: `section.key`.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Its description.
    pub about: &'static str,
    show: fn(&Settings) -> String,
    place: Place,
}

/// Where a setting lies in [`Settings`].
enum Place {
    Text(fn(&mut Settings) -> &mut String),
    Flag(fn(&mut Settings) -> &mut bool),
    Number(fn(&mut Settings) -> &mut u64),
    NumberOrOff(fn(&mut Settings) -> &mut Option<u64>),
}

macro_rules! setting {
    ($kind:expr, $place:ident, $name:literal, $section:ident . $key:ident, $about:literal) => {
        Setting {
            name: $name,
            kind: $kind,
            about: $about,
            show: |settings| settings.$section.$key.to_string(),
            place: Place::$place(|settings| &mut settings.$section.$key),
        }
    };
}

macro_rules! number {
    ($name:literal, $range:expr, $section:ident . $key:ident, $about:literal) => {
        setting!(
            Kind::Number { min: *$range.start(), max: *$range.end() },
            Number,
            $name,
            $section.$key,
            $about
        )
    };
}

macro_rules! measure {
    ($measure:ident, $name:literal, $range:expr, $section:ident . $key:ident, $about:literal) => {
        setting!(
            Kind::Measure { measure: Measure::$measure, min: *$range.start(), max: *$range.end() },
            Number,
            $name,
            $section.$key,
            $about
        )
    };
}

macro_rules! bytes {
    ($($rest:tt)*) => { measure!(Bytes, $($rest)*) };
}

macro_rules! millis {
    ($($rest:tt)*) => { measure!(Millis, $($rest)*) };
}

const YEAR_MS: u64 = 365 * 24 * 3_600_000;

/// Every setting, by name.
#[rustfmt::skip]
pub const SETTINGS: &[Setting] = &[
    setting!(Kind::Text, Text, "bolt.advertised-address", bolt.advertised_address,
        "Host and port that `neo4j://` drivers are sent to. Empty: the address that the driver used. Set it \
         where that address does not reach this server from every client, as behind a proxy."),
    millis!("bolt.idle-ms", 1..=YEAR_MS, bolt.idle_ms,
        "How long a connection of Bolt may be idle after its login. Drivers keep connections for an hour."),
    bytes!("bolt.message-bytes-max", 1 << 10..=1 << 40, bolt.message_bytes_max,
        "Bytes of a message; a larger one is refused, and its connection closed."),
    setting!(Kind::Text, Text, "bolt.server-agent", bolt.server_agent,
        "The name by which the server identifies itself in Bolt. Some drivers refuse it unless it begins with \
         `Neo4j/`."),
    millis!("bolt.transaction-idle-ms", 1..=YEAR_MS, bolt.transaction_idle_ms,
        "Milliseconds without a request after which an open transaction is rolled back, and a result that its \
         client has not read is given up."),
    bytes!("connections.bodies-bytes-max", 0..=1 << 50, connections.bodies_bytes_max,
        "Bytes of the bodies and WebSocket messages of more than 64 KiB that all connections hold, from their \
         first byte until they are answered. Above it the largest message that is still arriving \
         is answered 503, or closes its WebSocket with 1013. 0: a sixteenth of the memory budget \
         (`memory.max`)."),
    bytes!("connections.body-rate-min", 0..=1 << 40, connections.body_rate_min,
        "The least rate, in bytes per second, of a body or a WebSocket message that the server \
         waits for; a slower one is answered 408, or closes its WebSocket. 0: no least rate."),
    millis!("connections.body-window-ms", 1..=YEAR_MS, connections.body_window_ms,
        "The window over which connections.body-rate-min is measured, in milliseconds; a body may \
         pause for so long."),
    millis!("connections.closing-ms", 1..=YEAR_MS, connections.closing_ms,
        "Milliseconds that a client may take to answer the close frame of a WebSocket."),
    millis!("connections.head-ms", 1..=YEAR_MS, connections.head_ms,
        "How long a client may take to send the head of a request, from when it connects, or from the \
         head's first byte."),
    millis!("connections.idle-ms", 1..=YEAR_MS, connections.idle_ms,
        "How long a connection may be idle between two requests of HTTP, and how long an answer \
         may wait for its client to read on."),
    millis!("connections.login-ms", 1..=YEAR_MS, connections.login_ms,
        "How long a WebSocket may be open before its client has logged in, where `users.file` is set."),
    number!("connections.max", 1..=1 << 20, connections.max,
        "Maximum number of open connections, on all ports together; further ones are answered 503 \
         and closed. It is lowered at startup if the process cannot open that many files (`ulimit -n`), of which \
         some are kept for the store."),
    millis!("connections.socket-idle-ms", 1..=YEAR_MS, connections.socket_idle_ms,
        "How long a WebSocket may be idle: no byte in either direction, and no request under way."),
    millis!("cypher.deadline-ms", 1..=YEAR_MS, cypher.deadline_ms,
        "Deadline of a query over Bolt, which may ask for another one by `tx_timeout`, up to query.deadline-max."),
    setting!(Kind::Text, Text, "cypher.graph", cypher.graph,
        "The graph behind the database `neo4j`, which queries over Bolt use if they name none. Empty: that of \
         `gremlin.graph`. The first query that may write creates it."),
    bytes!("data.changes-bytes-max", 1 << 20..=1 << 50, data.changes_bytes_max,
        "Bytes of changes in memory at which writers wait for a checkpoint."),
    bytes!("data.checkpoint-bytes", 1 << 16..=1 << 50, data.checkpoint_bytes,
        "Bytes of changes in memory that start a checkpoint."),
    setting!(Kind::Text, Text, "data.durability", data.durability,
        "When a commit is acknowledged: `sync`, once it is on disk; `async`, once it is applied, \
         so that power loss may lose the last commits. The data folder keeps the value that it was created with: \
         `as-made` uses it (a new folder: `sync`), and a value that differs from it is refused."),
    millis!("dql.access-token-ms", 1_000..=YEAR_MS, dql.access_token_ms,
        "How long a login of a client of Dgraph is good for, where `users.file` is set. Clients renew it by \
         themselves, as long as dql.refresh-token-ms allows."),
    millis!("dql.deadline-ms", 1..=YEAR_MS, dql.deadline_ms,
        "Deadline of a request in DQL, which may ask for another one by `timeout`, up to query.deadline-max."),
    setting!(Kind::Text, Text, "dql.graph", dql.graph,
        "The graph of DQL, Dgraph's namespace 0. The first request that may write creates it."),
    bytes!("dql.message-bytes-max", 1 << 10..=1 << 40, dql.message_bytes_max,
        "Bytes of a message of gRPC, packed or not; a larger one is refused."),
    millis!("dql.refresh-token-ms", 1_000..=YEAR_MS, dql.refresh_token_ms,
        "How long a login of a client of Dgraph may be renewed without the password."),
    millis!("dql.transaction-idle-ms", 1..=YEAR_MS, dql.transaction_idle_ms,
        "Milliseconds without a request after which an open transaction of a client of Dgraph is aborted."),
    number!("gremlin.batch-size", 1..=1 << 20, gremlin.batch_size,
        "Results per frame; a request may ask for another number by `batchSize`."),
    millis!("gremlin.deadline-ms", 1..=YEAR_MS, gremlin.deadline_ms,
        "Deadline of a Gremlin request, which may ask for another one by `evaluationTimeout`, up \
         to query.deadline-max."),
    setting!(Kind::Text, Text, "gremlin.graph", gremlin.graph,
        "The graph that `g` stands for, and `graph` too unless a graph has that name. The first \
         request that may write creates it."),
    bytes!("gremlin.message-bytes-max", 1 << 10..=1 << 40, gremlin.message_bytes_max,
        "Bytes of a message or a body; a larger one is refused, and its connection closed."),
    millis!("gremlin.session-idle-ms", 1..=YEAR_MS, gremlin.session_idle_ms,
        "Milliseconds without a request after which a session is rolled back and ended."),
    bytes!("http.body-bytes-max", 1..=1 << 40, http.body_bytes_max,
        "Bytes of a request's body: a script, properties. A larger one is refused with 413."),
    millis!("http.drain-ms", 0..=YEAR_MS, http.drain_ms,
        "How long a stopping server waits for requests under way before it cancels them."),
    bytes!("http.load-bytes-max", 1..=1 << 50, http.load_bytes_max,
        "Bytes of the files sent to `/load`."),
    millis!("http.load-deadline-ms", 1..=YEAR_MS, http.load_deadline_ms,
        "Deadline of a load and of a backup."),
    number!("http.requests-max", 1..=1 << 20, http.requests_max,
        "Maximum number of requests under way; further ones are answered 503, or 429 on Gremlin's \
         port."),
    number!("ids.block-size", 1..=1 << 32, ids.block_size,
        "Vertex ids in a leased block. A crash loses the rest of the current block."),
    number!("ids.renew-percentage", 0..=100, ids.renew_percentage,
        "The next block is leased when this percentage of the current one is left."),
    setting!(Kind::Flag, Flag, "listen.allow-open", listen.allow_open,
        "Accept an address that other machines can reach. Without `users.file` every client that \
         reaches the port may read and change all data; connections are not encrypted in either \
         case."),
    setting!(Kind::Text, Text, "listen.hosts", listen.hosts,
        "Host names of this server, separated by commas, such as `graph.example.com`. A request of a web page, or a \
         plain GET, that uses any name but these, `localhost` or an IP address is answered 421, because it may be \
         DNS rebinding. Other requests of programs need no entry."),
    setting!(Kind::Text, Text, "listen.origins", listen.origins,
        "Origins whose web pages may send requests, separated by commas, such as `https://app.example.com`. \
         Requests of pages of any other origin, except the server's own, are answered 403. Behind a TLS proxy, \
         list the proxy's origin."),
    bytes!("log.bytes-max", 1 << 24..=1 << 50, log.bytes_max,
        "The bound on the log: at this size writers wait for a checkpoint. Below 512 MiB the files of the log, and the \
         largest commit that goes into one, are as many times smaller."),
    bytes!("log.checkpoint-bytes", 1 << 16..=1 << 50, log.checkpoint_bytes,
        "Bytes of the log's files used since the last checkpoint that start the next one. A small \
         batch of commits uses a whole block of 4096."),
    setting!(Kind::Word(&["text", "json"]), Text, "log.format", log.format,
        "The format of the log on standard error: `text`, a line for each event; `json`, an object \
         a line. The reference page `log.md` lists the events."),
    measure!(Micros, "log.group-commit-delay-us", 0..=100_000, log.group_commit_delay_us,
        "Microseconds that a sync of the log waits for more commits to share it, as `commit_delay` of PostgreSQL. \
         Worth trying if many clients send small commits and the disk or the processors are the bottleneck; each \
         commit may then take that much longer. 0: no wait."),
    number!("log.group-commit-siblings", 0..=1_000, log.group_commit_siblings,
        "The least number of other commits waiting for the sync at which log.group-commit-delay-us applies, like \
         `commit_siblings` of PostgreSQL; fewer are written immediately."),
    setting!(Kind::Word(&["error", "warn", "info", "debug"]), Text, "log.level", log.level,
        "The least severe events that are logged."),
    Setting {
        name: "log.slow-ms",
        kind: Kind::MeasureOrOff { measure: Measure::Millis, max: YEAR_MS },
        about: "Queries that take this many milliseconds or more are logged as \
                `slow-query`, with their phases and costliest operators. 0: all of them. While it is on, every \
                query is measured, which costs a few percent of its time.",
        show: |settings| settings.log.slow_ms.map_or_else(|| OFF.to_owned(), |ms| ms.to_string()),
        place: Place::NumberOrOff(|settings| &mut settings.log.slow_ms),
    },
    bytes!("memory.max", 0..=1 << 50, memory.max,
        "Bytes that all requests may hold together: queries, what transactions wrote, loads, indexes under \
         construction, Lua interpreters, arriving bodies, unsent answers. When the budget is exhausted, the request that holds the most fails and the others \
         go on. 0 (automatic): 60 % of the machine's memory, or of its control group's limit if that is less."),
    bytes!("memory.segments-bytes", 1 << 20..=1 << 50, memory.segments_bytes,
        "Bytes of stored data cached in memory, beside the data that queries are reading; the \
         least recently used data is evicted first."),
    bytes!("query.bytes-max", 1 << 20..=1 << 50, query.bytes_max,
        "Bytes a query may hold; a query above it fails, and other queries go on. A request may \
         ask for less by the header `Millrace-Bytes-Max`."),
    millis!("query.deadline-max", 1..=YEAR_MS, query.deadline_max,
        "The longest deadline, in milliseconds, that a request may ask for: by `evaluationTimeout` in \
         Gremlin, by the header `Millrace-Deadline-Ms` elsewhere."),
    millis!("scripts.admin-deadline-ms", 1..=YEAR_MS, scripts.admin_deadline_ms,
        "Deadline of scripts sent to `/db`, and of queries in languages without a setting of their own."),
    bytes!("scripts.answer-bytes-max", 1..=1 << 40, scripts.answer_bytes_max,
        "Bytes of a script's answer; a request may ask for less by the header \
         `Millrace-Answer-Bytes-Max`."),
    setting!(Kind::Text, Text, "scripts.csv-folder", scripts.csv_folder,
        "The folder of the files that scripts may read by `LoadCSV` and similar functions, on \
         every route, and queries by `LOAD CSV` of Cypher; paths cannot leave it. Empty: no file is read."),
    millis!("scripts.deadline-ms", 1..=YEAR_MS, scripts.deadline_ms,
        "Deadline of scripts sent to `/rw` and `/ro`, and of all other routes."),
    bytes!("scripts.interpreter-bytes-max", 1 << 20..=1 << 50, scripts.interpreter_bytes_max,
        "Bytes a Lua interpreter may hold, the definitions of `--ALL` scripts included."),
    number!("scripts.interpreters-max", 1..=4_096, scripts.interpreters_max,
        "Maximum number of Lua interpreters of one graph, each on a thread of its own, created on \
         demand."),
    number!("scripts.queue-max", 1..=1 << 20, scripts.queue_max,
        "Maximum number of scripts of one graph that wait for an interpreter; further ones are \
         answered 503."),
    setting!(Kind::Text, Text, "users.file", users.file,
        "A file with a line `NAME:HASH` for each user, readable by its owner alone; `millrace users` writes \
         it. Hashes are argon2id; passwords in clear text are refused. Gremlin clients log in by SASL \
         PLAIN, Bolt and HTTP clients by Basic authentication. Empty: no client has to log in."),
];

/// The variable of the environment that sets the setting of a name.
pub(super) fn variable(name: &str) -> String {
    let name = name.replace('.', "__").replace('-', "_");
    format!("MILLRACE_{}", name.to_ascii_uppercase())
}

impl Setting {
    /// The setting of a name.
    pub fn find(name: &str) -> Option<&'static Setting> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// The variable of the environment that sets it.
    pub fn variable(&self) -> String {
        variable(self.name)
    }

    /// Its value in some settings, as text.
    pub fn show(&self, settings: &Settings) -> String {
        (self.show)(settings)
    }

    /// A value of it with a unit that fits, if it is a size or a time.
    pub fn readable(&self, shown: &str) -> Option<String> {
        let (measure, number) = (self.kind.measure()?, shown.parse().ok()?);
        Some(measure.readable(number))
    }

    /// Sets it; the error names the values that it takes.
    pub(super) fn set(&self, settings: &mut Settings, text: &str) -> Result<(), String> {
        match (&self.place, self.kind.read(text)?) {
            (Place::Text(place), SettingValue::Text(text)) => *place(settings) = text,
            (Place::Flag(place), SettingValue::Flag(flag)) => *place(settings) = flag,
            (Place::Number(place), SettingValue::Number(number)) => *place(settings) = number,
            (Place::NumberOrOff(place), SettingValue::NumberOrOff(number)) => {
                *place(settings) = number;
            }
            (Place::Text(_) | Place::Flag(_) | Place::Number(_) | Place::NumberOrOff(_), _) => {
                return Err("the table gives it a kind that is not its field's".to_owned());
            }
        }
        Ok(())
    }
}

impl Kind {
    fn read(self, text: &str) -> Result<SettingValue, String> {
        let wrong = || format!("is `{text}`, and must be {self}");
        Ok(match self {
            Kind::Text => SettingValue::Text(text.to_owned()),
            Kind::Flag => SettingValue::Flag(text.parse().map_err(|_| wrong())?),
            Kind::Number { min, max } => {
                let number = text.parse().map_err(|_| wrong())?;
                if !(min..=max).contains(&number) {
                    return Err(wrong());
                }
                SettingValue::Number(number)
            }
            Kind::Measure { measure, min, max } => {
                SettingValue::Number(self.read_measured(measure, (min, max), text)?)
            }
            Kind::Word(words) if words.contains(&text) => SettingValue::Text(text.to_owned()),
            Kind::Word(_) => return Err(wrong()),
            Kind::MeasureOrOff { .. } if text == OFF => SettingValue::NumberOrOff(None),
            Kind::MeasureOrOff { measure, max } => {
                SettingValue::NumberOrOff(Some(self.read_measured(measure, (0, max), text)?))
            }
        })
    }

    fn read_measured(
        self,
        measure: Measure,
        (min, max): (u64, u64),
        text: &str,
    ) -> Result<u64, String> {
        read_measure(measure, (min, max), text).map_err(|wrong| match wrong {
            Some(wrong) => format!("is `{text}`, which {wrong}; it must be {self}"),
            None => format!("is `{text}`, and must be {self}"),
        })
    }

    /// The unit of its numbers, if they have one.
    pub fn measure(self) -> Option<Measure> {
        match self {
            Kind::Measure { measure, .. } | Kind::MeasureOrOff { measure, .. } => Some(measure),
            Kind::Text | Kind::Flag | Kind::Number { .. } | Kind::Word(_) => None,
        }
    }
}

/// A number with a unit, between two bounds; the error is what is wrong with the text, or `None` where it is out of bounds.
pub fn read_measure(
    measure: Measure,
    (min, max): (u64, u64),
    text: &str,
) -> Result<u64, Option<Cow<'static, str>>> {
    let number = measure.read(text).map_err(Some)?;
    if (min..=max).contains(&number) { Ok(number) } else { Err(None) }
}

/// The words for numbers with a unit between two bounds.
pub fn measure_words(measure: Measure, (min, max): (u64, u64)) -> String {
    let (min, max) = (measure.readable(min), measure.readable(max));
    let what = if measure == Measure::Bytes { "size" } else { "time" };
    let (plural, suffixes) = (measure.plural(), measure.suffixes());
    format!("a {what} from {min} to {max}, in {plural} or with a unit: {suffixes}")
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Kind::Text => f.write_str("text"),
            Kind::Flag => f.write_str("true or false"),
            Kind::Number { min, max } => write!(f, "a whole number from {min} to {max}"),
            Kind::Measure { measure, min, max } => f.write_str(&measure_words(measure, (min, max))),
            Kind::Word(words) => write!(f, "one of {}", words.join(", ")),
            Kind::MeasureOrOff { measure, max } => {
                write!(f, "{OFF}, or {}", measure_words(measure, (0, max)))
            }
        }
    }
}
