//! The operators of a prepared plan and their counters, as data and as text.
//!
//! The engine fills it; a language turns it into the profile that its clients know.

use std::fmt;

use crate::base::ColumnId;

/// The operators of a prepared plan, outermost first, subplans behind their operator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// One for each operator, or each group fused into one.
    pub operators: Vec<OperatorReport>,
}

/// One physical operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorReport {
    /// Its label, without counters.
    pub label: String,
    /// The label with the access to the store that it made in the last profiled run, where several are
    /// possible: an index, or a scan.
    pub used: Option<String>,
    /// How deep in subplans it stands.
    pub depth: usize,
    /// Whether it is the first of its pipeline.
    pub is_first: bool,
    /// Batches it gave.
    pub batches: u64,
    /// Rows it gave.
    pub rows: u64,
    /// The total weight of its rows.
    pub weight: u64,
    /// Time in it and in those before it.
    pub nanos: u64,
    /// Time in it and in its subplans alone.
    pub own_nanos: u64,
    /// The columns of the plan that are new with it.
    pub makes: Vec<ColumnId>,
}

impl OperatorReport {
    /// `used`, if there was a profiled run; else the label.
    pub fn did(&self) -> &str {
        self.used.as_deref().unwrap_or(&self.label)
    }
}

impl Explanation {
    /// One line for each operator, without counters, for goldens.
    pub fn operators_text(&self) -> String {
        let line = |report: &OperatorReport| {
            format!("{:width$}{}\n", "", report.label, width = report.depth * 2)
        };
        self.operators.iter().map(line).collect()
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for report in &self.operators {
            let OperatorReport { depth, batches, rows, weight, nanos, .. } = report;
            let label = report.did();
            let micros = *nanos as f64 / 1_000.0;
            let indent = depth * 2;
            writeln!(
                f,
                "{:indent$}{label}  [{rows} rows, weight {weight}, {batches} batches, {micros:.1} µs]",
                ""
            )?;
        }
        Ok(())
    }
}
