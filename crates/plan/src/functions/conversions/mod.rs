//! Conversions from one type into another, and the messages where a value is of a wrong type.

#[macro_use]
pub(super) mod casts;
#[macro_use]
pub(super) mod conversion;
#[macro_use]
pub(super) mod wanted;
