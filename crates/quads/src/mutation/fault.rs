//! The error of a mutation in JSON, which names its member by its path.

use std::fmt;

/// Something wrong in the JSON of a mutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonFault {
    /// Where: `[3].friend[0].name`. Empty for the whole.
    pub path: String,
    /// The message: the expected form, the value found, and the remedy.
    pub detail: String,
}

impl JsonFault {
    /// A fault of the value that is read, whose path the callers add.
    pub(super) fn new(detail: impl Into<String>) -> Self {
        Self { path: String::new(), detail: detail.into() }
    }

    /// The fault as that of a member's value.
    pub(super) fn in_member(self, name: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { path: format!("{name}{dot}{}", self.path), ..self }
    }

    /// The fault as that of a list's value.
    pub(super) fn in_list(self, index: usize) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { path: format!("[{index}]{dot}{}", self.path), ..self }
    }
}

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.detail),
            path => write!(f, "{path}: {}", self.detail),
        }
    }
}

impl std::error::Error for JsonFault {}
