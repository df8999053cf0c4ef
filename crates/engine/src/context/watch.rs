//! The watcher of every plan that runs in a context: for a log of slow queries.
//!
//! A watched run is a profiled run, also one that fails half-way. Without a watcher nothing is measured.

use std::time::Duration;

/// Hears of runs. Called on the thread that runs the plan.
pub trait RunWatcher: Send + Sync {
    /// A plan was made ready to run.
    fn prepared(&self, took: Duration);

    /// A plan was run, to its end or to an error.
    fn ran(&self, report: &RunReport<'_>);
}

/// The duration, memory, rows and operators of a run.
pub struct RunReport<'a> {
    /// How long it took.
    pub took: Duration,
    /// The most bytes that its context reserved at once.
    pub peak_bytes: u64,
    /// Rows that it gave; none if it failed.
    pub rows: u64,
    pub(crate) operators: &'a dyn CountedOperators,
}

/// Operators with their counters.
pub(crate) trait CountedOperators {
    /// See [`RunReport::each_operator`].
    fn each_operator(&self, visit: &mut dyn FnMut(&str, u64, u64));
}

impl RunReport<'_> {
    /// Visits each operator with its label, the nanoseconds in it alone, and the rows it gave.
    pub fn each_operator(&self, visit: &mut dyn FnMut(&str, u64, u64)) {
        self.operators.each_operator(visit);
    }
}
