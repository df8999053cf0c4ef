//! Conditions: functions joined by `AND`, `OR` and `NOT`.

use super::{Function, Offset};

/// The condition of `@filter(…)`, `@facets(…)` and `@if(…)`. `NOT` binds closest, then `AND`, then `OR`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// A function alone.
    Function(Function),
    /// `NOT a`.
    Not {
        /// Where `NOT` begins.
        offset: Offset,
        /// The negated condition.
        of: Box<Filter>,
    },
    /// `a AND b AND c`, two or more.
    And(Vec<Filter>),
    /// `a OR b OR c`, two or more.
    Or(Vec<Filter>),
}
