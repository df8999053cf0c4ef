//! Scalar functions, written once for all languages; one file for each family.
//!
//! A language maps its names to these. What differs between languages is a mode on the variant.

mod strings;

use millrace_model::{Result, Value};

/// A scalar function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// Whether a text starts with another.
    StartsWith,
    /// Whether a text ends with another.
    EndsWith,
    /// Whether a text contains another.
    Contains,
}

impl Function {
    /// Its name, as the printer shows it.
    pub fn name(self) -> &'static str {
        match self {
            Function::StartsWith => "starts_with",
            Function::EndsWith => "ends_with",
            Function::Contains => "contains",
        }
    }

    /// The value for arguments; an operand of another type gives null (unknown).
    pub fn call(self, arguments: &[Value]) -> Result<Value> {
        match self {
            Function::StartsWith => strings::test(arguments, |text, part| text.starts_with(part)),
            Function::EndsWith => strings::test(arguments, |text, part| text.ends_with(part)),
            Function::Contains => strings::test(arguments, |text, part| text.contains(part)),
        }
    }
}
