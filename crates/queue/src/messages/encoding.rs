//! How a message is encoded: as the settings say, or as its content type or its first byte shows.
//!
//! No message of MessagePack with a second byte begins with `{` or `[`: there they are the whole numbers 123 and 91, behind
//! which nothing follows. So the first byte of an object or a list of JSON decides, and no message is read twice.

use millrace_model::Error;
use millrace_wire::{KnownKeys, json};

use super::Message;
use crate::settings::Format;

/// An encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    MessagePack,
    Json,
}

/// The encoding in which a message is read.
pub(super) fn of(message: &Message, format: Format) -> Encoding {
    match format {
        Format::MessagePack => Encoding::MessagePack,
        Format::Json => Encoding::Json,
        Format::Auto => named(message).unwrap_or_else(|| match begins_as_json(&message.body) {
            true => Encoding::Json,
            false => Encoding::MessagePack,
        }),
    }
}

/// The error of a message that is not of its encoding, with the setting that reads it if another does.
pub(super) fn with_hint(error: Error, message: &Message, encoding: Encoding) -> Error {
    let is_other = match encoding {
        Encoding::MessagePack => {
            let named = named(message) == Some(Encoding::Json);
            let reads = |bytes: &[u8]| json::parse_beside(bytes, &mut KnownKeys::default()).is_ok();
            named || begins_as_json(&message.body) || reads(&message.body)
        }
        Encoding::Json => named(message) == Some(Encoding::MessagePack),
    };
    match (is_other, encoding) {
        (false, _) => error,
        (true, Encoding::MessagePack) => {
            error.with_help("it looks like JSON: set `format = \"json\"`")
        }
        (true, Encoding::Json) => {
            error.with_help("its content type is of MessagePack: set `format = \"messagepack\"`")
        }
    }
}

/// The encoding that the content type names, if it names one.
fn named(message: &Message) -> Option<Encoding> {
    let kind = message.properties.content_type().as_ref()?.as_str();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match kind.as_str() {
        "application/json" | "text/json" => Some(Encoding::Json),
        "application/msgpack" | "application/x-msgpack" | "application/vnd.msgpack" => {
            Some(Encoding::MessagePack)
        }
        kind if kind.ends_with("+json") => Some(Encoding::Json),
        _ => None,
    }
}

/// Whether bytes begin as an object or a list of JSON, and go on.
fn begins_as_json(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    1 < bytes.len() && matches!(bytes[0], b'{' | b'[')
}
