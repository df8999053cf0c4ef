//! Results of functions: userdata over columns, that look like RageDB's tables and objects.
//!
//! A bulk result stays in its columns; an entry becomes a Lua value when the script asks for it.
//! `#`, indexing, `ipairs`, `pairs` and the `table` functions work; a script that writes into a
//! result gets a table of its own behind it ([`Written`]). Values of results and of Lua are written as
//! JSON here, too. What a function reads and which plan it runs never enters.

mod counts;
mod elements;
mod encode;
mod fill;
mod list;
mod map;
mod roar;

pub(crate) use counts::Counts;
pub(crate) use elements::{NodeOf, RelationshipOf};
pub(crate) use encode::encode;
pub(crate) use fill::{register as register_fillers, table_by_id};
pub(crate) use list::{List, Written, table_behind};
pub(crate) use map::ListMap;
pub(crate) use roar::{Combine, Roar};
