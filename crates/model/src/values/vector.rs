//! Vectors: numbers in single precision, as many as an index of vectors wants, in a seventh of a list's memory.
//!
//! A graph stores them; a language sees lists of floats, as Neo4j's users do. So a vector becomes a list where it is read
//! ([`Value::vectors_as_lists`]), and only the functions of a language that has vectors, which is DQL, make one of it again.

use std::sync::Arc;

use super::value::Value;

/// The numbers of a text such as `[0.1, 2]` or `[0.1 2]`, in single precision; `None` of another text, and where one is not
/// finite.
pub fn parse_vector(text: &str) -> Option<Arc<[f32]>> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let number = |part: &str| part.trim().parse().ok().filter(|number: &f32| number.is_finite());
    if inner.contains(',') {
        return inner.split(',').map(number).collect();
    }
    inner.split_whitespace().map(number).collect()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_numbers_in_brackets_is_a_vector() {
        for (text, numbers) in [
            ("[0.1, 2]", &[0.1, 2.0][..]),
            (" [1\n2  -3e-2] ", &[1.0, 2.0, -0.03]),
            ("[]", &[]),
            ("[ ]", &[]),
            ("[+1.,.5]", &[1.0, 0.5]),
        ] {
            assert_eq!(parse_vector(text).as_deref(), Some(numbers), "{text}");
        }
        for text in ["", "1,2", "[1,2", "[1,,2]", "[1,2,]", "[a]", "[1e39]", "[NaN]", "[1;2]"] {
            assert_eq!(parse_vector(text), None, "{text}");
        }
    }
}
