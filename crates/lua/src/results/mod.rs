//! What functions give a script: userdata over columns, that look like RageDB's tables and objects.
//!
//! A bulk result stays in its columns; an entry becomes a Lua value when the script asks for it.
//! `#`, indexing, `ipairs`, `pairs` and the `table` functions work; a script that writes into a
//! result gets a table of its own behind it ([`Written`]).

mod elements;
mod list;
mod map;

pub(crate) use elements::{Link, Node, Relationship};
pub(crate) use list::{Items, List, Written, table_behind};
pub(crate) use map::ListMap;
