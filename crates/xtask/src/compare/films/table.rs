//! The figures of a database beside those of the other.

use std::fmt::Write;

use serde_json::Value;

/// The table. Targets of the report are Millrace and Dgraph by turns, or Millrace alone, for each protocol.
pub(super) fn text(report: &Value) -> String {
    let mut text = String::from(
        "| query | over | connections | Millrace/s | Dgraph/s | × Dgraph | p95 ms | Dgraph p95 ms | server µs | Dgraph server µs |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let rows = report["rows"].as_array().map_or(&[][..], Vec::as_slice);
    let number = |row: &Value| row["target_number"].as_u64().unwrap_or(0);
    let has_peer = 1 < rows.iter().map(number).max().unwrap_or(0);
    for row in rows.iter().filter(|row| !has_peer || number(row) % 2 == 0) {
        let is_same = |other: &&Value| {
            let keys = ["query", "by", "connections", "protocol"];
            number(other) == number(row) + 1 && keys.iter().all(|key| row[key] == other[key])
        };
        let peer = rows.iter().filter(|_| has_peer).find(is_same).unwrap_or(&Value::Null);
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
        let (connections, protocol) = (&row["connections"], row["protocol"].as_str());
        let (protocol, cells) = (protocol.unwrap_or_default(), cells.join(" | "));
        // Writing into a String cannot fail.
        let _ = writeln!(text, "| {name} | {protocol} | {connections} | {cells} |");
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
            "target_number": target, "protocol": if target < 2 { "http" } else { "grpc" },
            "query": if by.is_some() { "actor" } else { "/health" }, "by": by, "connections": 50,
            "median": { "answers_per_second": rate, "p95_ms": 2.5, "server_cpu_us": null },
        })
    }

    #[test]
    fn a_query_is_beside_the_same_of_the_other_database() {
        let report = json!({ "rows": [
            row(0, None, 60_000.0), row(0, Some("uid"), 30_000.0), row(0, Some("eq"), 20_000.0),
            row(1, None, 50_000.0), row(1, Some("uid"), 2_000.0),
            row(2, Some("uid"), 9_000.0), row(3, Some("uid"), 3_000.0),
        ] });
        let text = text(&report);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| /health | http | 50 | 60000 | 50000 | 1.20 | 2.50 | 2.50 | – | – |",
                "| actor by uid | http | 50 | 30000 | 2000 | 15.00 | 2.50 | 2.50 | – | – |",
                "| actor by eq | http | 50 | 20000 | – | – | 2.50 | – | – | – |",
                "| actor by uid | grpc | 50 | 9000 | 3000 | 3.00 | 2.50 | 2.50 | – | – |",
            ]
        );
    }
}
