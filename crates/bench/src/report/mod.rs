//! The results of an experiment, for a person ([`Report::table`]) and for a program ([`Report::json`]).
//!
//! ```text
//!   Report ── machine, durability, notes
//!      └── Row ── value, reference of the same run, threshold
//!             └── Figure … other measurements of the same run: peak memory, bytes written
//! ```
//!
//! `ratio` compares with the reference of the same run so that 1 or less is good: value/reference
//! for times and sizes, reference/value for rates. A row without a reference has neither.
//! The procedure of a row, and the names of experiments, never enter here.

mod json;
mod table;

use serde::{Deserialize, Serialize};

use crate::machine::Machine;

/// The meaning of a value, and so which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// Milliseconds; less is better.
    Milliseconds,
    /// Microseconds; less is better.
    Microseconds,
    /// Nanoseconds; less is better.
    Nanoseconds,
    /// Seconds; less is better.
    Seconds,
    /// A number of things a second; more is better.
    PerSecond,
    /// Bytes, shown as MiB; less is better.
    Bytes,
    /// Bytes for each edge; less is better.
    BytesPerEdge,
    /// Bytes for each of the things that a row is about; less is better.
    BytesEach,
    /// How many times as much; less is better.
    Times,
    /// A number of things.
    Count,
    /// A share; less is better.
    Percent,
}

/// One measured figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name, such as `likes.recommend`; of other than full data, with `@` and the scale.
    pub name: String,
    /// The figure, in its unit.
    pub value: f64,
    /// The unit.
    pub unit: Unit,
    /// The value of plain array code, or of the machine itself, in the same run.
    pub reference: Option<f64>,
    /// The value or ratio to reach, if the project has set a threshold.
    pub threshold: Option<Threshold>,
    /// Other measurements of the same run.
    pub figures: Vec<Figure>,
    /// Why the value is not of the load that the row's name promises. A row with a fault reaches no threshold.
    pub fault: Option<String>,
}

/// A named number beside a row's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The quantity, in words with `_` between them.
    pub name: String,
    /// The number, in its unit.
    pub value: f64,
    /// The unit.
    pub unit: Unit,
}

/// A threshold a row must reach.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Threshold {
    /// The ratio is at most this.
    Ratio(f64),
    /// The value is at most this.
    AtMost(f64),
    /// The value is at least this.
    AtLeast(f64),
    /// The value is at most the first, or the ratio at most the second.
    AtMostOrRatio(f64, f64),
    /// The ratio is at most the first, and the value at most the second.
    RatioAndAtMost(f64, f64),
    /// The figure [`PEAK_MEMORY`] is at most so many bytes.
    PeakMemory(f64),
    /// The value is at most the first, and the figure [`MEMORY_GROWTH`] at most so many bytes.
    AtMostAndGrowth(f64, f64),
    /// The ratio is at most the first, and the figure `speedup`, where it was measured, at least the second.
    RatioAndSpeedup(f64, f64),
}

/// How many times as fast all processors are as one.
pub(crate) const SPEEDUP: &str = "speedup";

/// The most memory the process had while the row was measured.
pub const PEAK_MEMORY: &str = "peak_memory";

/// By how much the memory of a server grew for what was measured.
pub const MEMORY_GROWTH: &str = "memory_growth";

/// Bytes the process gave to write calls while the row was measured.
pub const BYTES_WRITTEN: &str = "bytes_written";

/// The share of the machine's processor time that its host gave to others while the row was
/// measured.
pub(crate) const HOST_TOOK: &str = "host_took";

/// Rows with the conditions they were measured under.
#[derive(Clone, Debug)]
pub struct Report {
    /// Where.
    pub machine: Machine,
    /// The durability of an acknowledged commit.
    pub durability: String,
    /// Remarks for the reader, such as rows that were left out.
    pub notes: Vec<String>,
    /// The measurements.
    pub rows: Vec<Row>,
}

impl Unit {
    /// The word for it in tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Unit::Milliseconds => "ms",
            Unit::Microseconds => "us",
            Unit::Nanoseconds => "ns",
            Unit::Seconds => "s",
            Unit::PerSecond => "1/s",
            Unit::Bytes => "bytes",
            Unit::BytesPerEdge => "bytes/edge",
            Unit::BytesEach => "bytes each",
            Unit::Times => "times",
            Unit::Count => "",
            Unit::Percent => "%",
        }
    }

    /// Which way is better.
    pub(crate) fn more_is_better(self) -> bool {
        match self {
            Unit::PerSecond | Unit::Count => true,
            Unit::Milliseconds
            | Unit::Microseconds
            | Unit::Nanoseconds
            | Unit::Seconds
            | Unit::Bytes
            | Unit::BytesPerEdge
            | Unit::BytesEach
            | Unit::Times
            | Unit::Percent => false,
        }
    }
}

impl Figure {
    /// A number with its name and unit.
    pub fn new(name: &str, value: f64, unit: Unit) -> Figure {
        Figure { name: name.to_owned(), value, unit }
    }
}

