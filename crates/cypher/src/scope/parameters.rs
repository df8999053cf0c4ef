//! What is written by the value of a parameter: a wrong one is refused before the statement runs.
//!
//! Null is judged when a row is there to be written: an element that is null takes it without an error.

use millrace_model::{Error, TextPosition, Value};

use super::faults::fault;
use crate::tree::Name;

/// A parameter that stands for something that is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrittenParameter {
    pub(super) name: Name,
    pub(super) at: TextPosition,
    pub(super) kind: ParameterKind,
}

/// What a parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    /// All properties of an element.
    Properties,
    /// The key of a property.
    Key,
    /// Labels, or a type.
    Labels,
}

impl ParameterKind {
    /// Its types, as messages name them.
    pub(super) fn wanted(self) -> &'static str {
        match self {
            ParameterKind::Properties => "Map, Node or Relationship",
            ParameterKind::Key => "String",
            ParameterKind::Labels => "String or List<String>",
        }
    }

    fn accepts(self, value: &Value) -> bool {
        match (self, value) {
            (_, Value::Null) => true,
            (ParameterKind::Properties, value) => {
                matches!(value, Value::Map(_) | Value::Vertex(_) | Value::Edge(_))
            }
            (ParameterKind::Key, value) => matches!(value, Value::String(_)),
            (ParameterKind::Labels, value) => matches!(value, Value::String(_) | Value::List(_)),
        }
    }
}

impl WrittenParameter {
    /// Refuses a value of another type.
    pub(crate) fn check(&self, name: &str, value: &Value) -> Result<(), Error> {
        if *self.name != *name || self.kind.accepts(value) {
            return Ok(());
        }
        let (wanted, is) = (self.kind.wanted(), type_name(value));
        let detail =
            format!("Type mismatch for parameter '{name}': expected {wanted} but was {is}");
        Err(fault("InvalidArgumentType", self.at, detail))
    }
}

/// The type of a value in the words of Cypher.
fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "Boolean",
        Value::String(_) => "String",
        Value::List(_) | Value::Set(_) => "List<T>",
        Value::Map(_) => "Map",
        Value::F32(_) | Value::F64(_) => "Float",
        number if number.as_int().is_some() => "Integer",
        other => other.type_name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_a_wrong_type_is_refused_by_its_name_and_null_is_not() {
        let at = TextPosition { line: 1, column: 2 };
        let check = |kind, value: Value| {
            let own = WrittenParameter { name: "p".into(), at, kind };
            assert_eq!(own.check("other", &value), Ok(()));
            own.check("p", &value).map_err(|error| error.detail)
        };
        for kind in [ParameterKind::Properties, ParameterKind::Key, ParameterKind::Labels] {
            assert_eq!(check(kind, Value::Null), Ok(()));
            let detail = check(kind, Value::I64(1)).expect_err("no number");
            assert!(detail.ends_with(&format!("expected {} but was Integer", kind.wanted())));
        }
        assert_eq!(check(ParameterKind::Properties, Value::map(vec![])), Ok(()));
        assert_eq!(check(ParameterKind::Key, "k".into()), Ok(()));
        assert_eq!(check(ParameterKind::Labels, Value::list(vec!["A".into()])), Ok(()));
        check(ParameterKind::Key, Value::list(vec!["A".into()])).expect_err("one key");
    }
}
