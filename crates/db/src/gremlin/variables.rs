//! The variables of a script: bindings of the request, what statements assigned, and what is drawn anew.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use millrace_gremlin::text::{HIDDEN_PREFIX, NOW, RANDOM_UUID};
use millrace_model::Value;
use millrace_model::bytecode::Argument;
use millrace_model::temporal::DateTime;
use rustc_hash::FxHashMap;

/// Names and their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables(FxHashMap<Arc<str>, Argument>);

impl Variables {
    /// Sets variables.
    pub(super) fn extend(&mut self, bindings: &[(Arc<str>, Argument)]) {
        self.0.extend(bindings.iter().cloned());
    }

    /// Sets one.
    pub(super) fn set(&mut self, name: &Arc<str>, value: Value) {
        self.0.insert(Arc::clone(name), Argument::Value(value));
    }

    /// Whether a name has a value.
    pub(super) fn is_known(&self, name: &str) -> bool {
        matches!(name, NOW | RANDOM_UUID) || self.0.contains_key(name)
    }

    /// The value of a name, for one occurrence of it.
    pub(super) fn value_of(&self, name: &str) -> Option<Argument> {
        match name {
            NOW => Some(Argument::Value(now())),
            RANDOM_UUID => Some(Argument::Value(Value::Uuid(random_uuid()))),
            name => self.0.get(name).cloned(),
        }
    }

    /// The value of a name that is not drawn anew.
    pub(super) fn kept(&self, name: &str) -> Option<&Argument> {
        self.0.get(name)
    }

    /// Forgets what ends with the script.
    pub(super) fn forget_hidden(&mut self) {
        self.0.retain(|name, _| !name.starts_with(HIDDEN_PREFIX));
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

fn now() -> Value {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Seconds of any clock there is fit.
    let seconds = since.as_secs() as i64;
    Value::DateTime(DateTime { seconds, nanos: since.subsec_nanos(), offset_seconds: 0 })
}

/// A random id of version 4 (RFC 9562): nobody else has it, and nothing secret hangs on it.
pub fn random_uuid() -> [u8; 16] {
    // Each state is keyed anew by the system's randomness.
    let half = || RandomState::new().hash_one(0_u8).to_be_bytes();
    let (first, second) = (half(), half());
    let mut id = [0; 16];
    id[..8].copy_from_slice(&first);
    id[8..].copy_from_slice(&second);
    id[6] = (id[6] & 0x0f) | 0x40;
    id[8] = (id[8] & 0x3f) | 0x80;
    id
}
