//! Points on the earth, over Bolt: those within ten kilometres, by an index and by a scan.

use millrace_model::random::SplitMix64;
use millrace_model::{Error, ErrorKind, Result, Value};

use super::words::beside_scan;
use crate::experiments::asked::{AskedGraph, request};
use crate::experiments::measurement::Conditions;
use crate::report::Row;

/// Points at full size.
const POINTS: f64 = 1e6;

/// Points created by a request.
const CREATED: u64 = 50_000;

/// Requests of one run, one behind the other.
const REQUESTS: usize = 4;

const SEED: u64 = 11;

/// Multiples of two irrational numbers lie evenly in a square of ten degrees, on the equator.
const CREATE: &str = "UNWIND range($first, $last) AS i \
                      WITH point({longitude: (i * 0.6180339887498949) % 1.0 * 10, \
                                  latitude: (i * 0.7548776662466927) % 1.0 * 10}) AS at \
                      CREATE (:Place {at: at, kept: at})";
const INDEX: &str = "CREATE POINT INDEX near FOR (p:Place) ON (p.at)";

/// Points within ten kilometres; the reference is the scan of the same points.
pub(super) fn near(conditions: &Conditions) -> Result<Row> {
    let mut graph = AskedGraph::new(conditions, "index.cells")?;
    let count = ((POINTS * conditions.scale) as u64).max(10_000);
    for first in (0..count).step_by(CREATED as usize) {
        let last = count.min(first + CREATED) - 1;
        let numbers = [("first", first), ("last", last)];
        graph.records(CREATE, &numbers.map(|(name, own)| (name.into(), Value::I64(own as i64))))?;
    }
    graph.records(INDEX, &[])?;
    let asking = |key: &str| {
        format!(
            "MATCH (p:Place) WHERE point.distance(p.{key}, point({{longitude: $x, latitude: $y}})) < 10000 \
             RETURN count(p) AS n"
        )
    };
    let mut random = SplitMix64::new(SEED);
    let (mut by_index, mut by_scan) = (Vec::new(), Vec::new());
    for _ in 0..REQUESTS {
        let mut axis = || Value::F64(1.0 + 8.0 * random.unit());
        let at = vec![("x".into(), axis()), ("y".into(), axis())];
        let found = |key: &str| graph.records(&asking(key), &at);
        let (one, other) = (found("at")?, found("kept")?);
        if one != other || one[0][0].as_int() == Some(0) {
            let detail = format!("an index finds {one:?} points, a scan {other:?}");
            return Err(Error::new(ErrorKind::Bug, detail));
        }
        by_index.push(request(&asking("at"), at.clone())?);
        by_scan.push(request(&asking("kept"), at)?);
    }
    beside_scan(conditions, &mut graph, &by_index, &by_scan)
}
