//! GraphSON 3, as TinkerPop's `io(graphson()).writeGraph` writes it: a vertex a line, its outgoing
//! edges in it. Older versions, whose values say no types, are not read.
//!
//! ```text
//!   {"id":…,"label":"person","outE":{"knows":[{"id":…,"inV":…}]},"properties":{"name":[{"value":…}]}}
//! ```
//!
//! An id that an element of a graph can have is kept: a number from 1 or a text. Any other becomes the
//! text of the key `xid` of a vertex, and is not kept of an edge.
//! What a reader would get wrong: `inE` says again what `outE` of other lines says, and is not read;
//! and ids of properties are not kept.

mod emit;
mod graph;
mod line;
mod load;
mod value;

pub(crate) use load::load;

/// Key of an id of a vertex that could not be kept; the same as that of a name in N-Quads.
const XID: &str = "xid";
