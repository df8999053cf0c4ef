//! Cypher over the protocols of Neo4j, each row beside a figure of the same run.
//!
//! ```text
//!   served     a server in a process of its own, and clients that cost little (as for the other experiments)
//!   point      what a small question costs
//!   node unwind edges merge_hub      writes: one by one, by the list, between nodes that are found
//!   paths      patterns of three hops, counted and grouped
//!   variable_length                  the first paths, a long one, any, the shortest that meets a condition
//!   stream     memory under a long result
//! ```
//!
//! A row or a family is a file here, and each row a line in [`ROWS`].

mod edges;
mod merge_hub;
mod node;
mod paths;
mod point;
mod stream;
mod unwind;
mod variable_length;

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::bolt::packstream::Datum;

use super::measurement::{FULL, Measurement, row};
use super::served::Served;
use crate::clients::bolt::driver;
use crate::report::Threshold::{AtMost, AtMostAndGrowth, Ratio};
pub(super) use unwind::unwind;

/// The rows, in the order they are run.
pub(super) const ROWS: &[Measurement] = &[
    row("cypher.recommend", paths::recommend, FULL, &[(1.0, Ratio(5.0))]),
    row("cypher.recommend.with", paths::recommend_with, FULL, &[(1.0, Ratio(5.0))]),
    row("cypher.count", paths::count, FULL, &[(1.0, Ratio(3.0))]),
    row("cypher.count.labels", paths::count_labelled, FULL, &[(1.0, Ratio(5.0))]),
    row("cypher.point", point::point, FULL, &[(1.0, Ratio(1.0 / 0.8))]),
    row("cypher.node.bolt", node::bolt, FULL, &[(1.0, Ratio(1.0 / 0.5))]),
    row("cypher.node.many", node::bolt_many, FULL, &[(1.0, Ratio(1.0 / 0.95))]),
    row("cypher.node.http", node::http, FULL, &[(1.0, Ratio(1.0 / 0.4))]),
    row("cypher.node.http.10", node::http_few, FULL, &[(1.0, Ratio(1.0 / 5.0))]),
    row("cypher.unwind", unwind, FULL, &[(1.0, Ratio(2.0))]),
    row("cypher.edges", edges::edges, FULL, &[(1.0, Ratio(1.5))]),
    row("cypher.merge.hub", merge_hub::merge_hub, FULL, &[(1.0, Ratio(3.0))]),
    row("cypher.paths.limit", variable_length::paths_limit, FULL, &[(1.0, AtMost(10.0))]),
    row(
        "cypher.paths.chain",
        variable_length::paths_chain,
        FULL,
        &[(1.0, AtMostAndGrowth(200.0, 100e6))],
    ),
    row("cypher.paths.exists", variable_length::paths_exists, FULL, &[(1.0, AtMost(100.0))]),
    row("cypher.shortest.where", variable_length::shortest_where, FULL, &[(1.0, AtMost(10.0))]),
    row("cypher.stream", stream::stream, FULL, &[(1.0, AtMost(64.0 * 1024.0 * 1024.0))]),
];

/// The records of a query that is not measured.
pub(super) fn answer(
    served: &Served,
    text: &str,
    parameters: &[(Arc<str>, Value)],
) -> Result<Vec<Vec<Datum>>> {
    let answer = driver(served.bolt())?.run(text, parameters);
    let answer = answer.map_err(|error| Error::new(ErrorKind::Bug, format!("{text}: {error}")))?;
    Ok(answer.records)
}

/// The number that is the only record.
pub(super) fn count(records: &[Vec<Datum>]) -> Result<u64> {
    let number = records.first().and_then(|record| record.first()?.as_int());
    let number = number.and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| Error::new(ErrorKind::Bug, format!("no count: {records:?}")))
}
