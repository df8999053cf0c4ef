//! One graph of an open database: its scripts, its plans, its loads, its schema.
//!
//! A graph is used without its database; which graphs there are, and requests in a language, are above.

mod handle;
mod load_way;
mod schema;
mod size;

pub use handle::Graph;
pub use load_way::LoadWay;
pub use size::GraphSize;
pub(crate) use size::graph_size;
