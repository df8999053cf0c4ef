//! Functions that make entries comparable by identity, as grouping compares them. They take any value and never fail.

use millrace_model::compare::equivalence_key;
use millrace_model::{Result, Value};

use super::Function;
use super::arguments::misplaced;

/// The rows of this family; see `functions!`.
macro_rules! equivalence_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A value that is identical for equivalent values: 1 and 1.0, NaN and NaN, maps of the same pairs; null
            /// for absent.
            EquivalenceKey: [1, 1], 0, Fails::Not { truth: false } => equivalence::call;
            /// The value; null for absent.
            OrNull: [1, 1], 0, Fails::Not { truth: false } => equivalence::call;
        }
    };
}

pub(super) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    match function {
        Function::EquivalenceKey => Ok(equivalence_key(&arguments[0])),
        Function::OrNull => Ok(arguments[0].clone()),
        other => Err(misplaced(other)),
    }
}
