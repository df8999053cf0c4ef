//! JSON by RageDB's rules, to values of the model and from them.
//!
//! Numbers are written as `tostring` writes them, but integers exactly. The module knows texts and values;
//! values of Lua, results and the session of a script never enter it.

mod plain;
mod read;
mod write;

pub(crate) use plain::parse_plain;
pub(crate) use read::{parse, parse_properties};
pub(crate) use write::{separate, text_of, write_display, write_string, write_value};
