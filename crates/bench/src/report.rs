//! What an experiment measured, as a table and as JSON.
//!
//! `ratio` compares with the reference of the same run so that 1 or less is good: value/reference
//! for times, reference/value for rates. A row without a reference has neither.

use std::fmt::Write;

use crate::machine::Machine;

/// What a value means, and so which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds, shown as milliseconds; less is better.
    Milliseconds,
    /// A number of things a second; more is better.
    PerSecond,
}

/// One measured figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name, such as `likes.recommend`.
    pub name: String,
    /// The figure, in its unit.
    pub value: f64,
    /// The unit.
    pub unit: Unit,
    /// What plain array code, or the machine itself, reached in the same run.
    pub reference: Option<f64>,
    /// What it must reach, if the project has set a bar.
    pub bar: Option<Bar>,
}

/// A bar a row must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// The ratio is at most this.
    Ratio(f64),
    /// The value is at most this.
    AtMost(f64),
    /// The value is at least this.
    AtLeast(f64),
}

/// Rows with the machine they were measured on.
#[derive(Clone, Debug)]
pub struct Report {
    /// Where.
    pub machine: Machine,
    /// What.
    pub rows: Vec<Row>,
}

impl Unit {
    fn word(self) -> &'static str {
        match self {
            Unit::Milliseconds => "ms",
            Unit::PerSecond => "1/s",
        }
    }
}

impl Row {
    /// How the value compares with the reference; 1 or less is good.
    pub fn ratio(&self) -> Option<f64> {
        let reference = self.reference?;
        Some(match self.unit {
            Unit::Milliseconds => self.value / reference,
            Unit::PerSecond => reference / self.value,
        })
    }

    /// Whether the bar is reached; a row without one always is.
    pub fn reached(&self) -> bool {
        match self.bar {
            None => true,
            Some(Bar::Ratio(most)) => self.ratio().is_some_and(|ratio| ratio <= most),
            Some(Bar::AtMost(most)) => self.value <= most,
            Some(Bar::AtLeast(least)) => least <= self.value,
        }
    }

    fn bar_text(&self) -> String {
        let unit = self.unit.word();
        let text = match self.bar {
            None => return String::new(),
            Some(Bar::Ratio(most)) => format!("ratio ≤ {most}"),
            Some(Bar::AtMost(most)) => format!("≤ {} {unit}", number(most)),
            Some(Bar::AtLeast(least)) => format!("≥ {} {unit}", number(least)),
        };
        if self.reached() { text } else { format!("{text}  MISSED") }
    }
}

/// Three significant digits, thousands apart.
fn number(value: f64) -> String {
    if 1000.0 <= value {
        let digits = format!("{value:.0}");
        let mut text = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if 0 < index && (digits.len() - index).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        return text;
    }
    format!("{value:.*}", if value < 10.0 { 3 } else { 1 })
}

impl Report {
    /// The table a person reads.
    pub fn table(&self) -> String {
        let mut text = format!("{}\n\n", self.machine);
        let line = |text: &mut String, cells: [&str; 5]| {
            let [name, value, reference, ratio, bar] = cells;
            let row = format!("{name:<28} {value:>16} {reference:>16} {ratio:>8}  {bar}");
            writeln!(text, "{}", row.trim_end()).expect("a string takes any text");
        };
        line(&mut text, ["row", "value", "reference", "ratio", "must reach"]);
        for row in &self.rows {
            let unit = row.unit.word();
            let optional = |value: Option<f64>, unit: &str| {
                value.map_or("-".to_owned(), |value| format!("{}{unit}", number(value)))
            };
            line(
                &mut text,
                [
                    &row.name,
                    &format!("{} {unit}", number(row.value)),
                    &optional(row.reference, &format!(" {unit}")),
                    &optional(row.ratio(), ""),
                    &row.bar_text(),
                ],
            );
        }
        text
    }

    /// The JSON a program reads.
    pub fn json(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            serde_json::json!({
                "name": row.name,
                "value": row.value,
                "unit": row.unit.word(),
                "reference": row.reference,
                "ratio": row.ratio(),
                "reached": row.reached(),
            })
        });
        let report = serde_json::json!({
            "machine": self.machine.json(),
            "rows": rows.collect::<Vec<_>>(),
        });
        format!("{report:#}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: f64, unit: Unit, bar: Bar) -> Row {
        Row { name: "x".into(), value, unit, reference: Some(100.0), bar: Some(bar) }
    }

    #[test]
    fn a_ratio_of_at_most_one_is_as_good_as_the_reference() {
        let time = row(50.0, Unit::Milliseconds, Bar::Ratio(1.0));
        assert_eq!((time.ratio(), time.reached()), (Some(0.5), true));
        let rate = row(50.0, Unit::PerSecond, Bar::Ratio(1.0));
        assert_eq!((rate.ratio(), rate.reached()), (Some(2.0), false));
        assert!(row(1.0, Unit::PerSecond, Bar::AtLeast(1.0)).reached());
        assert!(!row(1.1, Unit::Milliseconds, Bar::AtMost(1.0)).reached());
    }

    #[test]
    fn a_missed_bar_stands_out_in_the_table() {
        let machine = Machine::here();
        let rows = vec![row(1_234_567.0, Unit::PerSecond, Bar::AtLeast(2e6))];
        let table = Report { machine, rows }.table();
        assert!(table.contains("1,234,567 1/s"), "{table}");
        assert!(table.contains("≥ 2,000,000 1/s  MISSED"), "{table}");
    }
}
