//! What the operators of a statement did, as rows: a profile is a tree, and each row is indented by its depth.

use millrace_model::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Profile {
    dur: f64,
    metrics: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    name: String,
    #[serde(default)]
    dur: f64,
    #[serde(default)]
    counts: Value,
    #[serde(default)]
    annotations: Value,
    #[serde(default)]
    metrics: Vec<Step>,
}

/// The operator of Cypher that has no other part of its text than the columns of the statement.
const PRODUCE_RESULTS: &str = "ProduceResults";

/// The rows of a profile as JSON; `columns` are those of the statement.
pub(crate) fn rows(profile: &str, columns: &[String]) -> Result<String> {
    let unread = |error: serde_json::Error| {
        let detail = format!("the answer has no profile: {error}");
        Error::new(ErrorKind::BadInput, detail).with_help(":profile takes one statement")
    };
    let profile: Profile = serde_json::from_str(profile).map_err(unread)?;
    let mut rows = Vec::new();
    add(&mut rows, &profile.metrics, (0, profile.dur, columns));
    Ok(Value::from(rows).to_string())
}

fn add(rows: &mut Vec<Value>, steps: &[Step], around: (usize, f64, &[String])) {
    let (depth, all, columns) = around;
    let round = |number: f64| (number * 100.0).round() / 100.0;
    for Step { name, dur, counts, annotations, metrics } in steps {
        let step = format!("{}{name}", "  ".repeat(depth));
        let of_all = || if all == 0.0 { 0.0 } else { 100.0 * dur / all };
        rows.push(match counts.get("rows") {
            // Operators of Cypher have rows, steps of Gremlin elements in traversers.
            Some(count) => json!({
                "step": step,
                "rows": count,
                "ms": round(*dur),
                "percent": round(of_all()),
                "operator": match annotations["Details"].as_str() {
                    None if name == PRODUCE_RESULTS => columns.join(", "),
                    details => details.unwrap_or_default().to_owned(),
                },
            }),
            None => json!({
                "step": step,
                "elements": counts["elementCount"],
                "traversers": counts["traverserCount"],
                "ms": round(*dur),
                "percent": annotations["percentDur"].as_f64().map(round),
                "operator": annotations["operator"],
            }),
        });
        add(rows, metrics, (depth + 1, all, columns));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_of_cypher_have_rows_and_a_share_of_the_time() {
        let profile = r#"{"dur":0.4,"metrics":[{"dur":0.0,"counts":{"rows":2},"name":"ProduceResults",
            "annotations":{"planner":"millrace"},"metrics":[{"dur":0.3,"counts":{"rows":2},"name":"Scan",
            "annotations":{"Details":"Scan (P) n"}}]}]}"#;
        let found: Value =
            serde_json::from_str(&rows(profile, &["n.n".to_owned(), "m".to_owned()]).unwrap())
                .unwrap();
        let wanted = json!([
            {"step": "ProduceResults", "rows": 2, "ms": 0.0, "percent": 0.0, "operator": "n.n, m"},
            {"step": "  Scan", "rows": 2, "ms": 0.3, "percent": 75.0, "operator": "Scan (P) n"},
        ]);
        assert_eq!(found, wanted);
    }
}
