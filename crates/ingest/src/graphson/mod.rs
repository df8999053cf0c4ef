//! JSON lines: GraphSON 3, as TinkerPop's `io(graphson()).writeGraph` writes it: a vertex a line, its
//! outgoing edges in it. Older versions, with values that say no types, are not read.
//!
//! ```text
//!   {"id":…,"label":"person","outE":{"knows":[{"id":…,"inV":…}]},"properties":{"name":[{"value":…}]}}
//! ```
//!
//! Elements that APOC writes are recognized by their member `type`, and rows of queries by such elements in
//! them. Values that stand in one array or object come through the filter of `json_values`, so that they are read as they
//! come; it is chosen by the first bytes of a file. `inE` repeats the `outE` of other
//! lines, and an edge in both is one edge. Ids of properties are not stored.
//! Only lines become records here; what the records make of a graph is in `elements`.

mod apoc;
mod line;
mod load;
mod rows;
mod value;

pub(crate) use load::load;
