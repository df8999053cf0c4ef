//! Values, identity, schema, rows and error kinds: the words every layer shares.
//!
//! Nothing here knows storage, plans, text or bytes. `==` on a [`Value`] is *identity* (same type,
//! same bits), which merging rows needs. Equality as a language defines it is a question to
//! [`compare`], with the language's mode.
//!
//! ```text
//!   ids   value ── temporal, decimal, point, path, parts, property values
//!    │      │
//!    │   compare (one order, named modes)
//!    │      │
//!   column ─┴─> batch (columns, weights, ordinals)      schema (catalog)      error
//!
//!   detached (elements with labels and properties)      profile (what a query did)
//!   query limits (deadline and memory of the query that a thread works for)
//! ```

pub mod batch;
pub mod bits;
mod byte_size;
pub mod column;
pub mod compare;
pub mod decimal;
mod definitions;
pub mod detached;
pub mod element_id;
pub mod error;
pub mod external_id;
pub mod ids;
pub mod java_float;
pub mod memory_budget;
mod names;
mod notes;
pub mod order_key;
pub mod parts;
pub mod path;
pub mod path_arena;
pub mod profile;
pub mod property_name;
pub mod property_values;
pub mod query_limits;
pub mod random;
pub mod schema;
pub mod strings;
pub mod temporal;
mod timestamps;
pub mod uuid;
pub mod value;
mod violation;
mod widths;

pub use batch::Batch;
pub use bits::Bits;
pub use byte_size::CountedOnce;
pub use column::{Bags, Column, ColumnValues};
pub use decimal::Decimal;
pub use detached::{
    DetachedEdge, DetachedElements, DetachedProperty, DetachedVertex, ElementDetail,
};
pub use error::{Error, ErrorKind, Phase, Result, TextPosition, WriteConflict};
pub use external_id::{EXTERNAL_ID_KEY, ExternalId};
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
pub use violation::{Violation, Violator};
