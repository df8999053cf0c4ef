//! Walking the graph from a frontier: which edges a walk takes, and the weights that gather at its neighbours.
//!
//! All that expand use it, operators and procedures. No row of a batch is known here, and no plan.

mod frontier;
mod walk;

pub(crate) use frontier::Accumulator;
pub(crate) use walk::{StoreWalk, Walk};
