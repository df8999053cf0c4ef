//! Measurements of a query, for the log of slow queries.
//!
//! ```text
//!   RequestLimits.trace ──> describe ─> phases, plans that run (a RunWatcher) ─> end ──slow?──> slow-query
//! ```
//!
//! A trace belongs to a request and goes where its limits go. Without `log.slow-ms` there is no trace,
//! and every call here returns immediately, without reading a clock.

mod query_text;
mod redact;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_engine::{RunReport, RunWatcher};
use millrace_model::{Batch, Catalog, DetachedElements, ErrorKind, Profile, Result, Value};
use millrace_plan::{Notice, WriteCounts};
use parking_lot::Mutex;

use super::client_request::Request;
use super::results::{ResultHead, Results};
use crate::limits::{SLOW_QUERY_OPERATORS_MAX, SLOW_QUERY_OPERATORS_SHOWN};
use crate::settings::Settings;

pub use query_text::QueryText;
use redact::without_values;

/// A part of a query's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Waiting for a thread.
    Wait,
    /// Reading the text.
    Parse,
    /// Making plans.
    Plan,
    /// Running plans.
    Run,
    /// Judging and queueing the commit.
    Commit,
    /// Waiting until the commit is visible.
    Sync,
    /// Handing results to the client.
    Send,
}

const PHASES: usize = 7;

/// The measurements of one request, or none.
#[derive(Clone, Default)]
pub struct Trace(Option<Arc<Inner>>);

struct Inner {
    began: Instant,
    slow: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    query: Option<QueryText>,
    graph: Option<Arc<str>>,
    catalog: Option<Arc<Catalog>>,
    phases: [Duration; PHASES],
    /// Rows of results, where a front end counts them.
    result_rows: Option<u64>,
    /// Rows that plans gave.
    plan_rows: u64,
    bytes: u64,
    runs: u64,
    /// Nanoseconds and rows of operators, by their description.
    operators: HashMap<String, (u64, u64)>,
    is_ended: bool,
}

impl std::fmt::Debug for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trace").field("is_on", &self.is_on()).finish()
    }
}

impl Trace {
    /// That of a request that begins now.
    pub(crate) fn of(settings: &Settings) -> Trace {
        Trace(settings.log.slow_ms.map(|slow_ms| {
            let (began, slow) = (Instant::now(), Duration::from_millis(slow_ms));
            Arc::new(Inner { began, slow, state: Mutex::default() })
        }))
    }

    /// Whether something is measured.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    fn with(&self, work: impl FnOnce(&mut State)) {
        if let Some(inner) = &self.0 {
            work(&mut inner.state.lock());
        }
    }

    /// Describes the query. A query that was not described is not logged.
    pub(crate) fn describe(&self, query: impl FnOnce() -> QueryText) {
        self.with(|state| {
            state.query.get_or_insert_with(query);
        });
    }

    /// A request runs from now on, on this graph as far as is known; its results, counted on their way.
    pub(crate) fn begin<'a>(
        &'a self,
        request: &Request,
        graph: impl FnOnce() -> Arc<str>,
        results: &'a mut dyn Results,
    ) -> Counted<'a> {
        self.waited();
        self.describe(|| QueryText::of(&request.source));
        self.is_for(graph);
        self.count(results)
    }

    /// The measurements of the end of a transaction by its client's protocol, which begins now.
    pub fn of_commit(settings: &Settings, language: &'static str, graph: &Arc<str>) -> Trace {
        let trace = Trace::of(settings);
        trace.describe(|| QueryText::Commit(language));
        trace.is_for(|| Arc::clone(graph));
        trace
    }

    /// Notes the graph that it is for: a query that fails before it runs has its name, too.
    pub(crate) fn is_for(&self, graph: impl FnOnce() -> Arc<str>) {
        self.with(|state| state.graph = Some(graph()));
    }

    /// Results, counted on their way.
    pub(crate) fn count<'a>(&'a self, results: &'a mut dyn Results) -> Counted<'a> {
        Counted { results, trace: self }
    }

    /// Notes the graph that it runs on, and the names in it.
    pub(crate) fn runs_on(&self, graph: &Arc<str>, catalog: impl FnOnce() -> Arc<Catalog>) {
        if self.is_on() {
            let catalog = catalog();
            self.with(|state| {
                state.graph = Some(Arc::clone(graph));
                state.catalog = Some(catalog);
            });
        }
    }

    /// Discards the measurements: the request begins anew.
    pub(crate) fn begin_again(&self) {
        self.with(|state| {
            let query = state.query.take();
            *state = State { query, ..State::default() };
        });
    }

    /// Marks the start of the run: the time before it was waiting.
    pub fn waited(&self) {
        if let Some(inner) = &self.0 {
            let elapsed = inner.began.elapsed();
            self.with(|state| {
                // Said again by a second attempt: the phases of the first one were no waiting.
                state.phases[Phase::Wait as usize] = Duration::ZERO;
                let worked: Duration = state.phases.iter().sum();
                state.phases[Phase::Wait as usize] = elapsed.saturating_sub(worked);
            });
        }
    }

    /// Measures work as a part of it.
    pub fn time<T>(&self, phase: Phase, work: impl FnOnce() -> T) -> T {
        if !self.is_on() {
            return work();
        }
        let began = Instant::now();
        let done = work();
        self.add(phase, began.elapsed());
        done
    }

    /// Adds time to a part of it.
    pub fn add(&self, phase: Phase, took: Duration) {
        self.with(|state| state.phases[phase as usize] += took);
    }

    /// The watcher of plans that run for it.
    pub(crate) fn watcher(&self) -> Option<Arc<dyn RunWatcher>> {
        self.0.clone().map(|inner| inner as Arc<dyn RunWatcher>)
    }

    /// It is over, and its results have left: logged if that took long. Once; later calls do nothing.
    pub fn end(&self, outcome: std::result::Result<(), ErrorKind>) {
        let Some(inner) = &self.0 else { return };
        let took = inner.began.elapsed();
        let state = {
            let mut state = inner.state.lock();
            let is_ended = std::mem::replace(&mut state.is_ended, true);
            if is_ended || took < inner.slow {
                return;
            }
            std::mem::replace(&mut *state, State { is_ended: true, ..State::default() })
        };
        if let Some(query) = &state.query {
            state.log(query, took, outcome);
        }
    }
}

