//! The cost of traversals, beside plain array code that answers the same questions.
//!
//! ```text
//!   graph      the likes graph: 100,000 people, 2,000 items, 10 million likes; the same as arrays
//!   served     a server in a process of its own, and a client that costs little
//!   questions touch recommend dirty scripts point two_hop      the rows
//! ```

mod dirty;
mod graph;
mod point;
mod questions;
mod recommend;
mod scripts;
mod touch;
mod two_hop;

pub(super) use dirty::recommend_dirty;
pub(super) use graph::{GRAPH_NAME, arrays, cached, edges, people, size};
pub(super) use point::{Points, point, point_folder, point_size, random_people};
pub(super) use questions::count;
pub(super) use recommend::{check, question, recommend, recommend_gremlin, script};
pub(super) use scripts::{left_out, script_bulk, script_load, script_single};
pub(super) use touch::touch;
pub(super) use two_hop::{two_hop, two_hop_dirty};
