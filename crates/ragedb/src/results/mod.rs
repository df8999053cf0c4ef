//! Results of functions: userdata over columns, that look like RageDB's tables and objects.
//!
//! A bulk result stays in its columns; an entry becomes a Lua value when the script asks for it.
//! `#`, indexing, `ipairs`, `pairs` and the `table` functions work; a script that writes into a
//! result gets a table of its own behind it ([`Written`]).

mod constructors;
mod counts;
mod elements;
mod fill;
mod lazy;
mod link;
mod list;
mod map;
mod reservation;
mod roar;
mod types;

pub(crate) use constructors::register as register_types;
pub(crate) use counts::Counts;
pub(crate) use elements::{Node, NodeOf, Relationship, RelationshipOf};
pub(crate) use fill::{register as register_fillers, table_by_id};
pub(crate) use lazy::{LazyLists, Pending, Walked};
pub(crate) use link::{Link, register as register_links};
pub(crate) use list::{Items, List, Written, properties_byte_size, table_behind};
pub(crate) use map::ListMap;
pub(crate) use reservation::{Ledger, Reservation, Shared};
pub(crate) use roar::Roar;
pub(crate) use types::TYPES;
