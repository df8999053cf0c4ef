//! The figures of a database beside those of the other.

use std::fmt::Write;

use serde_json::Value;

/// The table. The first target of the report is Millrace, the second Dgraph, if it was there.
pub(super) fn text(report: &Value) -> String {
    let mut text = String::from(
        "| query | connections | Millrace/s | Dgraph/s | × Dgraph | p95 ms | Dgraph p95 ms | server µs | Dgraph server µs |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let rows = report["rows"].as_array().map_or(&[][..], Vec::as_slice);
    let of = |number: u64| move |row: &&Value| row["target_number"] == number;
    for row in rows.iter().filter(of(0)) {
        let is_same = |other: &&Value| {
            ["query", "by", "connections"].iter().all(|key| row[key] == other[key])
        };
        let peer = rows.iter().filter(of(1)).find(is_same).unwrap_or(&Value::Null);
        let name = match (row["query"].as_str(), row["by"].as_str()) {
            (Some(query), Some(by)) => format!("{query} by {by}"),
            (Some(query), None) => query.to_owned(),
            (None, _) => continue,
        };
        let of_peer = |key: &str| peer["median"][key].as_f64();
        let own = |key: &str| row["median"][key].as_f64();
        let ratio = own("answers_per_second").zip(of_peer("answers_per_second"));
        let ratio = ratio.map(|(own, peer)| own / peer);
        let cells = [
            shown(own("answers_per_second"), 0),
            shown(of_peer("answers_per_second"), 0),
            shown(ratio, 2),
            shown(own("p95_ms"), 2),
            shown(of_peer("p95_ms"), 2),
            shown(own("server_cpu_us"), 0),
            shown(of_peer("server_cpu_us"), 0),
        ];
        let connections = &row["connections"];
        // Writing into a String cannot fail.
        let _ = writeln!(text, "| {name} | {connections} | {} |", cells.join(" | "));
    }
    text
}

/// A figure, or a dash where there is none.
fn shown(figure: Option<f64>, digits: usize) -> String {
    figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(target: u64, by: Option<&str>, rate: f64) -> Value {
        json!({
            "target_number": target, "query": if by.is_some() { "actor" } else { "/health" }, "by": by,
            "connections": 50, "median": { "answers_per_second": rate, "p95_ms": 2.5, "server_cpu_us": null },
        })
    }

    #[test]
    fn a_query_is_beside_the_same_of_the_other_database() {
        let report = json!({ "rows": [
            row(0, None, 60_000.0), row(0, Some("uid"), 30_000.0), row(0, Some("eq"), 20_000.0),
            row(1, None, 50_000.0), row(1, Some("uid"), 2_000.0),
        ] });
        let text = text(&report);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| /health | 50 | 60000 | 50000 | 1.20 | 2.50 | 2.50 | – | – |",
                "| actor by uid | 50 | 30000 | 2000 | 15.00 | 2.50 | 2.50 | – | – |",
                "| actor by eq | 50 | 20000 | – | – | 2.50 | – | – | – |",
            ]
        );
    }
}
