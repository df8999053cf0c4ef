//! A measurement: a row's name and procedure, its sizes and thresholds, and the conditions it runs under.

use std::path::PathBuf;

use millrace_db::Settings;
use millrace_model::Result;
use serde::{Deserialize, Serialize};

use crate::jobs::Program;
use crate::machine;
use crate::report::{Row, Threshold};

/// The conditions of a measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Conditions {
    /// Where data is cached between runs, and runs have their folders.
    pub(crate) data: PathBuf,
    /// The size of the data relative to the full one.
    pub(crate) scale: f64,
    /// How long to measure, if not as long as the row wants.
    pub(crate) seconds: Option<f64>,
    /// Film data from elsewhere.
    pub(crate) films: Option<PathBuf>,
    /// The article's scripts.
    pub(crate) scripts: Option<PathBuf>,
    /// The broker of the rows of queues.
    pub(crate) amqp: Option<String>,
    /// How many processors the row may use, if not all.
    pub(crate) threads: Option<usize>,
    /// How the bench starts itself again.
    pub(crate) program: Program,
}

/// A row that can be asked for alone.
pub(super) struct Measurement {
    pub(super) name: &'static str,
    pub(super) run: fn(&Conditions) -> Result<Row>,
    /// The sizes it is measured at, if none is asked for.
    pub(super) scales: &'static [f64],
    /// The threshold at each size that has one.
    pub(super) thresholds: &'static [(f64, Threshold)],
    /// Whether it is measured with one processor too.
    pub(super) alone_too: bool,
    /// Why it can't be measured here.
    pub(super) left_out: fn(&Conditions) -> Option<&'static str>,
}

pub(super) const FULL: &[f64] = &[1.0];
pub(super) const GROWING: &[f64] = &[0.1, 0.3, 1.0];
pub(super) const GROWING_TENFOLD: &[f64] = &[0.1, 0.3, 1.0, 10.0];

pub(super) const fn row(
    name: &'static str,
    run: fn(&Conditions) -> Result<Row>,
    scales: &'static [f64],
    thresholds: &'static [(f64, Threshold)],
) -> Measurement {
    Measurement { name, run, scales, thresholds, alone_too: false, left_out: |_| None }
}

/// A row of traversals: at several sizes, and with one processor.
pub(super) const fn traversal(
    name: &'static str,
    run: fn(&Conditions) -> Result<Row>,
    thresholds: &'static [(f64, Threshold)],
) -> Measurement {
    Measurement { alone_too: true, ..row(name, run, GROWING, thresholds) }
}

/// The settings that experiments open data folders with: the defaults, with durability spelled out.
pub(crate) fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.data.durability = "sync".to_owned();
    settings
}

impl Measurement {
    /// Measures it, with its name and, for the whole time only, its threshold.
    pub(super) fn measure(&self, conditions: &Conditions) -> Result<Row> {
        if let Some(threads) = conditions.threads {
            machine::use_processors(threads)?;
        }
        let measured = (self.run)(conditions)?;
        let name = named(self.name, conditions);
        Ok(Row { name, threshold: self.threshold(conditions), ..measured })
    }

    pub(super) fn threshold(&self, conditions: &Conditions) -> Option<Threshold> {
        let threshold = self.thresholds.iter().find(|(scale, _)| *scale == conditions.scale);
        let whole = conditions.seconds.is_none() && conditions.threads.is_none();
        threshold.map(|(_, threshold)| *threshold).filter(|_| whole)
    }

    /// The sizes and numbers of processors it is measured with.
    pub(super) fn turns(
        &self,
        asked_scale: Option<f64>,
        asked_threads: Option<usize>,
    ) -> Vec<(f64, Option<usize>)> {
        let of_its_own = asked_scale.is_none();
        let scales = asked_scale.as_slice();
        let scales = if of_its_own { self.scales } else { scales };
        let mut turns: Vec<_> = scales.iter().map(|scale| (*scale, asked_threads)).collect();
        if self.alone_too && of_its_own && asked_threads.is_none() {
            turns.push((1.0, Some(1)));
        }
        turns
    }
}

/// What ends the name of a row of one processor.
pub(super) const ALONE: &str = "@1thread";

/// A row of other than full data, or of fewer processors than there are, says so.
pub(super) fn named(name: &str, conditions: &Conditions) -> String {
    let scale = match conditions.scale {
        1.0 => String::new(),
        scale => format!("@{scale}"),
    };
    match conditions.threads {
        None => format!("{name}{scale}"),
        Some(1) => format!("{name}{scale}{ALONE}"),
        Some(threads) => format!("{name}{scale}@{threads}thread"),
    }
}
