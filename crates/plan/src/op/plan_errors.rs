//! The errors of a plan that cannot run, found before any of it runs.

use millrace_model::{Error, ErrorKind, Phase};

/// An error in a plan.
pub fn bad_plan(detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Compile)
}

/// An error of kind `Unsupported` for a plan; `help` has the alternative.
pub fn unsupported(what: &str, help: &str) -> Error {
    Error::new(ErrorKind::Unsupported, what).with_help(help).in_phase(Phase::Compile)
}

/// A subplan that must not have an effect has one.
pub(super) fn has_effect(subplan: &str, place: &str) -> Error {
    unsupported(&format!("{subplan} that has an effect"), &format!("put the effect {place}"))
}
