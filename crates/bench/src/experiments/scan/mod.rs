//! Scans of properties: filters, folds and groups, each beside plain array code on one thread.
//!
//! ```text
//!   graph       1 million people, 10 million acquaintances; the same as arrays
//!   question    a question in Cypher with its array code, and the check of both
//!   questions   those over Bolt; of the 10 million likes of `bench likes`, too
//!   languages   Gremlin and Lua
//!   changed     the same with a tenth of the nodes changed
//!   rows        what an answer of many rows costs
//! ```
//!
//! The smaller size has as many people and relationships as the comparison with other databases (`cargo xtask compare
//! --scan`); at the full size a request costs little beside its scan, so that the ratio is that of the scan.

mod changed;
mod graph;
mod languages;
mod question;
mod questions;
mod rows;

use millrace_model::Result;

use super::measurement::{Conditions, FULL, Measurement, row};
use crate::report::Threshold::{AtMost, Ratio, RatioAndAtMost, RatioAndSpeedup};
use crate::report::{Row, Threshold};
use changed::{NODES, RELATIONSHIPS, dirty};
use questions::{of_likes, of_people};

/// A tenth of the data, and all of it.
const SIZES: &[f64] = &[0.1, 1.0];

/// What a fold or a filter may take, in times of one thread's arrays, and how many times as fast all processors must be.
const FOLD: Threshold = RatioAndSpeedup(3.0, 1.7);

/// What groups by a text may take.
const GROUP: Threshold = Ratio(4.0);

/// What a graph with changes may take, in times of the graph without.
const DIRTY: Threshold = Ratio(1.5);

/// A scan that is measured with one processor, too.
const fn scan(
    name: &'static str,
    run: fn(&Conditions) -> Result<Row>,
    thresholds: &'static [(f64, Threshold)],
) -> Measurement {
    Measurement { alone_too: true, ..row(name, run, SIZES, thresholds) }
}

/// The rows, in the order they are run.
pub(super) const ROWS: &[Measurement] = &[
    scan("scan.fold", |on| of_people(on, &questions::FOLD), &[(1.0, FOLD)]),
    scan("scan.fold.words", |on| of_people(on, &questions::WORDS), &[(1.0, FOLD)]),
    scan("scan.filter.range", |on| of_people(on, &questions::RANGE), &[(1.0, FOLD)]),
    scan("scan.filter.contains", |on| of_people(on, &questions::CONTAINS), &[(1.0, FOLD)]),
    scan("scan.filter.any", |on| of_people(on, &questions::ANY), &[(1.0, FOLD)]),
    row("scan.filter.index", |on| of_people(on, &questions::IN), SIZES, &[(1.0, Ratio(3.0))]),
    scan("scan.top", |on| of_people(on, &questions::TOP), &[(1.0, FOLD)]),
    scan("scan.group.text", |on| of_people(on, &questions::GROUP), &[(1.0, GROUP)]),
    scan("scan.group.split", |on| of_people(on, &questions::SPLIT), &[(1.0, GROUP)]),
    scan("scan.group.upper", |on| of_people(on, &questions::UPPER), &[(1.0, GROUP)]),
    scan("scan.group.replace", |on| of_people(on, &questions::REPLACE), &[(1.0, GROUP)]),
    scan("scan.group.case", |on| of_people(on, &questions::CASE), &[(1.0, GROUP)]),
    scan("scan.group.number", |on| of_people(on, &questions::DECADE), &[(1.0, FOLD)]),
    scan("scan.distinct", |on| of_people(on, &questions::DISTINCT), &[(1.0, GROUP)]),
    scan("scan.distinct.joined", |on| of_people(on, &questions::JOINED), &[(1.0, GROUP)]),
    scan("scan.collect", |on| of_people(on, &questions::COLLECT), &[(1.0, GROUP)]),
    scan("scan.collect.size", |on| of_people(on, &questions::COLLECT_SIZE), &[(1.0, GROUP)]),
    scan(
        "scan.edges.filter",
        |on| of_people(on, &questions::SINCE),
        &[(0.1, AtMost(5.0)), (1.0, FOLD)],
    ),
    scan("scan.edges.group", |on| of_people(on, &questions::YEARS), &[(1.0, FOLD)]),
    scan("scan.edges.degree", |on| of_people(on, &questions::KNOWN), &[(1.0, FOLD)]),
    scan(
        "scan.likes.mean",
        |on| of_likes(on, &questions::WEIGHT),
        &[(1.0, RatioAndAtMost(3.0, 50.0))],
    ),
    scan("scan.likes.filter", |on| of_likes(on, &questions::HEAVY), &[(1.0, FOLD)]),
    scan("scan.likes.group", |on| of_likes(on, &questions::ITEMS), &[(1.0, GROUP)]),
    scan("scan.gremlin.group", languages::gremlin_group, &[(1.0, GROUP)]),
    scan("scan.gremlin.mean", languages::gremlin_mean, &[(1.0, FOLD)]),
    scan("scan.gremlin.edges", languages::gremlin_edges, &[(1.0, FOLD)]),
    row("scan.lua.filter", languages::lua_filter, SIZES, &[(1.0, Ratio(3.0))]),
    row("scan.rows", rows::rows, FULL, &[(1.0, AtMost(2.0))]),
    row(
        "scan.fold.dirty",
        |on| dirty(on, "scan.fold.dirty", &questions::FOLD, &NODES),
        FULL,
        &[(1.0, DIRTY)],
    ),
    row(
        "scan.filter.dirty",
        |on| dirty(on, "scan.filter.dirty", &questions::RANGE, &NODES),
        FULL,
        &[(1.0, DIRTY)],
    ),
    row(
        "scan.group.dirty",
        |on| dirty(on, "scan.group.dirty", &questions::GROUP, &NODES),
        FULL,
        &[(1.0, DIRTY)],
    ),
    row(
        "scan.edges.dirty",
        |on| dirty(on, "scan.edges.dirty", &questions::SINCE, &RELATIONSHIPS),
        FULL,
        &[(1.0, DIRTY)],
    ),
];
