//! The variables of a script: bindings of the request, and assignments by statements.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::language::{Binding, slot_index};
use rustc_hash::FxHashMap;

/// Names and their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    values: FxHashMap<Arc<str>, Binding>,
    /// The literals of the text at hand, by the index of their slot.
    literals: Vec<Binding>,
    /// Bytes of all values together.
    bytes: u64,
}

impl Variables {
    /// Sets variables; those that come with a request are as long as it at most.
    pub(crate) fn extend(
        &mut self,
        bindings: &[(Arc<str>, Binding)],
        bytes_max: u64,
    ) -> Result<()> {
        bindings.iter().try_for_each(|(name, value)| self.set(name, value.clone(), bytes_max))
    }

    /// Sets the literals; those of the text before are forgotten.
    pub(crate) fn set_literals(&mut self, literals: Vec<Binding>) {
        self.literals = literals;
    }

    /// Sets a variable. If all variables together would exceed `bytes_max`, it keeps its value.
    pub(crate) fn set(&mut self, name: &Arc<str>, value: Binding, bytes_max: u64) -> Result<()> {
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

    /// The value of a name, if it has one.
    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        let literal = slot_index(name).and_then(|index| self.literals.get(index));
        literal.or_else(|| self.values.get(name))
    }

    /// Forgets a variable.
    pub(crate) fn remove(&mut self, name: &str) {
        if let Some(value) = self.values.remove(name) {
            self.bytes -= bytes_of(&value);
        }
    }

    /// The number of variables.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }
}

/// Bytes of a variable's value; a foreign one is part of a request, which is bounded by itself.
pub(crate) fn bytes_of(binding: &Binding) -> u64 {
    match binding {
        Binding::Value(value) => value.byte_size() as u64,
        Binding::Foreign(_) => size_of::<Binding>() as u64,
    }
}
