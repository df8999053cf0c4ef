//! A long result, pulled in parts: the server holds one part of it.

use millrace_model::{Error, ErrorKind, Result};

use crate::clients::bolt::{Connection, Query, pull_part};
use crate::experiments::likes::{GRAPH_NAME, cached, size};
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::measure;
use crate::process::PeakOf;
use crate::report::{PEAK_MEMORY, Row, Unit};

/// Records of a PULL.
const PART: u64 = 1_000;

/// Passes that are measured.
const PASSES: usize = 5;

/// By how many bytes the server's memory grows while all rows leave.
pub(super) fn stream(conditions: &Conditions) -> Result<Row> {
    let likes = size(conditions);
    let served = Served::start(conditions, cached(&conditions.data, &likes)?)?;
    let mut connection = Connection::open(served.bolt())?;
    let rows = likes.edge_count();
    let counted =
        Query::new(GRAPH_NAME, &format!("UNWIND range(1, {rows}) AS number RETURN number"));
    let matched = Query::new(
        GRAPH_NAME,
        "MATCH (p:Person)-[:LIKES]->(i:Item) RETURN p.username AS person, i.name AS item",
    );
    // Sections of the graph that are read come to stay, as far as the memory budget goes.
    pass(&mut connection, &matched, rows)?;
    let passes = conditions.seconds.map_or(PASSES, |_| 1);
    let (mut growths, mut seconds, mut peak) = (Vec::new(), Vec::new(), 0.0_f64);
    for _ in 0..passes {
        let mut largest = 0.0_f64;
        for query in [&counted, &matched] {
            let before = PeakOf::begin(served.process_id()).ok_or_else(no_figures)?;
            seconds.push(measure::seconds(&mut || pass(&mut connection, query, rows))?);
            let (bytes, growth) = before.end().ok_or_else(no_figures)?;
            largest = largest.max(growth);
            peak = peak.max(bytes);
        }
        growths.push(largest);
    }
    Ok(Row::new(measure::median(growths), Unit::Bytes)
        .with("rows", rows as f64 / measure::median(seconds), Unit::PerSecond)
        .with(PEAK_MEMORY, peak, Unit::Bytes))
}

/// Pulls a result part by part, and counts its rows.
fn pass(connection: &mut Connection, query: &Query, rows: u64) -> Result<()> {
    let more = pull_part(PART)?;
    connection.send(&query.request_part(PART)?)?;
    let mut part = connection.receive_answer()?;
    let mut found = part.count;
    while part.has_more()? {
        connection.send(&more)?;
        part = connection.receive(1)?;
        found += part.count;
        if PART < part.count {
            return Err(wrong(format!("{} records for a PULL of {PART}", part.count)));
        }
    }
    match found == rows {
        true => Ok(()),
        false => Err(wrong(format!("{found} rows of {rows}"))),
    }
}

fn wrong(detail: String) -> Error {
    Error::new(ErrorKind::Bug, detail)
}

fn no_figures() -> Error {
    Error::new(ErrorKind::Unsupported, "this system does not report the memory of a process")
}
