//! The variables of a script: bindings of the request, what statements assigned, and what is drawn anew.

use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use millrace_gremlin::text::{HIDDEN_PREFIX, NOW, RANDOM_UUID, literal_slot};
use millrace_model::bytecode::Argument;
use millrace_model::temporal::DateTime;
use millrace_model::{Error, ErrorKind, Result, Value};
use rustc_hash::FxHashMap;

/// Names and their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    values: FxHashMap<Arc<str>, Argument>,
    /// Those that stand for the literals of the text at hand.
    literals: Vec<Argument>,
    /// What the values hold together.
    bytes: u64,
}

impl Variables {
    /// Sets variables; those that come with a request are as long as it at most.
    pub(super) fn extend(
        &mut self,
        bindings: &[(Arc<str>, Argument)],
        bytes_max: u64,
    ) -> Result<()> {
        bindings.iter().try_for_each(|(name, value)| self.put(name, value.clone(), bytes_max))
    }

    /// Sets those that stand for literals; those of the text before are forgotten.
    pub(super) fn set_literals(&mut self, literals: Vec<Argument>) {
        self.literals = literals;
    }

    /// Sets one.
    pub(super) fn set(&mut self, name: &Arc<str>, value: Value, bytes_max: u64) -> Result<()> {
        self.put(name, Argument::Value(value), bytes_max)
    }

    /// Sets one, unless all together would hold more than this: then it stays what it was.
    fn put(&mut self, name: &Arc<str>, value: Argument, bytes_max: u64) -> Result<()> {
        let place = self.values.entry(Arc::clone(name));
        let known = match &place {
            Entry::Occupied(known) => bytes_of(known.get()),
            Entry::Vacant(_) => 0,
        };
        let bytes = self.bytes - known + bytes_of(&value);
        if bytes_max < bytes {
            let detail = format!("with `{name}`, the variables would exceed {bytes_max} bytes");
            let help = "assign a smaller value, or set variables that are no longer needed to null";
            return Err(Error::new(ErrorKind::LimitReached, detail).with_help(help));
        }
        self.bytes = bytes;
        place.insert_entry(value);
        Ok(())
    }

    /// Whether a name has a value.
    pub(super) fn is_known(&self, name: &str) -> bool {
        matches!(name, NOW | RANDOM_UUID) || self.assigned(name).is_some()
    }

    /// The value of a name, for one occurrence of it.
    pub(super) fn value_of(&self, name: &str) -> Option<Argument> {
        match name {
            NOW => Some(Argument::Value(now())),
            RANDOM_UUID => Some(Argument::Value(Value::Uuid(random_uuid()))),
            name => self.assigned(name).cloned(),
        }
    }

    /// The value of a name that is not drawn anew.
    pub(super) fn assigned(&self, name: &str) -> Option<&Argument> {
        if let Some(place) = literal_slot(name)
            && let Some(literal) = self.literals.get(place)
        {
            return Some(literal);
        }
        self.values.get(name)
    }

    /// Forgets what ends with the script.
    pub(super) fn forget_hidden(&mut self) {
        let bytes = &mut self.bytes;
        self.values.retain(|name, value| {
            let stays = !name.starts_with(HIDDEN_PREFIX);
            *bytes -= if stays { 0 } else { bytes_of(value) };
            stays
        });
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }
}

/// What a variable holds; one that is no value is part of a request, which is bounded by itself.
fn bytes_of(argument: &Argument) -> u64 {
    match argument {
        Argument::Value(value) => value.byte_size() as u64,
        _ => size_of::<Argument>() as u64,
    }
}

fn now() -> Value {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Seconds of any clock there is fit.
    let seconds = since.as_secs() as i64;
    Value::DateTime(DateTime { seconds, nanos: since.subsec_nanos(), offset_seconds: 0 })
}

/// A random id of version 4 (RFC 9562): it is unique, and nothing secret hangs on it.
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
