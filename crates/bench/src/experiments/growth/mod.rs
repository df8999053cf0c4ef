//! The cost of one more thing, however many there are: names, schema, graphs, a long chain, a node with many
//! relationships.
//!
//! ```text
//!   law      what grows, to which sizes, and which statements are asked there
//!     │        sizes: a server each, all of them there at the same time, so that they are asked in turn
//!     └──> growth of a cost: at the largest size, by the least of the smaller ones ──> the worst is the row
//!   names    labels, types, keys, and all three     schema   indexes, constraints
//!   graphs chain hub                                spread   values of many keys in many partitions
//! ```
//!
//! A cost is of one statement, or of one element where a statement goes through all of them. What is not of constant
//! cost has its law in `docs/reference/limits.md`.

mod chain;
mod graphs;
mod hub;
mod law;
mod names;
mod schema;
mod sized_graph;
mod spread;

use super::measurement::{FULL, Measurement, row};
use crate::report::Threshold::AtMost;

/// How many times as much something may cost at the largest size.
const GROWTH_MAX: f64 = 2.0;

/// The rows, in the order they are run.
pub(super) const ROWS: &[Measurement] = &[
    row("growth.labels", names::labels, FULL, &[(1.0, AtMost(GROWTH_MAX))]),
    row("growth.types", names::types, FULL, &[(1.0, AtMost(GROWTH_MAX))]),
    row("growth.keys", names::keys, FULL, &[(1.0, AtMost(GROWTH_MAX))]),
    row("growth.names", names::names, FULL, &[(1.0, AtMost(GROWTH_MAX))]),
    row("growth.indexes", schema::indexes, FULL, &[(1.0, AtMost(GROWTH_MAX))]),
    row("growth.constraints", schema::constraints, FULL, &[(1.0, AtMost(GROWTH_MAX))]),
    row("growth.graphs", graphs::graphs, FULL, &[(1.0, AtMost(GROWTH_MAX))]),
    row("growth.chain", chain::chain, FULL, &[(1.0, AtMost(GROWTH_MAX))]),
    row("growth.hub", hub::hub, FULL, &[(1.0, AtMost(GROWTH_MAX))]),
    row("growth.spread", spread::spread, FULL, &[(1.0, AtMost(GROWTH_MAX))]),
];