impl RunWatcher for Inner {
    fn prepared(&self, took: Duration) {
        self.state.lock().phases[Phase::Plan as usize] += took;
    }

    fn ran(&self, report: &RunReport<'_>) {
        let mut state = self.state.lock();
        state.phases[Phase::Run as usize] += report.took;
        state.plan_rows += report.rows;
        state.bytes = state.bytes.max(report.peak_bytes);
        state.runs += 1;
        report.each_operator(&mut |label, nanos, rows| {
            if let Some(known) = state.operators.get_mut(label) {
                *known = (known.0 + nanos, known.1 + rows);
            } else if state.operators.len() < SLOW_QUERY_OPERATORS_MAX {
                state.operators.insert(label.to_owned(), (nanos, rows));
            }
        });
    }
}

impl State {
    fn log(&self, query: &QueryText, took: Duration, outcome: std::result::Result<(), ErrorKind>) {
        let ms = |phase: Phase| millis(self.phases[phase as usize]);
        let catalog = self.catalog.as_deref();
        let outcome = outcome.map_or_else(ErrorKind::word, |()| "done");
        tracing::warn!(
            name: "slow-query",
            language = query.language(),
            graph = self.graph.as_deref().unwrap_or_default(),
            text = query.redacted(catalog),
            outcome,
            took_ms = millis(took),
            wait_ms = ms(Phase::Wait),
            parse_ms = ms(Phase::Parse),
            plan_ms = ms(Phase::Plan),
            run_ms = ms(Phase::Run),
            commit_ms = ms(Phase::Commit),
            sync_ms = ms(Phase::Sync),
            send_ms = ms(Phase::Send),
            rows = self.result_rows.unwrap_or(self.plan_rows),
            bytes = self.bytes,
            runs = self.runs,
            operators = self.costliest(catalog),
        );
    }

    /// The operators that took longest: `Expand … 12.3 ms 400 rows; …`.
    fn costliest(&self, catalog: Option<&Catalog>) -> String {
        let mut operators: Vec<_> = self.operators.iter().collect();
        operators.sort_by(|one, other| other.1.0.cmp(&one.1.0).then(one.0.cmp(other.0)));
        let shown =
            operators.iter().take(SLOW_QUERY_OPERATORS_SHOWN).map(|(label, (nanos, rows))| {
                let label = without_values(label, redact::Language::Plan, catalog);
                format!("{label} {:.3} ms {rows} rows", *nanos as f64 / 1e6)
            });
        shown.collect::<Vec<_>>().join("; ")
    }
}

/// Milliseconds, to the microsecond.
fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// Counts results and measures the time they take.
pub(crate) struct Counted<'a> {
    results: &'a mut dyn Results,
    trace: &'a Trace,
}

impl Counted<'_> {
    fn count(&self, weights: &[u64]) {
        let rows = weights.iter().fold(0, |sum: u64, weight| sum.saturating_add(*weight));
        self.trace.with(|state| {
            state.result_rows = Some(state.result_rows.unwrap_or(0).saturating_add(rows));
        });
    }
}

impl Results for Counted<'_> {
    fn begin(&mut self, streams: bool) {
        self.trace.with(|state| state.result_rows = Some(0));
        self.results.begin(streams);
    }

    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()> {
        self.count(weights);
        let Counted { results, trace } = self;
        trace.time(Phase::Send, || results.take(values, weights, elements))
    }

    fn takes_columns(&self) -> bool {
        self.results.takes_columns()
    }

    fn take_columns(&mut self, columns: &Batch, rows: &[u32], weights: &[u64]) -> Result<()> {
        self.count(weights);
        let Counted { results, trace } = self;
        trace.time(Phase::Send, || results.take_columns(columns, rows, weights))
    }

    fn wait(&mut self) -> Result<()> {
        self.results.wait()
    }

    fn take_json(&mut self, answer: &str) -> Result<()> {
        self.results.take_json(answer)
    }

    fn take_head(&mut self, head: &ResultHead) {
        self.results.take_head(head);
    }

    fn take_explanation(&mut self, text: &str, tree: Option<&Profile>) -> Result<()> {
        self.results.take_explanation(text, tree)
    }

    fn take_write_counts(&mut self, counts: &WriteCounts) {
        self.results.take_write_counts(counts);
    }

    fn take_notices(&mut self, notices: &[Notice]) {
        self.results.take_notices(notices);
    }

    fn takes_rows_beside_profile(&self) -> bool {
        self.results.takes_rows_beside_profile()
    }

    fn take_profile(&mut self, profile: &Profile) -> Result<()> {
        self.results.take_profile(profile)
    }
}
