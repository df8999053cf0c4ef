//! What DQL knows of a graph: its predicates with their types and directives, and its types.
//!
//! ```text
//!   notes of the catalog, names of keys and edge types ──> GraphSchema ──> Predicate of a name, fields of a type
//! ```
//!
//! A predicate that `/alter` or a mutation declared has a note, with its statement as DQL writes it. One that came to the
//! graph another way has none: an edge type is a list of uids, a key a value of type `default`. Nothing here changes a
//! schema or reads data.

mod cache;
mod checks;
mod graph;
mod hnsw;
mod predicate;

pub use cache::share_memory;
pub(crate) use checks::{DIRECTIVES, TOKENIZERS};
pub use checks::{check_type, is_of_dgraph};
pub use graph::{GraphSchema, TypeField};
pub(crate) use hnsw::HNSW;
pub use hnsw::metric_name;
pub use predicate::{IndexWord, Kind, Predicate};

pub use crate::tree::RESERVED;

/// The beginning of the name of a predicate's note; its text is a statement without the predicate's name.
pub const PREDICATE_NOTE: &str = "definition.dql.predicate.";

/// The beginning of the name of a type's note; its text has a field a line.
pub const TYPE_NOTE: &str = "definition.dql.type.";

/// The beginning of the name of a note on a predicate whose type was altered over data: its values may be of other types.
pub const ALTERED_NOTE: &str = "definition.dql.altered.";

/// The note of a graph that got its first names by DQL, or from which all was dropped: what has no note of its own is no
/// predicate there, but the name of a facet, or of something that was dropped.
pub const OWN_NOTE: &str = "definition.dql.own";

/// The predicate whose values are the types of a node, which are labels.
pub const TYPE_PREDICATE: &str = "dgraph.type";

/// The label of vertices of which a load knows only that edges name them: no type.
pub const HIDDEN_LABEL: &str = "Resource";
