//! Indexes, each row beside a figure of the same run. The rows of a kind of index are a file here, and each row a line
//! in [`ROWS`].
//!
//! ```text
//!   order   the first rows of an order, pages, extremes and ranges; writes by a key that has an order, too
//!   words   titles by their words, with scores, and by parts of them
//!   points  points within a distance
//!   vectors the nearest vectors, exactly and by a graph; what the graph costs
//! ```

mod order;
mod points;
mod vectors;
mod words;

use super::measurement::{FULL, Measurement, row};
use crate::report::Threshold::{AtLeast, AtMost, Ratio};

/// The rows, in the order they are run.
pub(super) const ROWS: &[Measurement] = &[
    row("index.words.build", words::build, FULL, &[(1.0, AtLeast(1e6))]),
    row("index.words.write", words::write, FULL, &[(1.0, Ratio(2.0))]),
    row("index.words.query", words::query, FULL, &[(1.0, AtMost(2.0))]),
    row("index.trigrams", words::parts, FULL, &[(1.0, Ratio(0.05))]),
    row("index.cells", points::near, FULL, &[(1.0, Ratio(0.02))]),
    row("index.order", order::page, FULL, &[(1.0, Ratio(1.5))]),
    row("index.order.first", order::first, FULL, &[(1.0, AtMost(1.0))]),
    row("index.order.max", order::max, FULL, &[(1.0, AtMost(1.0))]),
    row("index.order.range", order::range, FULL, &[(1.0, AtMost(1.0))]),
    row("index.order.merge", order::merge, FULL, &[(1.0, Ratio(1.05))]),
    row("vector.exact", vectors::exact, FULL, &[(1.0, Ratio(2.0))]),
    row("vector.graph", vectors::by_graph, FULL, &[(1.0, AtLeast(1_000.0))]),
    row("vector.build", vectors::build, FULL, &[(1.0, AtLeast(1_000.0))]),
    row("vector.memory", vectors::memory, FULL, &[(1.0, AtMost(1.3))]),
];
