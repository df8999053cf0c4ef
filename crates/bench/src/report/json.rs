//! The JSON a program reads: values in their unit, unrounded; names as in the table.

use serde_json::{Value, json};

use super::{Report, Row, Threshold};

impl Report {
    /// The JSON a program reads.
    pub fn json(&self) -> String {
        let report = json!({
            "machine": self.machine.json(),
            "durability": self.durability,
            "notes": self.notes,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
        });
        format!("{report:#}\n")
    }
}

fn row(row: &Row) -> Value {
    let figures = row.figures.iter().map(|figure| {
        let value = json!({ "value": figure.value, "unit": figure.unit.word() });
        (figure.name.clone(), value)
    });
    json!({
        "name": row.name,
        "value": row.value,
        "unit": row.unit.word(),
        "reference": row.reference,
        "ratio": row.ratio(),
        "threshold": row.threshold.map(threshold),
        "reached": row.reached(),
        "figures": figures.collect::<serde_json::Map<_, _>>(),
        "fault": row.fault,
    })
}

fn threshold(threshold: Threshold) -> Value {
    match threshold {
        Threshold::Ratio(most) => json!({ "ratio_at_most": most }),
        Threshold::AtMost(most) => json!({ "at_most": most }),
        Threshold::AtLeast(least) => json!({ "at_least": least }),
        Threshold::AtMostOrRatio(most, ratio) => {
            json!({ "at_most": most, "or_ratio_at_most": ratio })
        }
        Threshold::RatioAndAtMost(ratio, most) => {
            json!({ "ratio_at_most": ratio, "at_most": most })
        }
        Threshold::PeakMemory(most) => json!({ "peak_memory_at_most": most }),
        Threshold::AtMostAndGrowth(most, bytes) => {
            json!({ "at_most": most, "memory_growth_at_most": bytes })
        }
        Threshold::RatioAndSpeedup(most, least) => {
            json!({ "ratio_at_most": most, "speedup_at_least": least })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PEAK_MEMORY, Unit};
    use super::*;
    use crate::machine::Machine;

    #[test]
    fn rows_carry_their_bar_and_their_figures_in_json() {
        let measured = Row::new(2.0, Unit::PerSecond).with(PEAK_MEMORY, 7.0, Unit::Bytes);
        let named = Row {
            name: "load.csv@10".into(),
            threshold: Some(Threshold::PeakMemory(4e9)),
            ..measured
        };
        let machine = Machine::here();
        let report =
            Report { machine, durability: "sync".into(), notes: Vec::new(), rows: vec![named] };
        let json: Value = serde_json::from_str(&report.json()).unwrap();
        let row = &json["rows"][0];
        assert_eq!((&row["name"], &row["reached"]), (&json!("load.csv@10"), &json!(true)));
        assert_eq!(row["figures"]["peak_memory"], json!({ "value": 7.0, "unit": "bytes" }));
        assert_eq!(row["threshold"], json!({ "peak_memory_at_most": 4e9 }));
        assert_eq!(json["durability"], "sync");
    }
}
