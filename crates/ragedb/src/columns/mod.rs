//! The entries of results in columns: ids, links, elements, values, and the reservation that they share.
//!
//! A column is data. What a script may do with it is in `results`; plans, functions and the session of a
//! script never enter here.

mod elements;
mod items;
mod json;
mod link;

pub(crate) use elements::{Node, Relationship};
pub(crate) use items::{Items, Shared, properties_byte_size};
pub(crate) use json::{write_node, write_relationship};
pub(crate) use link::{Link, register as register_links, write_link};
