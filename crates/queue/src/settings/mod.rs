//! The settings of queues: `[queue.NAME]`, read and checked before a server starts.
//!
//! ```text
//!   queue.NAME.KEY = text (db::settings, raw) ──table──> QueueSettings ──check──> what does not go together
//! ```
//!
//! Every fault is refused by the key's name: at `millrace config check` as at `serve`.
//!
//! Nothing is connected or read here.

mod check;
mod page;
mod parse;
mod table;

use std::collections::BTreeMap;

use millrace_db::settings::{Resolved, Settings, nearest};
use millrace_model::{Error, ErrorKind, Result};

pub use page::reference_section;
pub use parse::{Allowed, Kind};
pub use table::{QUEUE_KEYS, QueueKey};

/// How a queue's settings begin.
const PREFIX: &str = "queue.";

/// A queue, as its settings say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueSettings {
    /// The name of the settings: of the metrics, and of the notes of keys.
    pub name: String,
    /// The broker.
    pub url: String,
    /// The queue's name in the broker.
    pub queue: String,
    /// The exchange that the queue is bound to; empty: none.
    pub exchange: String,
    /// The routing key of the binding.
    pub binding: String,
    /// Whether the queue is made.
    pub kind: QueueKind,
    /// The graph.
    pub graph: String,
    /// Unacknowledged messages of a consumer.
    pub prefetch: usize,
    /// Messages of a batch at most.
    pub batch_messages: usize,
    /// Milliseconds that a batch waits after its first message.
    pub batch_ms: u64,
    /// Consumers.
    pub consumers: usize,
    /// Bytes of a message at most.
    pub message_bytes_max: usize,
    /// The encoding of a message.
    pub format: Format,
    /// What a message is; `None` until it is set, which it must be.
    pub form: Option<Form>,
    /// The language of statements.
    pub language: String,
    /// The statement of the form of that name.
    pub statement: String,
    /// Which statements messages may bring.
    pub statements_allowed: Allowed,
    /// Where the key of a message is.
    pub key: KeyFrom,
    /// Whether a message without a key is bad.
    pub key_required: bool,
    /// Where bad messages go.
    pub dead_letter: DeadLetterRoute,
}

/// Whether a queue is made in the broker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueKind {
    /// It has to exist.
    #[default]
    Existing,
    /// A durable classic queue.
    Durable,
    /// A quorum queue.
    Quorum,
}

/// The encoding of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// As each message shows.
    #[default]
    Auto,
    /// MessagePack.
    MessagePack,
    /// JSON.
    Json,
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Commands of neography's batch.
    Commands,
    /// Jobs of the REST interface's batch.
    Jobs,
    /// Statements with parameters.
    Requests,
    /// A value for the statement of the settings.
    Statement,
}

/// Where the key of a message is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum KeyFrom {
    /// In its property `message-id`.
    #[default]
    MessageId,
    /// In itself, behind these names and numbers.
    Path(Vec<String>),
    /// Nowhere.
    None,
}

/// Where bad messages go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeadLetterRoute {
    /// The exchange; empty: the default exchange.
    pub exchange: String,
    /// The routing key; empty: that of the message.
    pub key: String,
}

impl DeadLetterRoute {
    /// Whether there is one.
    pub fn is_set(&self) -> bool {
        !self.exchange.is_empty() || !self.key.is_empty()
    }
}

impl QueueKind {
    fn of(word: &str) -> QueueKind {
        match word {
            "durable" => QueueKind::Durable,
            "quorum" => QueueKind::Quorum,
            _ => QueueKind::Existing,
        }
    }
}

impl Format {
    fn of(word: &str) -> Format {
        match word {
            "json" => Format::Json,
            "messagepack" => Format::MessagePack,
            _ => Format::Auto,
        }
    }
}

impl Form {
    fn of(word: &str) -> Option<Form> {
        match word {
            "commands" => Some(Form::Commands),
            "jobs" => Some(Form::Jobs),
            "requests" => Some(Form::Requests),
            "statement" => Some(Form::Statement),
            _ => None,
        }
    }
}

impl KeyFrom {
    fn of(text: &str) -> KeyFrom {
        match text {
            "message-id" => KeyFrom::MessageId,
            "none" => KeyFrom::None,
            path => {
                let path = path.strip_prefix("$.").unwrap_or(path);
                KeyFrom::Path(path.split('.').map(str::to_owned).collect())
            }
        }
    }
}

