//! Values of DQL: texts to values of a predicate's type, the order of a list's values, and values as JSON.
//!
//! Pure functions of values. Which predicate has which type is not known here.

mod convert;
mod farm_hash;
mod list_order;
mod near;
mod read;
mod write;

pub(crate) use convert::{compare, converted};
pub use list_order::first_in_order;
pub(crate) use list_order::{in_order, order_of_language};
pub(crate) use near::NearArgument;
pub(crate) use read::{read, read_bool, read_uid};
pub(crate) use write::{write_json, write_string, write_uid, write_vector};
