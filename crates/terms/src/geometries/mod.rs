//! Geometries on the sphere: what lies near, within, contains and intersects what, and the cells that find it.
//!
//! ```text
//!   covering    a geometry as cells of several levels; what an index holds of it, and what a question asks
//!   region      the four predicates, as Dgraph has them
//!   boundary    a closed line of shortest ways, and what is inside of it
//!   planar      a ring as lines on a map of longitude and latitude
//!   bounds      intervals of latitude and longitude around lines
//!   predicates  which way three points turn, whether two ways cross: exact, and decided where points coincide
//!   vector      points as vectors of length 1
//! ```
//!
//! The model is the one of Google's S2, which Dgraph asks: edges are shortest ways on a sphere; a ring is turned so that it
//! is less than half of the sphere; of boundaries that share a vertex, fixed rules say which one has it, so that each point
//! is in exactly one of neighbouring shapes. Three points on one great circle never occur: infinitely small shifts of each
//! point decide (H. Edelsbrunner, E. P. Mücke, "Simulation of Simplicity", ACM Transactions on Graphics 9, 1990).

mod boundary;
mod bounds;
mod covering;
mod planar;
mod predicates;
mod region;
#[cfg(test)]
mod tests;
mod vector;

pub(crate) use covering::keys_of_geometry;
pub use covering::question_of_geometries;
pub use region::{GeometryTest, Region};
