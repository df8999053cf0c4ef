//! What it costs the server to answer with many rows.

use millrace_model::{Error, ErrorKind, Result};

use super::graph::{GRAPH_NAME, arrays, cached, sized};
use super::question::Question;
use crate::experiments::asked::AskedGraph;
use crate::experiments::measurement::Conditions;
use crate::experiments::served::Served;
use crate::limit::scans::{People, named_rows};
use crate::measure;
use crate::report::{Row, Unit};

/// Rows of an answer.
const ROWS: usize = 10_000;

/// The graph has a tenth of the people of other rows.
const SHARE: f64 = 0.1;

/// Answers between two looks at the processor time, which counts in ticks of 10 ms.
const ANSWERS: usize = 100;

/// Looks, of which the median counts.
const LOOKS: usize = 5;

const QUESTION: Question<People> =
    Question::new("MATCH (p:Person) WHERE p.uid < 10000 RETURN p.uid, p.name, p.score", |people| {
        named_rows(people, ROWS)
    });

/// Milliseconds of the server's processor time for one answer.
pub(super) fn rows(conditions: &Conditions) -> Result<Row> {
    let people = sized(conditions.scale * SHARE);
    let served = Served::start(conditions, cached(&conditions.data, &people)?)?;
    let mut graph = AskedGraph::of(served, GRAPH_NAME, None)?;
    let rows = QUESTION.check(&graph, &arrays(&people))?;
    let requests = vec![graph.request(QUESTION.text)?; ANSWERS];
    graph.ask(&requests, rows)?;
    let looks = conditions.seconds.map_or(LOOKS, |_| 1);
    let (mut times, mut seconds) = (Vec::new(), Vec::new());
    for _ in 0..looks {
        let before = processor_seconds(&graph)?;
        seconds.push(measure::seconds(&mut || graph.ask(&requests, rows))?);
        times.push(processor_seconds(&graph)? - before);
    }
    let each = |all| measure::median(all) * 1e3 / ANSWERS as f64;
    Ok(Row::new(each(times), Unit::Milliseconds)
        .with("elapsed", each(seconds), Unit::Milliseconds)
        .with("rows", rows as f64, Unit::Count))
}

fn processor_seconds(graph: &AskedGraph) -> Result<f64> {
    graph.served().processor_seconds().ok_or_else(|| {
        let detail = "this system does not report the processor time of a process";
        Error::new(ErrorKind::Unsupported, detail)
    })
}
