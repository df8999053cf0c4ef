//! Values, identity, schema, rows and error kinds: the words every layer shares.
//!
//! Nothing here knows storage, plans, text or bytes. `==` on a [`Value`] is *identity* (same type,
//! same bits), which merging rows needs. Equality as a language defines it is a question to
//! [`compare`], with the language's mode.
//!
//! ```text
//!   violation_text   the text of a broken rule
//!   detached, profile    elements with labels and properties; what a query did
//!   columns    columns, batches (weights, ordinals), paths of a run, external ids
//!   schema     the catalog: names, definitions, notes
//!   temporal   functions on dates and times
//!   compare    identity and one order, named modes, order as bytes
//!   limits     deadline and memory of the query that a thread works for; memory of the process
//!   errors     one error, a broken rule
//!   values     a value ── parts, paths, property values
//!   geometry   points and polygons on the earth, GeoJSON
//!   calendar   days, times, durations, zones
//!   base       ids, decimals, bits, random numbers
//! ```
//!
//! These are the modules, and a module imports from those below it only: the list is in
//! `crates/xtask/arrows.toml`, and `cargo xtask tidy` checks it.

mod base;
mod calendar;
mod columns;
pub mod compare;
pub mod detached;
mod errors;
pub mod geometry;
mod limits;
pub mod profile;
pub mod schema;
pub mod temporal;
mod values;
mod violation_text;

pub use base::{
    bits, decimal, element_id, ids, java_float, property_name, random, stack, strings, uuid,
};
pub use columns::{batch, column, copying, external_id, path_arena};
pub use compare::order_key;
pub use errors::error;
pub use limits::{memory_budget, query_limits};
pub use values::{parts, path, value};

pub use batch::Batch;
pub use bits::Bits;
pub use column::{Bags, Column, ColumnValues};
pub use decimal::Decimal;
pub use detached::{
    DetachedEdge, DetachedElements, DetachedProperty, DetachedVertex, ElementDetail,
};
pub use error::{
    Error, ErrorKind, Phase, READ_ONLY_DATABASE, Result, TextPosition, UNWRITABLE_FOLDER,
    WriteConflict,
};
pub use errors::violation::{Violation, Violator};
pub use external_id::{EXTERNAL_ID_KEY, ExternalId};
pub use geometry::{Geometry, GeometryFault};
pub use ids::{
    Direction, EdgeId, EdgeTypeId, GraphId, IndexId, KeyId, LabelId, LogPosition, VertexId,
};
pub use memory_budget::{MemoryBudget, MemoryShare, Reservation, UNCOUNTED_BYTES};
pub use parts::{Property, Subgraph, Token, Tree, VertexProperty};
pub use path::{Path, WalkStep, WalkSteps};
pub use path_arena::{PathArena, Paths};
pub use profile::{Profile, ProfileNode};
pub use property_name::PropertyName;
pub use property_values::{PropertyValue, PropertyValues};
pub use schema::{Catalog, CatalogChange, Owner, PropertyType};
pub use strings::Strings;
pub use value::Value;
pub use values::CountedOnce;
pub use values::vector::parse_vector;

/// The values of a multi-valued property, alone and in a column.
pub mod property_values {
    pub use crate::columns::multi_valued::{has_multi_valued, is_multi_valued};
    pub use crate::values::property_values::{
        MetaProperties, PropertyValue, PropertyValues, each_value, plain_value,
    };
}
