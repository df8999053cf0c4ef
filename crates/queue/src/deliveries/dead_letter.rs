//! Dead letters: a bad message as it came, with headers that say why it was not applied.

use std::time::{SystemTime, UNIX_EPOCH};

use lapin::types::{AMQPValue, FieldTable};
use millrace_model::Error;

use crate::limits::DETAIL_CHARS_MAX;
use crate::messages::Message;

/// The header of the kind of error.
pub const ERROR_HEADER: &str = "x-millrace-error";
/// The header of the error's text.
pub const DETAIL_HEADER: &str = "x-millrace-detail";
/// The header of the queue that the message was taken from.
pub const QUEUE_HEADER: &str = "x-millrace-queue";
/// The header of the time.
pub const TIME_HEADER: &str = "x-millrace-time";

/// A message that cannot be applied.
#[derive(Clone, Debug)]
pub struct DeadLetter {
    /// As it came, with our headers.
    pub message: Message,
}

impl DeadLetter {
    /// The letter of a message of a queue.
    pub fn new(mut message: Message, queue: &str, error: &Error) -> DeadLetter {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let detail: String = error.to_string().chars().take(DETAIL_CHARS_MAX).collect();
        let mut headers = message.properties.headers().clone().unwrap_or_default();
        let text = |text: &str| AMQPValue::LongString(text.as_bytes().into());
        headers.insert(ERROR_HEADER.into(), text(error.kind.word()));
        headers.insert(DETAIL_HEADER.into(), text(&detail));
        headers.insert(QUEUE_HEADER.into(), text(queue));
        headers.insert(TIME_HEADER.into(), AMQPValue::Timestamp(now.as_secs()));
        message.properties = message.properties.with_headers(headers);
        DeadLetter { message }
    }

    /// A header of the letter, as text.
    pub fn header(&self, name: &str) -> Option<String> {
        header(self.message.properties.headers().as_ref()?, name)
    }
}

/// Whether a message was a dead letter before.
pub(crate) fn was_dead(message: &Message) -> bool {
    let headers = message.properties.headers().as_ref();
    headers.is_some_and(|headers| headers.contains_key(ERROR_HEADER))
}

fn header(headers: &FieldTable, name: &str) -> Option<String> {
    match headers.inner().get(name)? {
        AMQPValue::LongString(text) => Some(text.to_string()),
        AMQPValue::Timestamp(seconds) => Some(seconds.to_string()),
        _ => None,
    }
}
