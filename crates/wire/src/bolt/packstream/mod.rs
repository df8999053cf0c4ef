//! PackStream: the bytes of values, elements and the fields of messages.
//!
//! ```text
//!   bytes ──Reader──> Item ──decode──> Value (parameters) or Datum (results, in a client)
//!   bytes <──Writer── value, element <── Value with its DetachedElements (results, in a server)
//! ```
//!
//! Values without a form of their own are sent in the nearest one:
//!
//! | value | sent as |
//! |---|---|
//! | integers of any width, a decimal of 64 bits without digits behind the point | integer |
//! | 32-bit float, any other decimal | float |
//! | UUID, token | string |
//! | set, the values of a multi-valued property, a path that is not vertices and edges by turns | list |
//! | a property of a vertex | its value |
//! | another property, the entry of a map | a map of one |
//! | a tree | a list of maps with `value` and `branches` |
//! | a part of a graph | a map with `nodes` and `relationships` |
//!
//! A key of a map that is not a string is sent as its text.

mod code;
mod datum;
mod decode;
pub(crate) mod element;
pub(crate) mod numeric_id;
mod reader;
mod temporal;
mod value;
mod writer;

pub use datum::{Datum, Element, Node, Path, Relationship};
pub use decode::{Decoded, decode};
pub(in crate::bolt) use decode::{optional_text, pairs};
pub use reader::{Item, Reader};
pub use writer::Writer;

use super::version::Version;

/// What the bytes of values depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The version of the protocol.
    pub version: Version,
    /// Whether timestamps are sent in UTC.
    pub is_utc: bool,
}

impl Form {
    /// That of a version, without the patch by which 4.4 sends timestamps in UTC.
    pub fn of(version: Version) -> Form {
        Form { version, is_utc: version.is_always_utc() }
    }
}