impl QueueSettings {
    /// A queue of this name with every default.
    pub fn new(name: &str) -> QueueSettings {
        let mut queue = QueueSettings {
            name: name.to_owned(),
            url: String::new(),
            queue: String::new(),
            exchange: String::new(),
            binding: String::new(),
            kind: QueueKind::Existing,
            graph: String::new(),
            prefetch: 0,
            batch_messages: 0,
            batch_ms: 0,
            consumers: 0,
            message_bytes_max: 0,
            format: Format::Auto,
            form: None,
            language: String::new(),
            statement: String::new(),
            statements_allowed: Allowed::Unset,
            key: KeyFrom::MessageId,
            key_required: false,
            dead_letter: DeadLetterRoute::default(),
        };
        for key in QUEUE_KEYS {
            // A default that its kind does not take stands for an unset value.
            if let Ok(value) = key.kind.read(key.default) {
                (key.set)(&mut queue, value);
            }
        }
        queue
    }
}

/// The queues of settings that were resolved, or all that is wrong with them and where that is from.
pub fn of_resolved(resolved: &Resolved) -> std::result::Result<Vec<QueueSettings>, Vec<Error>> {
    let origin = |name: &str| resolved.find(name).map(|(_, origin)| origin.to_string());
    read(&resolved.settings, &origin)
}

/// The same of settings whose origin is not known; the error is the first.
pub fn of_settings(settings: &Settings) -> Result<Vec<QueueSettings>> {
    read(settings, &|_| None).map_err(|faults| {
        let nothing = || bad("the settings of a queue are wrong".to_owned());
        faults.into_iter().next().unwrap_or_else(nothing)
    })
}

/// The value of a setting of a queue with a unit that fits, if it is a size or a time.
pub fn readable(setting: &str, value: &str) -> Option<String> {
    let (_, key) = split(setting).ok()?;
    let Kind::Measure { measure, .. } = QUEUE_KEYS.iter().find(|row| row.name == key)?.kind else {
        return None;
    };
    Some(measure.readable(measure.read(value).ok()?))
}

fn read(
    settings: &Settings,
    origin: &dyn Fn(&str) -> Option<String>,
) -> std::result::Result<Vec<QueueSettings>, Vec<Error>> {
    let mut queues: BTreeMap<&str, QueueSettings> = BTreeMap::new();
    let mut faults = Vec::new();
    for (setting, value) in &settings.queues {
        let set = split(setting).and_then(|(name, key)| {
            let queue = queues.entry(name).or_insert_with(|| QueueSettings::new(name));
            let row = QUEUE_KEYS.iter().find(|row| row.name == key);
            let row = row.ok_or_else(|| unknown(setting, key))?;
            let value = row.kind.read(value).map_err(|wrong| bad(format!("{setting} {wrong}")))?;
            (row.set)(queue, value);
            Ok(())
        });
        faults.extend(set.err().map(|error| match origin(setting) {
            Some(origin) => Error { detail: format!("{origin}: {}", error.detail), ..error },
            None => error,
        }));
    }
    if !faults.is_empty() {
        // What is wrong beyond that may only follow from it.
        return Err(faults);
    }
    for queue in queues.values_mut() {
        if queue.queue.is_empty() {
            queue.queue = queue.name.clone();
        }
        if queue.graph.is_empty() {
            queue.graph = settings.gremlin.graph.clone();
        }
        match settings.graph_named(&queue.graph) {
            Some(graph) => queue.graph = graph.to_owned(),
            None => {
                let detail =
                    format!("queue.{}.graph is `{}`, which has no graph", queue.name, queue.graph);
                let help = "write the name of the graph that messages are for";
                faults.push(bad(detail).with_help(help));
            }
        }
        faults.extend(check::faults(queue));
        faults.extend(check::over_bounds(queue, settings));
    }
    if faults.is_empty() { Ok(queues.into_values().collect()) } else { Err(faults) }
}

/// Name and key of `queue.NAME.KEY`.
fn split(setting: &str) -> Result<(&str, &str)> {
    let rest = setting.strip_prefix(PREFIX).unwrap_or(setting);
    let Some((name, key)) = rest.split_once('.') else {
        let error = bad(format!("`{setting}` names no key of a queue"));
        return Err(error.with_help("write [queue.NAME], then key = value"));
    };
    let fits =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if name.is_empty() || !name.chars().all(fits) {
        let error = bad(format!("`{name}` is not a name of a queue's settings"));
        return Err(error.with_help(
            "use small letters, digits and `-`, which variables of the environment can name, too; `queue` names the queue \
             of the broker",
        ));
    }
    Ok((name, key))
}

fn unknown(setting: &str, key: &str) -> Error {
    let error = bad(format!("there is no setting `{setting}`"));
    let help = match nearest(key, QUEUE_KEYS.iter().map(|row| row.name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let known: Vec<&str> = QUEUE_KEYS.iter().map(|row| row.name).collect();
            format!("settings of a queue: {}", known.join(", "))
        }
    };
    error.with_help(help)
}

fn bad(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}
