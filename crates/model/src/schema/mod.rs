//! The catalog: names and their numbers, definitions about them, notes, and changes of all these.
//!
//! A version of a catalog is a plain value. No element and no column enters; who makes and keeps versions is a store.

mod catalog;
mod change;
mod definition;
mod definitions;
mod names;
mod notes;
mod property_type;

pub use catalog::Catalog;
pub use change::CatalogChange;
pub use definition::{
    IndexBuild, IndexDefinition, IndexKind, KeyMethod, Owner, PropertyDefinition,
};
pub use definitions::{Definition, Definitions};
pub use names::Names;
pub use notes::Notes;
pub use property_type::PropertyType;
