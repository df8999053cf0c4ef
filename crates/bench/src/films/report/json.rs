//! The JSON a program reads: latencies in milliseconds, everything unrounded.

use serde_json::{Map, Value, json};

use super::super::outcome::{Experiment, Figures, Row, Subject};

/// All figures.
pub(in super::super) fn json(experiment: &Experiment) -> String {
    let conditions = experiment.conditions.iter();
    let conditions: Map<String, Value> =
        conditions.map(|(name, value)| ((*name).to_owned(), value.clone().into())).collect();
    let report = json!({
        "machine": experiment.machine.json(),
        "conditions": conditions,
        "rows": experiment.rows.iter().map(row).collect::<Vec<_>>(),
        "notes": experiment.notes,
    });
    format!("{report:#}\n")
}

fn row(row: &Row) -> Value {
    let (query, by) = match row.subject {
        Subject::Reference => (row.protocol.reference(), None),
        Subject::Query(query, by) => (query.name(), Some(by.name())),
    };
    json!({
        "target": row.target,
        "target_number": row.target_number,
        "protocol": row.protocol.name(),
        "query": query,
        "by": by,
        "connections": row.conditions.connections,
        "cores": row.conditions.cores,
        "endpoints": row.conditions.endpoints,
        "of_reference": row.of_reference,
        "median": figures(&row.figures),
        "runs": row.runs.iter().map(figures).collect::<Vec<_>>(),
    })
}

fn figures(figures: &Figures) -> Value {
    json!({
        "answers_per_second": figures.rate,
        "mean_ms": figures.mean,
        "p50_ms": figures.p50,
        "p95_ms": figures.p95,
        "p99_ms": figures.p99,
        "server_cpu_us": figures.server,
        "client_cpu_us": figures.client,
        "answer_bytes": figures.bytes,
    })
}
