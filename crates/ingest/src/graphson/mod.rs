//! JSON lines: GraphSON 3, as TinkerPop's `io(graphson()).writeGraph` writes it: a vertex a line, its outgoing
//! edges in it. Older versions, whose values say no types, are not read.
//!
//! ```text
//!   {"id":…,"label":"person","outE":{"knows":[{"id":…,"inV":…}]},"properties":{"name":[{"value":…}]}}
//! ```
//!
//! Lines that APOC writes are known by their member `type`.
//! What a reader would get wrong: `inE` says again what `outE` of other lines says, and an edge of both
//! is one; and ids of properties are not kept.

mod apoc;
mod line;
mod load;
mod value;

pub(crate) use load::load;