impl Row {
    /// A value without reference, threshold or figures. Its runner adds name and threshold.
    pub fn new(value: f64, unit: Unit) -> Row {
        Row {
            name: String::new(),
            value,
            unit,
            reference: None,
            threshold: None,
            figures: Vec::new(),
            fault: None,
        }
    }

    /// A row that could not be measured.
    pub fn failed(name: String, why: String) -> Row {
        Row { name, fault: Some(why), ..Row::new(f64::NAN, Unit::Count) }
    }

    /// The same beside a reference of the same run.
    pub fn beside(mut self, reference: f64) -> Row {
        self.reference = Some(reference);
        self
    }

    /// The same with one figure more.
    pub fn with(mut self, name: &str, value: f64, unit: Unit) -> Row {
        self.figures.push(Figure::new(name, value, unit));
        self
    }

    /// The same with more figures.
    pub fn with_figures(mut self, figures: impl IntoIterator<Item = Figure>) -> Row {
        self.figures.extend(figures);
        self
    }

    /// A figure by its name.
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures.iter().find(|figure| figure.name == name).map(|figure| figure.value)
    }

    /// How the value compares with the reference; 1 or less is good.
    pub fn ratio(&self) -> Option<f64> {
        let reference = self.reference?;
        let ratio = self.value / reference;
        Some(if self.unit.more_is_better() { 1.0 / ratio } else { ratio })
    }

    /// Whether the threshold is reached; a row without one always is, unless it has a fault.
    pub fn reached(&self) -> bool {
        let within = |most: f64| self.ratio().is_some_and(|ratio| ratio <= most);
        let reached = match self.threshold {
            None => true,
            Some(Threshold::Ratio(most)) => within(most),
            Some(Threshold::AtMost(most)) => self.value <= most,
            Some(Threshold::AtLeast(least)) => least <= self.value,
            Some(Threshold::AtMostOrRatio(most, ratio)) => self.value <= most || within(ratio),
            Some(Threshold::RatioAndAtMost(ratio, most)) => within(ratio) && self.value <= most,
            Some(Threshold::PeakMemory(most)) => {
                self.figure(PEAK_MEMORY).is_some_and(|it| it <= most)
            }
            Some(Threshold::AtMostAndGrowth(most, bytes)) => {
                self.value <= most && self.figure(MEMORY_GROWTH).is_some_and(|it| it <= bytes)
            }
            Some(Threshold::RatioAndSpeedup(most, least)) => {
                within(most) && self.figure(SPEEDUP).is_none_or(|it| least <= it)
            }
        };
        reached && self.fault.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: f64, unit: Unit, threshold: Threshold) -> Row {
        Row { name: "x".into(), threshold: Some(threshold), ..Row::new(value, unit).beside(100.0) }
    }

    #[test]
    fn a_ratio_of_at_most_one_is_as_good_as_the_reference() {
        let time = row(50.0, Unit::Milliseconds, Threshold::Ratio(1.0));
        assert_eq!((time.ratio(), time.reached()), (Some(0.5), true));
        let rate = row(50.0, Unit::PerSecond, Threshold::Ratio(1.0));
        assert_eq!((rate.ratio(), rate.reached()), (Some(2.0), false));
        assert!(row(1.0, Unit::PerSecond, Threshold::AtLeast(1.0)).reached());
        assert!(!row(1.1, Unit::Milliseconds, Threshold::AtMost(1.0)).reached());
    }

    #[test]
    fn a_bar_of_two_parts_takes_the_looser_of_them() {
        let threshold = Threshold::AtMostOrRatio(10.0, 10.0);
        assert!(row(9.0, Unit::Milliseconds, threshold).reached());
        assert!(row(999.0, Unit::Milliseconds, threshold).reached());
        assert!(!row(1_001.0, Unit::Milliseconds, threshold).reached());
    }

    #[test]
    fn a_bar_on_memory_wants_the_figure_and_a_fault_reaches_no_bar() {
        let bare = row(1.0, Unit::PerSecond, Threshold::PeakMemory(4e9));
        assert!(!bare.reached());
        let measured = bare.with(PEAK_MEMORY, 3e9, Unit::Bytes);
        assert!(measured.reached());
        let both = row(200.0, Unit::Milliseconds, Threshold::RatioAndSpeedup(2.0, 1.7));
        assert!(both.reached() && both.clone().with(SPEEDUP, 1.7, Unit::Times).reached());
        assert!(!both.with(SPEEDUP, 1.6, Unit::Times).reached());
        let grown = row(1.0, Unit::Milliseconds, Threshold::AtMostAndGrowth(1.0, 5.0));
        assert!(!grown.reached() && grown.clone().with(MEMORY_GROWTH, 5.0, Unit::Bytes).reached());
        assert!(!grown.with(MEMORY_GROWTH, 6.0, Unit::Bytes).reached());
        assert!(!Row { fault: Some("one checkpoint".into()), ..measured }.reached());
    }
}
