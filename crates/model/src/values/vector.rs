//! Vectors: numbers in single precision, as many as an index of vectors wants, in a seventh of a list's memory.
//!
//! A graph stores them; a language sees lists of floats, as Neo4j's users do. So a vector becomes a list where it is read
//! ([`Value::vectors_as_lists`]), and no function of a language meets one.

use std::sync::Arc;

use super::value::Value;

/// The entries of the list that a vector is to a language.
pub(crate) fn entries_of(numbers: &[f32]) -> Vec<Value> {
    numbers.iter().map(|number| Value::F64(f64::from(*number))).collect()
}

impl Value {
    /// Numbers as a vector.
    pub fn vector(numbers: &[f32]) -> Value {
        Value::Vector(Arc::from(numbers))
    }

    /// The numbers of a vector or of a list of numbers, rounded to single precision; `None` of anything else.
    pub fn as_vector(&self) -> Option<Arc<[f32]>> {
        match self {
            Value::Vector(numbers) => Some(Arc::clone(numbers)),
            Value::List(entries) => {
                entries.iter().map(|entry| Some(entry.as_double()? as f32)).collect()
            }
            _ => None,
        }
    }

    /// The value with each vector as a list of doubles: of a property, and of each of its values.
    pub fn vectors_as_lists(self) -> Value {
        match &self {
            Value::Vector(numbers) => Value::list(entries_of(numbers)),
            Value::PropertyValues(several) if self.has_vector() => {
                let shown = several.map(|value| Some(value.clone().vectors_as_lists()));
                shown.map_or(self.clone(), |shown| Value::PropertyValues(Arc::new(shown)))
            }
            _ => self,
        }
    }

    /// Whether it is a vector, or a property with one among its values.
    pub fn has_vector(&self) -> bool {
        match self {
            Value::Vector(_) => true,
            Value::PropertyValues(several) => {
                several.values().iter().any(|own| matches!(own.value, Value::Vector(_)))
            }
            _ => false,
        }
    }
}
