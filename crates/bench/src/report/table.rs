//! The table a person reads: a line for each row, its other figures below it.

use std::fmt::{self, Write};

use super::{Figure, Report, Row, Threshold, Unit};

/// Figures below a row go to the next line beyond this many characters.
const LINE_CHARS: usize = 96;

impl Report {
    /// The table a person reads.
    pub fn table(&self) -> String {
        let mut text = format!("{}\ndurability {}\n\n", self.machine, self.durability);
        let heads = ["row", "value", "reference", "ratio", "must reach"];
        push_line(&mut text, heads);
        for row in &self.rows {
            push(&mut text, &row.to_string());
        }
        for note in &self.notes {
            push(&mut text, &format!("note: {note}"));
        }
        text
    }
}

impl fmt::Display for Row {
    /// The row's lines of the table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: Option<f64>| value.map_or("-".to_owned(), |it| in_unit(it, self.unit));
        let cells = [
            &self.name,
            &in_unit(self.value, self.unit),
            &shown(self.reference),
            &self.ratio().map_or("-".to_owned(), number),
            &bar_text(self),
        ];
        let mut text = String::new();
        push_line(&mut text, cells.map(|cell| cell.as_str()));
        push_figures(&mut text, &self.figures);
        if let Some(fault) = &self.fault {
            push(&mut text, &format!("    FAULT: {fault}"));
        }
        f.write_str(text.trim_end())
    }
}

fn push(text: &mut String, line: &str) {
    writeln!(text, "{}", line.trim_end()).expect("a string takes any text");
}

fn push_line(text: &mut String, cells: [&str; 5]) {
    let [name, value, reference, ratio, threshold] = cells;
    push(text, &format!("{name:<28} {value:>18} {reference:>18} {ratio:>8}  {threshold}"));
}

fn push_figures(text: &mut String, figures: &[Figure]) {
    let mut line = String::new();
    for figure in figures {
        let name = figure.name.replace('_', " ");
        let shown = format!("{name} {}", in_unit(figure.value, figure.unit));
        if !line.is_empty() && LINE_CHARS < line.len() + shown.len() {
            push(text, &line);
            line.clear();
        }
        line.push_str(if line.is_empty() { "    " } else { ", " });
        line.push_str(&shown);
    }
    if !line.is_empty() {
        push(text, &line);
    }
}

fn bar_text(row: &Row) -> String {
    let unit = row.unit;
    let text = match row.threshold {
        None => return String::new(),
        Some(Threshold::Ratio(most)) => format!("ratio ≤ {most}"),
        Some(Threshold::AtMost(most)) => format!("≤ {}", in_unit(most, unit)),
        Some(Threshold::AtLeast(least)) => format!("≥ {}", in_unit(least, unit)),
        Some(Threshold::AtMostOrRatio(most, ratio)) => {
            format!("≤ {} or ratio ≤ {ratio}", in_unit(most, unit))
        }
        Some(Threshold::RatioAndAtMost(ratio, most)) => {
            format!("ratio ≤ {ratio} and ≤ {}", in_unit(most, unit))
        }
        Some(Threshold::PeakMemory(most)) => {
            format!("peak memory ≤ {}", in_unit(most, Unit::Bytes))
        }
        Some(Threshold::AtMostAndGrowth(most, bytes)) => {
            let bytes = in_unit(bytes, Unit::Bytes);
            format!("≤ {} and memory growth ≤ {bytes}", in_unit(most, unit))
        }
        Some(Threshold::RatioAndSpeedup(most, least)) => {
            format!("ratio ≤ {most} and speedup ≥ {least}")
        }
    };
    if row.reached() { text } else { format!("{text}  MISSED") }
}

fn in_unit(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Bytes => format!("{} MiB", number(value / f64::from(1 << 20))),
        Unit::Count if value.fract() == 0.0 => format!("{value}"),
        Unit::Count => number(value),
        Unit::Milliseconds
        | Unit::Microseconds
        | Unit::Nanoseconds
        | Unit::Seconds
        | Unit::PerSecond
        | Unit::BytesPerEdge
        | Unit::BytesEach
        | Unit::Times
        | Unit::Percent => format!("{} {}", number(value), unit.word()),
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

#[cfg(test)]
mod tests {
    use super::super::{BYTES_WRITTEN, PEAK_MEMORY};
    use super::*;
    use crate::machine::Machine;

    #[test]
    fn the_table_shows_a_missed_bar_the_figures_and_the_faults() {
        let row = Row::new(1_234_567.0, Unit::PerSecond)
            .with(PEAK_MEMORY, 3.0 * f64::from(1 << 30), Unit::Bytes)
            .with(BYTES_WRITTEN, f64::from(1 << 19), Unit::Bytes)
            .with("checkpoints", 1.0, Unit::Count);
        let fault = Some("fewer than two checkpoints".into());
        let threshold = Some(Threshold::AtLeast(2e6));
        let rows = vec![Row { name: "commit.small".into(), threshold, fault, ..row }];
        let notes = vec!["load.films is left out".to_owned()];
        let report = Report { machine: Machine::here(), durability: "sync".into(), notes, rows };
        let table = report.table();
        for line in [
            "durability sync",
            "1,234,567 1/s",
            "≥ 2,000,000 1/s  MISSED",
            "    peak memory 3,072 MiB, bytes written 0.500 MiB, checkpoints 1",
            "    FAULT: fewer than two checkpoints",
            "note: load.films is left out",
        ] {
            assert!(table.contains(line), "no `{line}` in\n{table}");
        }
    }
}
