//! Functions on days, timestamps and durations.

#[macro_use]
pub(super) mod dates;
#[macro_use]
pub(super) mod temporal;
