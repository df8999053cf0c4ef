//! The table of keys of a queue: name, kind, default, words; the reference page is made of it.

use millrace_db::settings::measures::Measure;

use super::QueueSettings;
use super::parse::{self, Kind};
use crate::limits::CONSUMERS_MAX;

/// A key of `[queue.NAME]`.
pub struct QueueKey {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its default, as text.
    pub default: &'static str,
    /// What it does.
    pub about: &'static str,
    pub(super) set: fn(&mut QueueSettings, parse::Parsed),
}

const fn text(
    name: &'static str,
    default: &'static str,
    about: &'static str,
    set: fn(&mut QueueSettings, parse::Parsed),
) -> QueueKey {
    QueueKey { name, kind: Kind::Text, default, about, set }
}

const DAY_MS: u64 = 86_400_000;

/// Every key, by name.
#[rustfmt::skip]
pub const QUEUE_KEYS: &[QueueKey] = &[
    QueueKey { name: "batch-messages", kind: Kind::Number { min: 1, max: 65_535 }, default: "1000",
        about: "The maximum number of messages in one transaction.",
        set: |queue, value| queue.batch_messages = value.size() },
    QueueKey { name: "batch-ms", kind: Kind::Measure { measure: Measure::Millis, min: 0, max: DAY_MS }, default: "50",
        about: "How long a batch waits for more messages after its first one.",
        set: |queue, value| queue.batch_ms = value.number() },
    text("binding", "",
        "The routing key that binds the queue to `exchange`, if `declare` is not `none`.",
        |queue, value| queue.binding = value.text()),
    QueueKey { name: "consumers", kind: Kind::Number { min: 1, max: CONSUMERS_MAX }, default: "1",
        about: "Consumers of the queue, each with a connection and transactions of its own. With 1, messages are \
                applied in queue order.",
        set: |queue, value| queue.consumers = value.size() },
    text("dead-letter", "",
        "The exchange that bad messages are published to. Empty, without `dead-letter-key`: the queue stops at a bad message; \
         empty with it: the default exchange, so that the key names a queue.",
        |queue, value| queue.dead_letter.exchange = value.text()),
    text("dead-letter-key", "",
        "The routing key of dead letters. Empty: that of the message.",
        |queue, value| queue.dead_letter.key = value.text()),
    QueueKey { name: "declare", kind: Kind::Word(&["none", "durable", "quorum"]), default: "none",
        about: "Whether the server declares the queue: `durable` declares a classic queue, `quorum` a quorum queue, and \
                binds it to `exchange`, which must exist; a queue for dead letters only is declared likewise. `none`: \
                the queue must exist.",
        set: |queue, value| queue.kind = super::QueueKind::of(&value.text()) },
    text("exchange", "",
        "The exchange that the queue is bound to, if `declare` is not `none`. Empty: the default exchange, which every \
         queue is bound to by its name.",
        |queue, value| queue.exchange = value.text()),
    QueueKey { name: "form", kind: Kind::Word(&["commands", "jobs", "requests", "statement"]), default: "",
        about: "What a message is. `statement`: a value; the batch is the parameter `messages` of one `statement`. `requests`: a \
                map of `statement` and `parameters`. `commands`: a list of a command of neography's batch and its \
                arguments, or a list of such lists. `jobs`: what `POST /db/data/batch` takes. It has no default.",
        set: |queue, value| queue.form = super::Form::of(&value.text()) },
    QueueKey { name: "format", kind: Kind::Word(&["auto", "messagepack", "json"]), default: "auto",
        about: "The encoding of a message. `auto`: as its property `content_type` names it (`application/json`, \
                `application/msgpack`); without one, JSON if the body begins with `{` or `[`, and MessagePack otherwise.",
        set: |queue, value| queue.format = super::Format::of(&value.text()) },
    text("graph", "",
        "The graph that messages are applied to; it is created if it does not exist. Empty: that of `gremlin.graph`.",
        |queue, value| queue.graph = value.text()),
    text("key", "message-id",
        "What identifies a message that is delivered twice: `message-id`, the property; a path in the message, such as `$.id` \
         or `person.id`; `none`. A message whose key was applied before is acknowledged and not applied.",
        |queue, value| queue.key = super::KeyFrom::of(&value.text())),
    QueueKey { name: "key-required", kind: Kind::Flag, default: "false",
        about: "Whether a message without a key is a bad message. Otherwise it is applied and counted, and may be applied \
                twice after a crash.",
        set: |queue, value| queue.key_required = value.flag() },
    QueueKey { name: "language", kind: Kind::Word(&["cypher", "gremlin", "gremlin-lang"]), default: "cypher",
        about: "The language of `statement` and of `requests`.",
        set: |queue, value| queue.language = value.text() },
    QueueKey { name: "message-bytes-max", kind: Kind::Measure { measure: Measure::Bytes, min: 1, max: 1 << 30 },
        default: "1048576",
        about: "Bytes of a message; a larger one is a bad message.",
        set: |queue, value| queue.message_bytes_max = value.size() },
    QueueKey { name: "prefetch", kind: Kind::Number { min: 1, max: 65_535 }, default: "4000",
        about: "How many unacknowledged messages the broker sends to one consumer: at least `batch-messages`; three times \
                as many let the next batch arrive while one is committed. A consumer holds at most this many messages \
                in memory.",
        set: |queue, value| queue.prefetch = value.size() },
    text("queue", "",
        "The name of the queue in the broker. Empty: NAME.",
        |queue, value| queue.queue = value.text()),
    text("statement", "",
        "The statement of the form `statement`: `UNWIND $messages AS m CREATE (:Person {name: m.name})`, or in Gremlin \
         `g.inject(messages).unfold().as('m').addV('person').property('name', select('m').select('name'))`.",
        |queue, value| queue.statement = value.text()),
    QueueKey { name: "statements-allowed", kind: Kind::List, default: "",
        about: "Which statements a message of the form `requests` may contain: a list of texts, or `any`. In the environment, a \
                JSON list.",
        set: |queue, value| queue.statements_allowed = value.list() },
    QueueKey { name: "url", kind: Kind::Text, default: "amqp://127.0.0.1:5672/%2f",
        about: "The broker: `amqp://USER:PASSWORD@HOST:PORT/VHOST`. `amqps` is refused: connections are not encrypted; use a \
                tunnel, or a broker on this machine. The log does not show the password.",
        set: |queue, value| queue.url = value.text() },
];
