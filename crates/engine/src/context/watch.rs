//! The watcher of every plan that runs in a context: for a log of slow queries.
//!
//! A watched run is a profiled run, also one that fails half-way. Without a watcher nothing is measured.

use std::time::{Duration, Instant};

use millrace_model::Result;
use millrace_plan::Plan;

use crate::context::Context;
use crate::pipeline::{Counters, Pipeline};
use crate::prepare::Prepared;

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
    pub(crate) prepared: &'a Prepared,
}

impl RunReport<'_> {
    /// Visits each operator with its label, the nanoseconds in it alone, and the rows it gave.
    pub fn each_operator(&self, visit: &mut dyn FnMut(&str, u64, u64)) {
        for pipeline in self.prepared.pipelines() {
            each_operator(pipeline, visit);
        }
    }
}

/// Visits the operators of a pipeline and of the subplans in it; how long all of it took.
fn each_operator(pipeline: &Pipeline, visit: &mut dyn FnMut(&str, u64, u64)) -> u64 {
    let mut before = 0;
    for stage in &pipeline.stages {
        let Counters { nanos, rows, .. } = stage.counters.get();
        let inner: u64 = stage.operator.inner().iter().map(|sub| each_operator(sub, visit)).sum();
        let own = nanos.saturating_sub(before).saturating_sub(inner);
        visit(&stage.label, own, rows);
        before = nanos;
    }
    before
}

impl Context {
    /// Runs work that makes a plan ready, and reports to the watcher how long it took.
    pub(crate) fn preparing<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(watcher) = self.watcher() else { return work() };
        let began = Instant::now();
        let done = work();
        watcher.prepared(began.elapsed());
        done
    }

    /// A plan after the rules, ready to run here.
    pub fn prepare(&self, plan: &Plan) -> Result<Prepared> {
        let _enforced = self.enforce_limits();
        self.preparing(|| Prepared::optimized(plan, self.procedures()))
    }
}
