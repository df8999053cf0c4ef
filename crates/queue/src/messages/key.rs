//! The key of a message: 16 bytes of a hash, which two deliveries of one message have in common.
//!
//! SHA-256, so that no sender can make a message that passes for another one.

use lapin::BasicProperties;
use millrace_model::Value;
use millrace_wire::json::to_json;
use sha2::{Digest, Sha256};

/// Bytes of a key.
pub(crate) const KEY_BYTES: usize = 16;

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub [u8; KEY_BYTES]);

impl Key {
    /// The key of some bytes.
    pub fn of(bytes: &[u8]) -> Key {
        let hash = Sha256::digest(bytes);
        let mut key = [0; KEY_BYTES];
        key.copy_from_slice(&hash[..KEY_BYTES]);
        Key(key)
    }

    /// The key in the property of a message.
    pub(super) fn of_message_id(properties: &BasicProperties) -> Option<Key> {
        let id = properties.message_id().as_ref()?.as_str();
        (!id.is_empty()).then(|| Key::of(id.as_bytes()))
    }

    /// The key at a path: names of maps, positions of lists. Null is none.
    pub(super) fn at(value: &Value, path: &[String]) -> Option<Key> {
        let mut value = value;
        for step in path {
            value = match value {
                Value::Map(pairs) => {
                    &pairs.iter().find(|(key, _)| key.as_str() == Some(step.as_str()))?.1
                }
                Value::List(values) => values.get(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        (*value != Value::Null).then(|| Key::of(to_json(value).as_bytes()))
    }
}
