//! Values: each keeps its text, as only the schema knows its type.

use super::{Name, Offset};

/// A value among arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Where it begins.
    pub offset: Offset,
    /// The value itself.
    pub kind: ValueKind,
}

/// How a value is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `"text"`, its escapes decoded.
    Text(String),
    /// `12`, `0x1f`, `-1.5`, `true`, `Person`, or `<any text>`: without quotation marks.
    Word(String),
    /// `$name`, a variable of the query, without the dollar.
    Parameter(String),
    /// `/pattern/flags`, both as they are written.
    Regexp {
        /// Between the slashes; a slash in it is still `\/`.
        pattern: String,
        /// Behind them, such as `i`.
        flags: String,
    },
    /// `[1.1, 2]`, nested for geometries: `[[[0, 0], [2, 0], [0, 0]]]`.
    List(Vec<Value>),
}

/// `name: value`, an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Value,
}
