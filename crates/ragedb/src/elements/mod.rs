//! Nodes and relationships for the REST routes: each request is a few plans over sets.
//!
//! The plans are those of the Lua functions (`plans`), so a key means the same to both. Everything is a
//! function of a transaction's `Runner`; results are plain values, for `wire` to write. As in RageDB, an
//! unknown id is no error: it has degree 0 and no neighbours, and [`show`] returns `None` for it.
//! Lua never enters here.

mod around;
mod change;
mod find;
mod name;
mod properties;
mod run;
mod schema;
mod show;
mod traverse;

pub use crate::plans::Condition;
pub use around::Way;
pub use change::{add_node, add_node_with_id, add_relationship, remove};
pub use find::{Page, find, list};
pub use millrace_plan::ElementKind;
pub use name::NodeName;
pub use properties::{PropertiesChange, change_properties, properties, property};
pub use schema::{
    OwnerType, declare_index, declare_property, declare_type, drop_index, drop_property, drop_type,
    indexes, property_type, type_properties, types,
};
pub use show::{ElementView, Elements, Target, show, show_all};
pub use traverse::{connected, degree, neighbors, relationships};
