//! Functions of single elements and of all: nodes, relationships, their properties; pages, counts and searches.
//!
//! Nothing here follows a relationship: that is for `walks`.

pub(super) mod all;
pub(super) mod find;
pub(super) mod nodes;
pub(super) mod properties;
pub(super) mod relationships;
