//! Messages: bytes to values, and their keys.
//!
//! ```text
//!   Message ──format──> Value ──┬─ key (message-id, path) ──> 16 bytes
//!                               └─ form ──> Content
//! ```
//!
//! No connection and no transaction enters.

mod encoding;
mod key;
mod messagepack;

use lapin::BasicProperties;
use millrace_model::{Error, Result, Value};
use millrace_wire::{KnownKeys, json};

use encoding::Encoding;

pub use key::Key;
pub use messagepack::decode as decode_messagepack;

use crate::forms::{Content, Form, bad};
use crate::settings::{Format, KeyFrom, QueueSettings};

/// A header that brokers add by a plugin: the time of publication in milliseconds.
const TIMESTAMP_IN_MS: &str = "timestamp_in_ms";

/// From here on a timestamp counts milliseconds, although AMQP says seconds.
const MILLISECONDS_FROM: u64 = 100_000_000_000;

/// A message as it was delivered.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// Its number on its connection, by which it is acknowledged.
    pub tag: u64,
    /// The exchange that it was published to.
    pub exchange: String,
    /// Its routing key.
    pub routing_key: String,
    /// Whether the broker has delivered it before.
    pub is_redelivered: bool,
    /// Its properties and headers.
    pub properties: BasicProperties,
    /// Its bytes.
    pub body: Vec<u8>,
}

impl Message {
    /// When it was published, in milliseconds since 1970, as far as it says so.
    pub fn published_ms(&self) -> Option<u64> {
        use lapin::types::AMQPValue;
        let headers = self.properties.headers().as_ref();
        let exact = headers.and_then(|headers| headers.inner().get(TIMESTAMP_IN_MS));
        let exact = match exact {
            Some(AMQPValue::LongLongInt(ms)) => u64::try_from(*ms).ok(),
            Some(AMQPValue::Timestamp(ms)) => Some(*ms),
            _ => None,
        };
        let whole = self.properties.timestamp().as_ref().map(|stamp| match *stamp {
            ms if MILLISECONDS_FROM <= ms => ms,
            seconds => seconds * 1_000,
        });
        exact.or(whole)
    }
}

/// A message that was read.
pub struct Decoded {
    /// The message.
    pub message: Message,
    /// Its key.
    pub key: Option<Key>,
    /// What is to be applied, or why it cannot be.
    pub(crate) content: Result<Content>,
}

impl Decoded {
    /// Why it cannot be applied, if it cannot be read.
    pub fn error(&self) -> Option<&Error> {
        self.content.as_ref().err()
    }
}

/// Reads messages as the settings of a queue say.
pub struct Decoder {
    format: Format,
    bytes_max: usize,
    key: KeyFrom,
    key_required: bool,
    form: Form,
}

impl Decoder {
    /// The decoder of a queue.
    pub fn new(settings: &QueueSettings) -> Result<Decoder> {
        Ok(Decoder {
            format: settings.format,
            bytes_max: settings.message_bytes_max,
            key: settings.key.clone(),
            key_required: settings.key_required,
            form: Form::new(settings)?,
        })
    }

    /// Reads a message, with the keys of those before; its bytes stay, for the dead letter.
    pub fn decode(&self, message: Message, keys: &mut KnownKeys) -> Decoded {
        let mut key = match self.key {
            KeyFrom::MessageId => Key::of_message_id(&message.properties),
            KeyFrom::Path(_) | KeyFrom::None => None,
        };
        let value = self.value(&message, keys);
        if let (Ok(value), KeyFrom::Path(path)) = (&value, &self.key) {
            key = Key::at(value, path);
        }
        let content = value.and_then(|value| {
            if self.key_required && key.is_none() {
                return Err(bad("the message has no key, and `key-required` is set".to_owned()));
            }
            self.form.read(value)
        });
        Decoded { message, key, content }
    }

    fn value(&self, message: &Message, keys: &mut KnownKeys) -> Result<Value> {
        let body = &message.body;
        if self.bytes_max < body.len() {
            let (bytes, most) = (body.len(), self.bytes_max);
            let detail = format!("the message has {bytes} bytes, and {most} are allowed");
            return Err(bad(detail).with_help("raise message-bytes-max, or send several messages"));
        }
        let encoding = encoding::of(message, self.format);
        let value = match encoding {
            Encoding::MessagePack => decode_messagepack(body, keys),
            Encoding::Json => json::parse_beside(body, keys).map_err(|error| {
                let detail = error.detail.replacen("the body", "the message", 1);
                Error { detail, ..error }
            }),
        };
        value.map_err(|error| encoding::with_hint(error, message, encoding))
    }

    pub(crate) fn form(&self) -> &Form {
        &self.form
    }
}
